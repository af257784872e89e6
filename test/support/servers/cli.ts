/** The `atrium` command as a process, as an operator types it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Ended } from '../../operator/events/atrium-events.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/src/atrium.ts', import.meta.url));

/** With this environment and nothing of the test's, but for the way to the programs. */
export const atriumIn = (
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Ended> => {
  const child = spawn(process.execPath, [CLI, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
};
