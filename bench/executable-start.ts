/**
 * The cost of starting the single executable, beside the installed package and Node alone. Build
 * both first: `npm run build`, `npm run executable -w packages/cli`.
 *
 *     node bench/executable-start.ts [rounds]
 */
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compareStarts } from './support/starts.ts';

const rounds = Number(process.argv[2] ?? 20);
const node = process.execPath;
const cli = (path: string) => fileURLToPath(new URL(`../packages/cli/${path}`, import.meta.url));
const compiled = cli('dist/cli/src/atrium.js');
const executable = cli(`dist-executables/atrium-${process.platform}-${process.arch}`);

console.log(`${executable}: ${(statSync(executable).size / 1024 ** 2).toFixed(0)} MiB`);
compareStarts(
  {
    'node --eval 0': [node, '--eval', '0'],
    'dist: atrium --version': [node, compiled, '--version'],
    'executable: atrium --version': [executable, '--version'],
    'dist: atrium profiles': [node, compiled, 'profiles'],
    'executable: atrium profiles': [executable, 'profiles'],
  },
  rounds,
);
