/** The schedule, the pause and the probe under the injected clock, through restarts. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { clockOffsetMs } from '../../../src/engine/control/time-travel.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { until } from '../../support/until.ts';
import { inbox, type Inbox } from '../../support/webhooks/inbox.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const WEBHOOKS = '/api/v1/webhooks';
const MINUTE_MS = 60_000;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let platform: TestPlatform;
let clock: ReturnType<typeof virtualClock>;

const start = async (offsetMs = 0) => {
  clock = virtualClock(undefined, offsetMs);
  const reaching = untrustedHttp({ allowPrivate: true });
  const parts = { clock, timeTravel: true, untrustedHttp: reaching, databaseUrl: database.url };
  platform = await testPlatform(parts);
};
/** As after a crash: without the state in memory. */
const restart = async () => {
  await platform.close();
  await start();
  clock.moveTo(await clockOffsetMs(platform.log));
};
beforeEach(async () => {
  database = await freshDatabase();
  await start();
});
afterEach(async () => {
  await platform.close();
  await database.drop();
});

const manager = () => platform.as('manager@acme.test');
const advance = async (by: string) => {
  const answer = await platform.as('operator@atrium.test').post('/api/v1/clock', { advance: by });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};
/** Publishes point updates at the platform's time. */
const publish = () => tellPoints(platform.log, { at: clock.now() });

const subscribed = async (to: Inbox) => {
  const wanted = { url: to.url, events: ['building.point.updated'] };
  const { status, body } = await manager().post(WEBHOOKS, wanted);
  expect(status).toBe(201);
  return `${WEBHOOKS}/${body.webhookId}`;
};
const record = async (at: string) => (await manager().get(at)).body;
const attempts = async (at: string) => (await manager().get(`${at}/deliveries`)).body.items;
const counted = (at: string, failures: number) =>
  until(async () => (await record(at)).consecutiveFailures === failures, `${failures} failures`);

const failing = async () => {
  const mine = await inbox();
  mine.answer = (response) => response.writeHead(503).end();
  return mine;
};

