import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { eventstoreProgram } from '../support/eventstoredb/server.ts';

const ENDS_WITHIN_MS = 600_000;
const TORTURE = fileURLToPath(new URL('../torture/torture.ts', import.meta.url));

it.skipIf(!eventstoreProgram())(
  'holds EventStoreDB to it (the short form of `npm run torture -- --eventstore`; skipped: no ' +
    'server program on the PATH)',
  async () => {
    const args = [TORTURE, '--eventstore', '--seconds', '3', '--kills', '2', '--hang', '3'];
    // Its table names the failed round, and is printed by a failed test.
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: ENDS_WITHIN_MS,
    }).catch((error: Error & { stdout: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    expect(stdout.match(/ holds$/gm)).toHaveLength(6);
  },
  ENDS_WITHIN_MS,
);
