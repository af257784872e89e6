/** A platform that hosts sandboxes: as `npm start` does, in the test's own process. */
import { rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { pino } from 'pino';
import { httpBounds } from '../../../src/api/http/http-bounds.ts';
import { processPermits } from '../../../src/composition/process-permits.ts';
import type { SizeBounds } from '../../../src/domain/sandboxes/size.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import {
  hostSandboxes,
  type SandboxHost,
  type SandboxHostParts,
} from '../../../src/hosting/host.ts';
import { plantedFaultsReader } from '../../../src/hosting/planted-faults.ts';
import { databaseNames } from '../../../src/hosting/names.ts';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { untrustedHttp as openUntrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { installationId } from '../../../src/engine/log/installation.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { temporaryDirectory } from '../directory.ts';
import { freshDatabase, runOnce } from '../postgres/database.ts';
import { until } from '../until.ts';
import { bodyOf, type Caller, type TestAnswer } from './caller.ts';
import { describedBySandbox } from './described.ts';
import {
  ADVANCED_MAX_MS,
  sharedImportThreads,
  testPlatform,
  type TestPlatform,
} from './platform.ts';
import { currentVersions } from '../log/keys.ts';
import type { TokenSource } from './tokens.ts';

export interface HostCaller extends Caller {
  send(method: string, path: string, headers: Record<string, string>): Promise<TestAnswer>;
}

export interface HostingPlatform extends TestPlatform {
  /** Calls the sandbox address of this slug, with this token. */
  at(slug: string, token: string | null): HostCaller;
  /** A further host on the same database server, as in a process that has just started. */
  hostBeside(): Promise<Pick<SandboxHost, 'stop'>>;
  /** The prefix of the names of this installation's databases. */
  prefix(): Promise<string>;
  /** The database names of the sandboxes with stored files. */
  filesOf(): Promise<readonly string[]>;
  /** The databases of sandboxes. */
  databases(): Promise<readonly string[]>;
}

export interface HostingOptions {
  readonly issuer: TokenSource;
  /** Its port, with sandboxes below `sandbox.localhost`, which clients reach by name. */
  readonly port?: number;
  /** Whether webhooks to this machine are allowed. Default: false. */
  readonly allowPrivate?: boolean;
  readonly clock?: SandboxHostParts['clock'];
  readonly idleMaxMs?: number;
  readonly lookMs?: number;
  readonly startMaxMs?: number;
  /** Default {@link ADVANCED_MAX_MS}. */
  readonly clockAnswerMaxMs?: number;
  /** Default false. */
  readonly servesMcp?: boolean;
  readonly loopClocks?: NonNullable<SandboxHostParts['loopClocks']>;
  readonly logger?: SandboxHostParts['logger'];
  /** Default: new ones. */
  readonly permits?: SandboxHostParts['permits'];
  /** Default: new ones. */
  readonly httpBounds?: SandboxHostParts['httpBounds'];
  /** The argument of {@link SandboxHost.start}. */
  readonly mayCreateTemplate?: Promise<unknown>;
  /** The database server for sandboxes. Default: the platform's own. */
  readonly sandboxDatabaseUrl?: string;
  /** Default: those of src/domain/sandboxes/limits.ts. */
  readonly sandboxSizes?: SizeBounds;
}

const SANDBOX_HOST = 'sandbox.test';

export const hostingPlatform = async (options: HostingOptions): Promise<HostingPlatform> => {
  const { issuer, clock = systemClock, port, allowPrivate = false, ...over } = options;
  const sandboxHost = port === undefined ? SANDBOX_HOST : `sandbox.localhost:${port}`;
  const database = await freshDatabase();
  const { url } = database;
  const logger = options.logger ?? pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const log = postgresEventStore({ url, logger });
  const db = openDatabase({ url, logger, connectionsMax: 5 });
  const keys = keyAuthority({
    log,
    uses: keyUseLog({ log, clock, versions: currentVersions }),
    clock,
    logger,
  });
  const untrustedHttp = openUntrustedHttp({ allowPrivate });
  const shared = {
    log,
    db,
    clock,
    logger,
    identity: oidcIdentity({ issuer: issuer.url, audience: 'atrium', environment: 'development' }),
    keyAuthority: keys,
    secrets: secretsOf([Buffer.alloc(32, 7)]),
    spacesPageMax: 1_000,
    telemetryRetentionDays: null,
    permits: options.permits ?? processPermits(),
    importThreads: sharedImportThreads,
    httpBounds: options.httpBounds ?? httpBounds(),
    trustedProxies: [],
    untrustedHttp,
    urls: { publicUrl: 'http://atrium.test', corsOrigins: [], sandboxHost },
  };
  const directory = temporaryDirectory('sandbox-files');
  const fileStores = directoryStores(directory);
  const hosting = hostSandboxes({
    ...shared,
    fileStores,
    clockAnswerMaxMs: ADVANCED_MAX_MS,
    ...over,
    logger,
    databaseUrl: options.sandboxDatabaseUrl ?? url,
  });
  const platform = await testPlatform({
    ...shared,
    issuer,
    databaseUrl: url,
    ...(port === undefined ? {} : { port }),
    sandboxBuilder: hosting.builder,
    sandboxSizes: options.sandboxSizes,
    plantedFaults: plantedFaultsReader({
      log,
      databaseUrl: options.sandboxDatabaseUrl ?? url,
    }),
    takeRequest: hosting.takeRequest,
    takeUpgrade: hosting.takeUpgrade,
    timeTravel: true,
    portal: { issuer: issuer.url },
    livePage: true,
    servesMcp: options.servesMcp ?? false,
    mount: async (app) => {
      app.addHook('preClose', () => hosting.stop());
    },
  });
  hosting.start(options.mayCreateTemplate);
  const name = new URL(url).pathname.slice(1);
  const prefix = async () => databaseNames(name, await installationId(log)).prefix;
  const databases = async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1) order by 1',
      [`${await prefix()}_sbx_`],
    );
    return rows.map((row) => row.name);
  };
  return {
    ...platform,
    prefix,
    databases,
    filesOf: () => fileStores.names(),
    async hostBeside() {
      const beside = hostSandboxes({ ...shared, fileStores, logger, databaseUrl: url });
      beside.start(options.mayCreateTemplate);
      return beside;
    },
    at: (slug, token) => callerAt(platform.address, `${slug}.${sandboxHost}`, token),
    async close() {
      const begins = `${await prefix()}_`;
      await platform.close();
      await rm(directory, { recursive: true, force: true });
      const remains = await db.pool.query<{ name: string }>(
        'select datname as name from pg_database where starts_with(datname, $1)',
        [begins],
      );
      for (const { name: remaining } of remains.rows) {
        await runOnce(url, `alter database ${remaining} is_template false`);
        await runOnce(url, `drop database ${remaining} with (force)`);
      }
      await untrustedHttp.close();
      await keys.stop();
      await log.close();
      await db.close();
      await database.drop();
    },
  };
};

