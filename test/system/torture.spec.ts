import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const ENDS_WITHIN_MS = 600_000;
const TORTURE = fileURLToPath(new URL('../torture/torture.ts', import.meta.url));

it(
  'holds the embedded log to what it acknowledged (short form of `npm run torture`)',
  async () => {
    const args = [TORTURE, '--seconds', '3', '--kills', '2'];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      timeout: ENDS_WITHIN_MS,
    });
    expect(stdout.match(/ holds$/gm)).toHaveLength(4);
  },
  ENDS_WITHIN_MS,
);
