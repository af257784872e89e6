/** Prints the licences of what is installed in production: `npm run licences`. 1: one is refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licencesIn, refusalOf, type Lock } from './licence-rules.ts';

const lock = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as Lock;
for (const found of licencesIn(lock)) {
  const refusal = refusalOf(found);
  const line = `${found.name} ${found.version}: ${found.licence ?? 'none named'}`;
  process.stdout.write(`${line}${refusal === null ? '' : ` REFUSED: ${refusal}`}\n`);
  if (refusal !== null) process.exitCode = 1;
}
