/** Clean-up when a process of tests is interrupted. */
import { spawnSync } from 'node:child_process';

export interface LastRequest {
  readonly method: string;
  readonly url: string;
  readonly token: string;
}

const ANSWERED_MAX_MS = 10_000;

/** In a process of its own, since one that ends waits for nothing. */
const PROGRAM = `
const { METHOD, URL, TOKEN } = process.env;
const headers = { authorization: 'Bearer ' + TOKEN };
const { status } = await fetch(URL, { method: METHOD, headers });
if (status >= 400 && status !== 404) process.exit(1);
`;

/**
 * Sends the request when this process ends, also by SIGINT, SIGTERM or an error.
 *
 * @returns Forgets it.
 */
export const atExit = ({ method, url, token }: LastRequest): (() => void) => {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const send = () => {
    forget();
    // Certificates and proxies too are settings of the environment.
    const env = { ...process.env, METHOD: method, URL: url, TOKEN: token };
    const words = ['--input-type=module', '-e', PROGRAM];
    const { status } = spawnSync(process.execPath, words, { env, timeout: ANSWERED_MAX_MS });
    if (status !== 0) process.stderr.write(`atrium-sdk: ${method} ${url} failed: left over\n`);
  };
  const ended = (signal: NodeJS.Signals) => {
    send();
    // As if there had been no handler; a runner's own ends the process in its way.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const forget = () => {
    process.off('exit', send);
    for (const signal of signals) process.off(signal, ended);
  };
  process.on('exit', send);
  // Before those of the runner, which may end the process at once.
  for (const signal of signals) process.prependListener(signal, ended);
  return forget;
};
