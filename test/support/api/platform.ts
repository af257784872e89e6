/**
 * A whole platform for a test: its own database with the log in it, a real development issuer on a
 * port of its own, all roles running; and callers who hold real tokens.
 */
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { composePlatform, type Platform, type PlatformParts } from '../../../src/compose.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { developmentIssuer } from '../../../src/identity/development/issuer.ts';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { systemClock } from '../../../src/ops/clock.ts';
import { metricsOf } from '../../../src/ops/metrics.ts';
import { secretsOf } from '../../../src/ops/secrets.ts';
import { postgresEventStore } from '../../../src/store/postgres/store.ts';
import { freshDatabase } from '../postgres/database.ts';
import { temporaryDirectory } from '../directory.ts';

export interface TestPlatform extends Platform {
  readonly databaseUrl: string;
  /** Where it listens. */
  readonly address: string;
  /** Calls as this demo user, or as nobody. */
  as(email: string | null): Caller;
  /** Calls with this token, whatever it is. */
  with(token: string): Caller;
  close(): Promise<void>;
}

export interface Caller {
  get(url: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(url: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  put(url: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(url: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  delete(url: string, headers?: Record<string, string>): Promise<TestAnswer>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects is the test's own
  readonly body: any;
}

/** The issuer that all platforms of a test file trust; real, on a free port of loopback. */
export interface TestIssuer {
  readonly url: string;
  tokenOf(email: string): Promise<string>;
  close(): Promise<void>;
}

export const testIssuer = async (): Promise<TestIssuer> => {
  const server: Server = createHttpServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dev/oidc`;
  const issuer = await developmentIssuer({
    url,
    dataDirectory: temporaryDirectory('issuer'),
    logger: pino({ level: 'silent' }),
  });
  server.on('request', issuer.handler);
  const tokens = new Map<string, string>();
  return {
    url,
    async tokenOf(email) {
      const known = tokens.get(email);
      if (known) return known;
      const response = await fetch(`${url}/dev-token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      });
      if (!response.ok) throw new Error(await response.text());
      const { access_token: token } = (await response.json()) as { access_token: string };
      tokens.set(email, token);
      return token;
    },
    close: () =>
      new Promise((done) => {
        issuer.close();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

export interface TestPlatformOptions extends Partial<PlatformParts> {
  readonly issuer: TestIssuer;
  /** A database that another platform of the test has made. Default: a fresh one. */
  readonly databaseUrl?: string;
}

export const testPlatform = async ({
  issuer,
  databaseUrl,
  ...over
}: TestPlatformOptions): Promise<TestPlatform> => {
  const fresh = databaseUrl === undefined ? await freshDatabase() : null;
  const url = databaseUrl ?? fresh!.url;
  const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const log = over.log ?? postgresEventStore({ url, logger });
  const db = openDatabase({ url, logger, connectionsMax: 5 });
  const clock = over.clock ?? systemClock;
  const keys = keyAuthority({ log, clock, logger });
  const platform = await composePlatform({
    log,
    db,
    clock,
    identity: oidcIdentity({ issuer: issuer.url, audience: 'atrium', environment: 'development' }),
    keyAuthority: keys,
    secrets: secretsOf([Buffer.alloc(32, 7)]),
    logger,
    metrics: metricsOf({ process: false }),
    urls: { publicUrl: 'http://atrium.test', corsOrigins: ['http://portal.test'] },
    spacesPageMax: 1000,
    ...over,
  });
  platform.start();
  keys.start();
  if (over.roles?.has('projections') ?? true) await built(platform);

  const address = await platform.app.listen({ host: '127.0.0.1', port: 0 });
  const calling = (tokenOf: () => Promise<string> | null): Caller => {
    const send = async (
      method: string,
      path: string,
      headers: Record<string, string>,
      body?: unknown,
    ): Promise<TestAnswer> => {
      const token = await tokenOf();
      const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { ...authorization, ...json, ...headers },
        ...(body === undefined ? {} : { body: bodyOf(body) }),
      });
      const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '');
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: isJson ? await answer.json() : await answer.text(),
      };
    };
    return {
      get: (path, headers = {}) => send('GET', path, headers),
      post: (path, body, headers = {}) => send('POST', path, headers, body),
      put: (path, body, headers = {}) => send('PUT', path, headers, body),
      patch: (path, body, headers = {}) => send('PATCH', path, headers, body),
      delete: (path, headers = {}) => send('DELETE', path, headers),
    };
  };

  return {
    ...platform,
    databaseUrl: url,
    address,
    as: (email) => calling(() => (email === null ? null : issuer.tokenOf(email))),
    with: (token) => calling(async () => token),
    async close() {
      await platform.stop();
      await keys.stop();
      await log.close();
      await db.close();
      await fresh?.drop();
    },
  };
};

/** A list is answered 503 until its table is there. */
const built = async ({ readModels }: Platform): Promise<void> => {
  while ((await readModels.ready()) !== true) await sleep(10);
};

/** Text and bytes are sent as they are: a test may want to send what is no JSON. */
const bodyOf = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
