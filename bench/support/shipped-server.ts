/** The server of `npm start`, and the requests of its callers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/servers/port.ts';

/** In autocannon's format. */
export interface BenchRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type Load = 'hello' | 'key' | 'read' | 'list' | 'filtered' | 'create';

export interface BenchServer {
  readonly pid: number;
  readonly url: string;
  /** Requests of each kind, to be sent in turn. */
  readonly requests: Readonly<Record<Load, readonly BenchRequest[]>>;
  stop(): Promise<void>;
}

export interface ShippedServer extends BenchServer {
  /** Time from its start until it reported to be ready, to a tenth of a second. */
  readonly readyMs: number;
  /** @param signal Default: SIGTERM for a profiled server, else SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export const DESK = '/api/service-desk/requests';

/** A list by building and state. */
export const filteredBy = (buildingId: string): string =>
  `${DESK}?buildingId=${buildingId}&state=new`;

/** Shared by all servers of a run, which may use the same database. */
const SECRETS_KEY = randomBytes(32).toString('base64');
const ENTRY = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export const get = (path: string, authorization?: string): BenchRequest => ({
  path,
  ...(authorization === undefined ? {} : { headers: { authorization: `Bearer ${authorization}` } }),
});

export const post = (path: string, body: object, authorization?: string): BenchRequest => ({
  ...get(path, authorization),
  method: 'POST',
  headers: {
    ...get(path, authorization).headers,
    'content-type': 'application/json',
  },
  body: JSON.stringify(body),
});

export const ended = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
};

/** The access token of a person of the development issuer. */
export const tokenOf = async (url: string, email: string): Promise<string> => {
  const signedIn = await fetch(`${url}/dev/oidc/dev-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  return token;
};

/**
 * Ready when it resolves, on a database with the tables of a log.
 *
 * @param tokens API keys.
 * @param profiles A directory for its CPU profile. Default: `null`, no profile.
 */
export const shippedServer = async (
  databaseUrl: string,
  tokens: readonly string[],
  profiles: string | null = null,
): Promise<ShippedServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-shipped-'));
  const port = await freePort();
  const out = openSync(join(directory, 'log'), 'a');
  const profiling = profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  const began = performance.now();
  const child = spawn(process.execPath, [...profiling, ENTRY], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      ATRIUM_DATA: directory,
      ATRIUM_SECRETS_KEY: SECRETS_KEY,
    },
    stdio: ['ignore', out, out],
  });
  const url = `http://localhost:${port}`;
  const isReady = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(readFileSync(join(directory, 'log'), 'utf8'));
    await sleep(100);
  }
  const readyMs = performance.now() - began;
  const session = await tokenOf(url, 'agent@acme.test');
  const first = async (path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${session}` } });
    return ((await answer.json()) as { items: readonly { id: string }[] }).items[0]!.id;
  };
  const ticket = { buildingId: await first('/api/v1/buildings'), description: 'It drips.' };
  return {
    pid: child.pid!,
    url,
    requests: {
      hello: [get('/unknown')],
      key: tokens.map((token) => get('/api/v1/me', token)),
      read: [get(`${DESK}/${await first(DESK)}`, session)],
      list: [get(DESK, session)],
      filtered: [get(filteredBy(ticket.buildingId), session)],
      create: [post(DESK, ticket, session)],
    },
    readyMs,
    async stop(signal = profiles === null ? 'SIGKILL' : 'SIGTERM') {
      await ended(child, signal);
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
