import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readiness } from '../../src/composition/readiness.ts';
import { feedReadiness } from '../../src/capabilities/tickets.ts';
import { secretsReadiness } from '../../src/capabilities/webhooks.ts';
import { restoreGuard } from '../../src/engine/consumers/restore-guard.ts';
import { openDatabase, type Database } from '../../src/engine/postgres/pool.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { LAG_MAX_S } from '../../src/limits.ts';
import { readinessError } from '../../src/engine/observe/readiness-error.ts';
import type { ProcessControl } from '../../src/engine/control/process-control.ts';
import type { ReadModels } from '../../src/engine/projections/read-models.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { logWith } from '../../src/engine/log/log-with.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { typesOf } from '../support/log/events.ts';

const logger = loggerOf('silent');
const never = new AbortController().signal;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
let log: EventStore;

beforeEach(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger });
  log = memoryEventStore();
});
afterEach(async () => {
  await log.close();
  await db.close();
  await database.drop();
});

const readinessOf = (over: Partial<Parameters<typeof readiness>[0]> = {}) =>
  readiness({
    log,
    watch: restoreGuard({ log: over.log ?? log, pool: db.pool, logger, isJournal: () => false }),
    clock: systemClock,
    logger,
    identity: {
      ready: () => Promise.resolve(true),
      reachable: () => true,
    },
    models: { ready: () => Promise.resolve(true), status: () => Promise.resolve([]) },
    control: { status: () => Promise.resolve([]) },
    appends: { ready: () => true },
    personKeys: { ready: () => true },
    nats: null,
    degradable: [],
    processNames: ['helping', 'mending'],
    stopping: never,
    ...over,
  });

const readModel = (name: string, lagSeconds: number) =>
  ({ name, lagSeconds }) as Awaited<ReturnType<ReadModels['status']>>[number];
const running = (name: string, lagSeconds: number) =>
  ({ name, lagSeconds }) as Awaited<ReturnType<ProcessControl['status']>>[number];

describe('a platform', () => {
  it('is ready once its processes are registered, each once, however many begin', async () => {
    const all = Array.from({ length: 5 }, () => readinessOf());
    expect(await all[0]!.reasons()).not.toEqual([]);
    await Promise.all(all.map((one) => one.prepare(never)));
    for (const one of all) expect(await one.reasons()).toEqual([]);
    for (const name of ['helping', 'mending'])
      expect(typesOf(await log.readStream(`process-${name}`))).toEqual(['ProcessRegistered']);
  });

  it('registers them before it does anything else where it is asked to, once', async () => {
    const one = readinessOf();
    await one.register();
    for (const name of ['helping', 'mending'])
      expect(typesOf(await log.readStream(`process-${name}`))).toEqual(['ProcessRegistered']);
    await one.register();
    await one.prepare(never);
    const { events } = await log.readAll(null, { limit: 100, categories: ['process'] });
    expect(events).toHaveLength(2);
  });

  it('keeps waiting for an unavailable log', async () => {
    let asked = 0;
    const readStream: EventStore['readStream'] = async (...of) => {
      if ((asked += 1) < 3) throw new LogUnavailable('away');
      return log.readStream(...of);
    };
    const one = readinessOf({ log: logWith(log, { readStream }) });
    await one.prepare(never);
    expect(await one.reasons()).toEqual([]);
  });

  it('gives up when it is stopped, and is not ready', async () => {
    const readStream = () => Promise.reject(new LogUnavailable('away'));
    const ending = new AbortController();
    const one = readinessOf({ log: logWith(log, { readStream }) });
    const preparing = one.prepare(ending.signal);
    ending.abort();
    await preparing;
    expect(await one.reasons()).not.toEqual([]);
  });

  it('names every reason against readiness', async () => {
    let isAway = false;
    const head: EventStore['head'] = () =>
      isAway ? Promise.reject(new LogUnavailable('the log is away')) : log.head();
    const one = readinessOf({
      log: logWith(log, { head }),
      models: {
        ready: () => Promise.resolve(readinessError('ticket-list is being built')),
        status: () => Promise.resolve([]),
      },
      appends: { ready: () => readinessError('appends are not answered') },
      personKeys: { ready: () => readinessError('a key is missing') },
    });
    await one.prepare(never);
    isAway = true;
    expect(await one.reasons()).toEqual([
      'ticket-list is being built',
      'the event log cannot be reached: the log is away',
      'appends are not answered',
      'a key is missing',
    ]);
  });

  it('serves without optional parts, and names each', async () => {
    const one = readinessOf({
      nats: { ready: () => readinessError('NATS cannot be used') },
      identity: { ready: async () => true, reachable: () => readinessError('the issuer is away') },
      models: {
        ready: async () => true,
        status: async () => [readModel('ticket-list', LAG_MAX_S + 1), readModel('sla', LAG_MAX_S)],
      },
      control: { status: async () => [running('webhooks', 90.4), running('quiet', 0)] },
      degradable: [
        { part: 'change-feed', reason: async () => feedReadiness(1) },
        { part: 'secrets', reason: async () => secretsReadiness(['k1', 'k2']) },
      ],
    });
    await one.prepare(never);
    expect(await one.reasons()).toEqual([]);
    const found = await one.degradations();
    expect(found.map(({ part, reason }) => `${part}: ${reason}`)).toEqual([
      'nats: NATS cannot be used',
      'issuer: the issuer is away',
      `read-models: read models are behind: ticket-list by ${LAG_MAX_S + 1} s`,
      'processes: processes and timers are behind: webhooks by 90 s',
      'change-feed: 1 unreadable tickets block the change feed: atrium feed blocked',
      'secrets: webhook secrets cannot be opened: no key of ATRIUM_SECRETS_KEY is k1, k2',
    ]);
    expect(new Set(found.map(({ part }) => part))).toEqual(new Set(one.parts));
  });

  it('asks log and database once at a time, however often it is asked', async () => {
    const asked = { head: 0, status: 0 };
    const head: EventStore['head'] = () => {
      asked.head += 1;
      return new Promise(() => {});
    };
    const one = readinessOf({
      log: logWith(log, { head }),
      control: {
        status() {
          asked.status += 1;
          return new Promise(() => {});
        },
      },
    });
    await one.prepare(never);
    const looks = Array.from({ length: 50 }, () => [one.reasons(), one.degradations()]).flat();
    await Promise.all(looks);
    await Promise.all([one.reasons(), one.degradations()]);
    expect(asked).toEqual({ head: 1, status: 1 });
  });

  it('has no degradations when all is well', async () => {
    expect(await readinessOf().degradations()).toEqual([]);
  });

  it('reports the remaining checks when the database is unavailable', async () => {
    const gone = () => Promise.reject(new Error('the database is away'));
    const one = readinessOf({
      nats: { ready: () => readinessError('NATS cannot be used') },
      degradable: [{ part: 'change-feed', reason: gone }],
      models: { ready: async () => true, status: gone },
      control: { status: gone },
    });
    expect((await one.degradations()).map(({ part }) => part)).toEqual(['nats']);
  });

  it('gets no traffic from the moment it is stopped', async () => {
    const stopping = new AbortController();
    const one = readinessOf({ stopping: stopping.signal });
    await one.prepare(never);
    stopping.abort();
    expect(await one.reasons()).toEqual(['stopping']);
  });
});