/** Unlike `fetch`, sends the given Host. */
const callerAt = (address: string, host: string, token: string | null): HostCaller => {
  const answerOf = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<TestAnswer> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        `${address}${path}`,
        {
          method,
          headers: {
            host,
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          response.on('end', () => {
            const isJson = /\bjson\b/.test(response.headers['content-type'] ?? '');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers as Record<string, string>,
              body: isJson ? JSON.parse(text) : text,
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body === undefined ? undefined : bodyOf(body));
    });
  const send: typeof answerOf = async (method, path, headers, body) => {
    const answer = await answerOf(method, path, headers, body);
    describedBySandbox(method, path, answer);
    return answer;
  };
  return {
    send,
    get: (path, headers = {}) => send('GET', path, headers),
    post: (path, body, headers = {}) => send('POST', path, headers, body),
    put: (path, body, headers = {}) => send('PUT', path, headers, body),
    patch: (path, body, headers = {}) => send('PATCH', path, headers, body),
    delete: (path, headers = {}) => send('DELETE', path, headers),
  };
};

/** The sandbox record once its status has left `provisioning`. */
export const provisioned = async (by: Caller, path: string): Promise<TestAnswer['body']> => {
  let { body } = await by.get(path);
  await until(
    async () => {
      ({ body } = await by.get(path));
      return body.status !== 'provisioning';
    },
    'the provisioning',
    { everyMs: 50 },
  );
  return body;
};