it('six attempts, 1, 5, 15, 60 and 180 minutes apart, then it is given up', async () => {
  const mine = await failing();
  const at = await subscribed(mine);
  await publish();
  await until(() => mine.received.length === 1, 'the first attempt');
  await counted(at, 1);
  const tookMs: number[] = [];
  for (const attempt of [2, 3, 4, 5, 6]) {
    await restart();
    await expect.poll(async () => (await attempts(at)).length).toBe(attempt - 1);
    const began = performance.now();
    const [{ nextAttemptAt }] = await attempts(at);
    const seconds = Math.floor((Date.parse(nextAttemptAt) - Date.parse(clock.now())) / 1_000);
    // So long before it that a machine at work does not come to it by itself.
    await advance(`PT${seconds - 20}S`);
    expect(mine.received).toHaveLength(attempt - 1);
    await restart();
    await advance('PT21S');
    expect(mine.received).toHaveLength(attempt);
    tookMs.push(performance.now() - began);
  }
  await expect.poll(async () => (await attempts(at)).length).toBe(6);
  const made = (await attempts(at)).toReversed();
  expect(made.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  for (const [index, minutes] of [1, 5, 15, 60, 180].entries()) {
    const [before, after] = [made[index], made[index + 1]];
    const ended = Date.parse(before.attemptedAt) + before.durationMs;
    const due = Date.parse(before.nextAttemptAt);
    expect(due - ended).toBeGreaterThan(minutes * MINUTE_MS * 0.9 - 1_000);
    expect(due - ended).toBeLessThan(minutes * MINUTE_MS * 1.1 + 1_000);
    const lateMs = Date.parse(after.attemptedAt) - due;
    expect(lateMs).toBeGreaterThanOrEqual(0);
    // The clock was moved beyond the due time, and runs on meanwhile.
    expect(lateMs).toBeLessThan(2_000 + tookMs[index]!);
  }
  expect(made.at(-1)).toMatchObject({ nextAttemptAt: null, deadLettered: true });
  expect(new Set(mine.received.map(({ key, raw }) => `${key} ${raw}`)).size).toBe(1);
  await advance('P2D');
  expect(mine.received).toHaveLength(6);
  expect(await record(at)).toMatchObject({ status: 'active', consecutiveFailures: 6 });
});

describe('ten failures in a row', () => {
  /** A subscription whose receiver failed ten times. */
  const paused = async () => {
    const mine = await failing();
    const at = await subscribed(mine);
    for (let count = 1; count <= 10; count += 1) {
      await publish();
      await counted(at, count);
      expect((await record(at)).status).toBe(count < 10 ? 'active' : 'paused');
    }
    return { mine, at };
  };

  it('pause it; events are left out, and one is let through after a quiet hour', async () => {
    const { mine, at } = await paused();
    const { body, headers } = await manager().get(at);
    const pausedAt = Date.parse(body.pausedAt);
    const cached = { 'if-none-match': headers['etag']! };
    await publish();
    const skipped = async () => (await manager().get(`${at}/deliveries`)).body.skippedEvents;
    await until(async () => (await skipped()) === 1, 'an event left out');
    expect((await manager().get(at, cached)).body).toMatchObject({ skippedEvents: 1 });
    const { items } = (await manager().get(WEBHOOKS)).body;
    expect(items).toMatchObject([{ status: 'paused', skippedEvents: 1 }]);
    await restart();

    // The attempts that were queued before go on; none of them succeeds.
    await advance('PT8H');
    const before = mine.received.length;
    expect(before).toBe(60);
    expect((await record(at)).status).toBe('paused');
    expect(Date.parse((await record(at)).pausedAt)).toBe(pausedAt);
    await restart();

    mine.answer = (response) => response.end();
    await publish();
    await until(async () => (await record(at)).status === 'active', 'the end of the pause');
    expect(await record(at)).toMatchObject({ consecutiveFailures: 0, pausedAt: null });
    expect(mine.received).toHaveLength(before + 1);
    await publish();
    await until(() => mine.received.length === before + 2, 'the next event');
  });

  it('let a failed probe begin another hour', async () => {
    const { mine, at } = await paused();
    await advance('PT8H');
    const before = mine.received.length;
    await publish();
    await until(() => mine.received.length === before + 1, 'the probe');
    await counted(at, 61);
    await publish();
    await restart();
    await publish();
    // Its next attempts come by their schedule; no event is let through beside it.
    await advance('PT1M6S');
    const keys = new Set(mine.received.map(({ key }) => key));
    expect(keys.size).toBe(11);
    expect((await record(at)).status).toBe('paused');
  });

  it('end with reset-failures, and skipped events are delivered on request', async () => {
    const { mine, at } = await paused();
    const since = (await record(at)).pausedAt;
    const before = mine.once().size;
    for (let count = 0; count < 3; count += 1) await publish();
    const skipped = async () => (await manager().get(`${at}/deliveries`)).body.skippedEvents;
    await until(async () => (await skipped()) === 3, 'three events left out');
    await restart();
    mine.answer = (response) => response.end();
    const reset = await manager().post(`${at}/reset-failures`);
    expect(reset.body).toMatchObject({ status: 'active', consecutiveFailures: 0 });
    expect(reset.body.skippedEvents).toBe(3);
    await publish();
    await until(() => mine.once().size === before + 1, 'a new event');
    const answer = await manager().post(`${at}/recover`, { since });
    expect(answer.status).toBe(202);
    await until(() => mine.once().size === before + 4, 'the skipped events');
    await manager().post(`${at}/recover`, { since });
    await publish();
    await until(() => mine.once().size === before + 5, 'another new event');
  });

  it.each([
    ['the same day', 'PT1S'],
    ['another day', 'P1D'],
  ])('are recovered again on %s, under the same keys', async (_day, later) => {
    const { mine, at } = await paused();
    const since = (await record(at)).pausedAt;
    await publish();
    const skipped = async () => (await manager().get(`${at}/deliveries`)).body.skippedEvents;
    await until(async () => (await skipped()) === 1, 'an event left out');
    mine.answer = (response) => response.end();
    await manager().post(`${at}/reset-failures`);
    await advance('PT8H');
    const recovered = async () => {
      const before = mine.received.length;
      expect((await manager().post(`${at}/recover`, { since })).status).toBe(202);
      await until(() => mine.received.length === before + 1, 'the skipped event');
      return mine.received.at(-1)!.key;
    };
    const key = await recovered();
    await advance(later);
    expect(await recovered()).toBe(key);
    const before = mine.received.length;
    await manager().post(`${at}/test`);
    await until(() => mine.received.length === before + 1, 'a test after the recoveries');
  });
});

it('waiting deliveries are restored from the log when the tables are lost', async () => {
  const mine = await failing();
  const at = await subscribed(mine);
  await publish();
  await counted(at, 1);
  await platform.close();
  const db = new Client({ connectionString: database.url });
  await db.connect();
  const { rows } = await db.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like 'webhook_%'`,
  );
  expect(rows).toHaveLength(5);
  for (const { name } of rows) await db.query(`drop schema ${name} cascade`);
  await db.end();
  await start();
  clock.moveTo(await clockOffsetMs(platform.log));
  mine.answer = (response) => response.end();
  await advance('PT70S');
  await until(() => mine.received.length === 2, 'the second attempt');
  expect(mine.received.map(({ attempt }) => attempt)).toEqual([1, 2]);
  await expect.poll(async () => (await attempts(at)).length).toBe(2);
});

it('an old secret signs for 24 hours and no longer', async () => {
  const mine = await inbox();
  const at = await subscribed(mine);
  await manager().post(`${at}/rotate-secret`);
  await publish();
  await until(() => mine.received.length === 1, 'a delivery');
  expect(mine.received[0]!.headers).toHaveProperty('x-svc-signature-previous');
  await advance('PT24H');
  await publish();
  await until(() => mine.received.length === 2, 'another');
  expect(mine.received[1]!.headers).not.toHaveProperty('x-svc-signature-previous');
});
