import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SERVER = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** Prints where a thread that the process starts at its end would find compiled code. */
const PROBE = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => console.log(process.env.NODE_COMPILE_CACHE))`,
)}`;

it('lets threads of the server use its compiled code', async () => {
  const started = promisify(execFile)(process.execPath, ['--import', PROBE, SERVER], {
    env: { PATH: process.env['PATH'], PORT: 'none' },
  });
  await expect(started).rejects.toMatchObject({
    stdout: expect.stringMatching(/^\/.*\/node_modules\/\.cache\/node\n$/),
    stderr: expect.stringContaining('PORT'),
  });
});
