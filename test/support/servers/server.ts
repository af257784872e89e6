/** A server as an operator runs it: a child process with an environment, killed or stopped. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { programEnvironment } from './environment.ts';
import { freePort } from './port.ts';
import { letPass } from '../until.ts';

const ENTRY = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const START_MAX_MS = 150_000;
/** Data that is stale for longer is stale because of the test. */
const STALE_MAX_MS = 30_000;

export interface ServerProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Its output so far. */
  readonly output: () => string;
  tokenOf(email: string): Promise<string>;
  /**
   * Calls as this demo user; a broken connection is an error of `fetch`. A GET includes the latest
   * command given through it, however slow the machine is, unless the read models do not catch up
   * within {@link STALE_MAX_MS}.
   */
  call(email: string, method: string, path: string, ask?: Ask): Promise<Reply>;
  /** Resolves when it is ready. */
  ready(): Promise<void>;
  /** Sends the signal and waits for the end. SIGSTOP and SIGCONT do not wait. */
  signal(name: NodeJS.Signals): Promise<void>;
}

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** A GET is answered at once, whatever was given before. Default: `false`. */
  readonly mayBeStale?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly body: any;
}

/**
 * Its environment and nothing of the test's, but for the way to the programs.
 *
 * @param entry Default: of this release.
 */
export const spawnServer = async (
  env: Record<string, string>,
  entry: string = ENTRY,
): Promise<ServerProcess> => {
  const port = env['PORT'] ?? String(await freePort());
  const child = spawn(process.execPath, [entry], {
    env: { ...programEnvironment(), LOG_LEVEL: 'warn', ...env, PORT: port },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = env['PUBLIC_URL'] ?? `http://localhost:${port}`;
  const tokens = new Map<string, string>();
  /** Of the latest command. */
  let position: string | null = null;

  const server: ServerProcess = {
    url,
    process: child,
    output: () => output,

    async tokenOf(email) {
      const known = tokens.get(email);
      if (known) return known;
      const answer = await fetch(`${url}/dev/oidc/dev-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      const { access_token: token } = (await answer.json()) as { access_token: string };
      tokens.set(email, token);
      return token;
    },

    async call(email, method, path, { body, headers = {}, mayBeStale = false } = {}) {
      const isRead = method === 'GET';
      const init = {
        method,
        headers: {
          authorization: `Bearer ${await server.tokenOf(email)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(isRead && position !== null && !mayBeStale ? { 'x-atrium-position': position } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      let answer = await fetch(`${url}${path}`, init);
      const giveUpAt = performance.now() + (mayBeStale ? 0 : STALE_MAX_MS);
      while (answer.headers.has('x-atrium-stale') && performance.now() < giveUpAt) {
        await answer.body?.cancel();
        answer = await fetch(`${url}${path}`, init);
      }
      if (!isRead) position = answer.headers.get('x-atrium-position') ?? position;
      const text = await answer.text();
      const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
      return {
        status: answer.status,
        headers: answer.headers,
        body: isJson ? JSON.parse(text) : text,
      };
    },

    async ready() {
      const deadline = performance.now() + START_MAX_MS;
      for (;;) {
        if (child.exitCode !== null) throw new Error(`the server ended:\n${output}`);
        if (performance.now() > deadline) throw new Error(`the server is not ready:\n${output}`);
        const answer = await fetch(`${url}/health/ready`).catch(() => null);
        if (answer?.ok) return;
        await letPass(50, 'the pause between two looks');
      }
    },

    async signal(name) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(name);
      if (name !== 'SIGSTOP' && name !== 'SIGCONT') await ended;
    },
  };
  return server;
};
