/** A whole platform in the test's own process: a database, the log in it, all roles running. */
import { rm } from 'node:fs/promises';
import { pino } from 'pino';
import {
  composePlatform,
  release as released,
  type Platform,
  type PlatformParts,
} from '../../../src/compose.ts';
import { importThreads } from '../../../src/building/imports/import-threads.ts';
import { platformLog } from '../../../src/engine/consumers/platform-log.ts';
import { useCategories } from '../../../src/domain/keys/journals.ts';
import { directoryStores } from '../../../src/files/directory-store.ts';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import { oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { browserSessions, type BrowserSessions } from '../../../src/identity/sessions/sessions.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { withTimeout } from '../../../src/engine/concurrency/timeout.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { temporaryDirectory } from '../directory.ts';
import { filledDatabase, freshDatabase } from '../postgres/database.ts';
import { until } from '../until.ts';
import { callerOf, type Caller } from './caller.ts';
import { issuerOfRun, type TokenSource } from './tokens.ts';

const SHOWN_MAX_MS = 10_000;
const ANSWERED_MAX_MS = 60_000;
const CLOSED_MAX_MS = 150_000;
const IMPORT_THREAD_IDLE_MAX_MS = 60_000;
/** Long enough that an advance is answered 200 on a slow machine too. */
export const ADVANCED_MAX_MS = 240_000;

/** Of all platforms of this worker, because a thread loads for longer than most imports take. */
export const sharedImportThreads = importThreads({ idleMaxMs: IMPORT_THREAD_IDLE_MAX_MS });

export interface TestPlatform extends Platform {
  readonly databaseUrl: string;
  /** The browser sessions. */
  readonly sessions: BrowserSessions;
  /** The underlying log, without the platform's wrappers. */
  readonly log: EventStore;
  /** The URL at which it listens. */
  readonly address: string;
  /** Calls as this demo user; `null`: without a credential. */
  as(email: string | null): Caller;
  /** Calls with this token, valid or not. */
  with(token: string): Caller;
  /** Idempotent. */
  close(): Promise<void>;
}

export interface TestPlatformOptions extends Partial<Omit<PlatformParts, 'log'>> {
  /** Default: the one in the database. */
  readonly log?: EventStore;
  /** Default: the development issuer of this run. */
  readonly issuer?: TokenSource;
  /** The database of another platform of the test. Default: a new one. */
  readonly databaseUrl?: string;
  /** An older release may run: events are written so that it can read them. Default: none does. */
  readonly besideOlder?: boolean;
  /** Where it listens on loopback. Default: any free port. */
  readonly port?: number;
  /** Of browser sessions, in epoch milliseconds. Default: real time. */
  readonly sessionNow?: () => number;
}

/** Of a platform that has run: its read models and processes have started. */
const startedDatabase = () =>
  filledDatabase('started_platform', async (databaseUrl) => {
    const platform = await testPlatform({ databaseUrl });
    await platform.close();
  });

export const testPlatform = async ({
  issuer = issuerOfRun(),
  databaseUrl,
  log: given,
  port = 0,
  sessionNow,
  besideOlder = false,
  ...over
}: TestPlatformOptions = {}): Promise<TestPlatform> => {
  const { isAlone = false, release = released } = over;
  const isUsual = !given && !over.roles && release === released;
  const isStarted = databaseUrl === undefined && isUsual;
  const create = isStarted ? startedDatabase : freshDatabase;
  const fresh = databaseUrl === undefined ? await create() : null;
  const url = databaseUrl ?? fresh!.url;
  const warnings: string[] = [];
  const logger = process.env['LOG_LEVEL']
    ? pino({ level: process.env['LOG_LEVEL'] })
    : pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const log = given ?? postgresEventStore({ url, logger });
  const db = openDatabase({ url, logger, connectionsMax: 5 });
  // Processes that need a host do not run, and lag behind by the age of the log.
  if (isStarted) await db.pool.query('update es.event set created = clock_timestamp()');
  const clock = over.clock ?? systemClock;
  const secrets = secretsOf([Buffer.alloc(32, 7)]);
  const opened = platformLog({
    log,
    pool: db.pool,
    logger,
    isJournal: release.terms.isJournal,
    isAlone,
    tracing: over.tracing,
    untracedCategories: useCategories,
    personal: { secrets, types: release.eventTypes },
    ...(besideOlder ? { eventTypes: release.eventTypes } : {}),
  });
  const uses = keyUseLog({ ...opened, clock });
  const keys = keyAuthority({ log: opened.log, uses, clock, logger });
  const identity = oidcIdentity({
    issuer: issuer.url,
    audience: 'atrium',
    environment: 'development',
  });
  const sessions = browserSessions({
    db,
    identity,
    secrets,
    logger,
    ...(sessionNow ? { now: sessionNow } : {}),
  });
  const directory = temporaryDirectory('files');
  const files = directoryStores(directory);
  const platform = await composePlatform({
    log: opened,
    db,
    clock,
    identity,
    keyAuthority: keys,
    secrets,
    browserSessions: sessions,
    logger,
    metrics: metricsOf({ process: false }),
    urls: {
      publicUrl: 'http://atrium.test',
      corsOrigins: ['http://portal.test'],
      sandboxHost: 'sandbox.test',
    },
    spacesPageMax: 1000,
    importThreads: sharedImportThreads,
    files: files.of('main'),
    erasureFiles: files.of('erasures'),
    // Other tests on the machine must not count as load of this platform.
    eventLoopDelayMaxMs: 0,
    // A busy machine must not cause stale lists or late answers.
    waits: { commandMs: SHOWN_MAX_MS, readMs: SHOWN_MAX_MS },
    answerMaxMs: ANSWERED_MAX_MS,
    clockAnswerMaxMs: ADVANCED_MAX_MS,
    ...over,
  });
  platform.start();
  keys.start();
  // A list is answered 503 until its table exists.
  if (over.roles?.has('projections') ?? true)
    await until(async () => (await platform.readModels.ready()) === true, 'all read models');

  const address = await platform.app.listen({ host: '127.0.0.1', port });
  const close = async () => {
    const steps = {
      platform: () => platform.stop(),
      keys: () => keys.stop().then(() => uses.close()),
      log: () => log.close(),
      database: () => db.close(),
      files: () => rm(directory, { recursive: true, force: true }),
      'fresh database': async () => fresh?.drop(),
    };
    for (const [step, end] of Object.entries(steps))
      await withTimeout(end(), CLOSED_MAX_MS, () => {
        const { totalCount, idleCount, waitingCount } = db.pool;
        const pool = `connections ${totalCount}, idle ${idleCount}, waiting ${waitingCount}`;
        // The parts that have not ended, and the last log lines.
        const unended = warnings.filter((line) => line.includes('the stop takes long'));
        const said = [...unended, ...warnings.slice(-20)].join('');
        throw new Error(`closing hangs: ${step}; ${pool}\n${said}`);
      });
  };
  let closed: Promise<void> | undefined;
  return {
    ...platform,
    sessions,
    databaseUrl: url,
    log,
    address,
    as: (email) =>
      callerOf(
        () => address,
        async () => (email === null ? null : issuer.tokenOf(email)),
      ),
    with: (token) =>
      callerOf(
        () => address,
        async () => token,
      ),
    close: () => (closed ??= close()),
  };
};
