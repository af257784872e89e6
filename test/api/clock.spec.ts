import { describe, expect, it, onTestFinished } from 'vitest';
import { demoBuilding } from '../../src/demo/building.ts';
import { systemClock, virtualClock, type VirtualClock } from '../../src/engine/time/clock.ts';
import { clockOffsetMs } from '../../src/engine/control/time-travel.ts';
import type { Stop } from '../../src/engine/control/virtual-time.ts';
import { testApi } from '../support/api/api.ts';
import { testPlatform, type TestPlatformOptions } from '../support/api/platform.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const platform = testApi(() => ({ clock, timeTravel: true }));
const moved = virtualClock();
/** Subtracted again, as if an advance had moved the clock less far. */
let lessMs = 0;
const clock: VirtualClock = {
  get offsetMs() {
    return moved.offsetMs - lessMs;
  },
  now: () => new Date(Date.parse(moved.now()) - lessMs).toISOString(),
  moveTo: (offsetMs) => moved.moveTo(offsetMs + lessMs),
};
const operator = platform.as('operator@atrium.test');
const advance = (by: string) => operator.post('/api/v1/clock', { advance: by });

it('moves forward by the requested time, for tickets too', async () => {
  const before = Date.parse((await operator.get('/api/v1/clock')).body.now);
  const { status, body } = await advance('PT1H');
  expect(status).toBe(200);
  expect(Date.parse(body.now) - before).toBeGreaterThanOrEqual(HOUR_MS);
  expect(Date.parse(body.now) - before).toBeLessThan(HOUR_MS + 60_000);
});

it('moves once for a repeated key, also concurrently', async () => {
  const before = Date.parse(clock.now());
  const keyed = (by: string) =>
    operator.post('/api/v1/clock', { advance: by }, { 'idempotency-key': 'an-hour' });
  const both = await Promise.all([keyed('PT1H'), keyed('PT1H')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  // Either of them may be first.
  const replayed = both.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
  expect(replayed).toHaveLength(1);
  expect(await keyed('PT1H')).toMatchObject({ headers: { 'idempotent-replayed': 'true' } });
  expect(Date.parse(clock.now()) - before).toBeLessThan(2 * HOUR_MS);
  expect(await keyed('PT2H')).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  });
});

it('forgets a journal of announcements when its seven days are over, and not before', async () => {
  const manager = platform.as('manager@acme.test');
  const made = await manager.post('/api/v1/buildings/import', demoBuilding());
  const { log } = platform;
  const day = clock.now().slice(0, 10).replaceAll('-', '');
  const journal = `building-${made.body.buildingId}.${day}`;
  const read = async () => (await log.readStream(journal)).length;

  await expect.poll(read).toBe(1);
  expect((await advance('P6D')).status).toBe(200);
  expect(await read()).toBe(1);
  expect((await advance('P2D')).status).toBe(200);
  expect(await read()).toBe(0);
  const [decided] = await log.readStream(`retention-${journal}`);
  // At its own time: the midnight that ended the term, not when the advance was asked for.
  expect(decided?.meta['at']).toMatch(/T00:00:0/);
});

it('stays moved through a restart', async () => {
  const { log } = platform;
  expect(await clockOffsetMs(log)).toBe(clock.offsetMs);
  // Less the real time elapsed meanwhile: an advance has a target time, not an offset.
  expect(clock.offsetMs).toBeGreaterThan(8 * DAY_MS);
});

it.each(['1H', 'PT0S', 'P1M', '', 3600])('refuses %j', async (by) =>
  expect(await operator.post('/api/v1/clock', { advance: by })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors: [{ path: 'advance' }] },
  }),
);

it.each([
  ['PT0S', 'must be longer than zero'],
  ['P1M', 'must be an ISO 8601 duration in weeks, days, hours, minutes and seconds, such as PT1H'],
])('says why it refuses %s', async (by, message) =>
  expect((await advance(by)).body.errors).toEqual([{ path: 'advance', message }]),
);

it('does not move when too long an advance is refused, with any work due', async () => {
  await platform.as('manager@acme.test').post('/api/v1/buildings/import', demoBuilding());
  const before = clock.offsetMs;
  const errors = [{ path: 'advance', message: 'must be positive, and at most 366 days' }];
  expect(await advance('P367D')).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_FAILED', errors },
  });
  expect(clock.offsetMs).toBe(before);
});

it('is the operators’ alone', async () =>
  expect(
    (await platform.as('manager@acme.test').post('/api/v1/clock', { advance: 'PT1H' })).body.code,
  ).toBe('PERMISSION_DENIED'));

describe('an advance that takes longer than the answer is awaited', () => {
  const HOURS = 5;
  /** It stops after an hour until it is released. */
  const held = async (over: Partial<TestPlatformOptions> = {}) => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const own = virtualClock();
    const stop = (from: string): Stop => ({
      at: new Date(Date.parse(from) + HOUR_MS).toISOString(),
      async pass() {
        arrived.resolve();
        await released.promise;
      },
    });
    const one = await testPlatform({
      clock: own,
      timeTravel: true,
      clockAnswerMaxMs: 0,
      onTheWay: async (from) => [stop(from)],
      ...over,
    });
    onTestFinished(async () => {
      released.resolve();
      await one.close();
    });
    const by = one.as('operator@atrium.test');
    const moving = (headers: Record<string, string> = {}) =>
      by.post('/api/v1/clock', { advance: `PT${HOURS}H` }, headers);
    const time = async () => (await by.get('/api/v1/clock')).body;
    return { one, by, own, moving, time, arrived: arrived.promise, release: released.resolve };
  };
  const key = { 'idempotency-key': 'five-hours' };

  it('is answered 202 with its target, and GET shows both until it is reached', async () => {
    const { moving, time, arrived, release } = await held();
    const before = Date.parse((await time()).now);
    const answer = await moving();
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body)).toEqual(['now', 'target']);
    const { target } = answer.body;
    expect(Date.parse(target) - before).toBeGreaterThanOrEqual(HOURS * HOUR_MS);
    await arrived;
    const onTheWay = await time();
    expect(onTheWay).toMatchObject({ target, state: 'advancing' });
    expect(Date.parse(onTheWay.now) - before).toBeGreaterThanOrEqual(HOUR_MS);
    expect(onTheWay.now < target).toBe(true);
    release();
    await until(async () => (await time()).target === undefined, 'the target');
    expect((await time()).now >= target).toBe(true);
  });

  it('is the only one: another is a 409, and its own repeat shares its answer', async () => {
    const { by, moving, time, arrived } = await held();
    const { body } = await moving(key);
    await arrived;
    for (const headers of [{}, { 'idempotency-key': 'another' }])
      expect(await moving(headers)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await moving(key)).toMatchObject({
      status: 202,
      headers: { 'idempotent-replayed': 'true' },
      body: { target: body.target },
    });
    expect(await by.post('/api/v1/clock', { advance: 'PT1H' }, key)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect((await time()).target).toBe(body.target);
  });

  it('keeps its target through a restart, and continues to it under its key', async () => {
    const first = await held();
    const { target } = (await first.moving(key)).body;
    await first.arrived;
    const { databaseUrl } = first.one;
    const clockThen = virtualClock(systemClock, await clockOffsetMs(first.one.log));
    const closing = first.one.stop();
    first.release();
    await closing;

    const second = await testPlatform({ databaseUrl, clock: clockThen, timeTravel: true });
    onTestFinished(() => second.close());
    const by = second.as('operator@atrium.test');
    expect((await by.get('/api/v1/clock')).body).toMatchObject({ target, state: 'stopped' });
    const repeated = await by.post('/api/v1/clock', { advance: `PT${HOURS}H` }, key);
    expect(repeated).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
    expect(repeated.body.now >= target).toBe(true);
    expect(Date.parse(repeated.body.now)).toBeLessThan(Date.parse(target) + HOUR_MS);
    expect(Object.keys((await by.get('/api/v1/clock')).body)).toEqual(['now']);
  });
});

it('is refused where other processes share the work, and on real time', async () => {
  const second = await platform.beside({ clock: virtualClock(), timeTravel: true });
  const real = await testPlatform({ clock: systemClock, timeTravel: true });
  onTestFinished(() => real.close());
  for (const one of [second, real]) {
    const answer = await one.as('operator@atrium.test').post('/api/v1/clock', { advance: 'PT1H' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'TIME_TRAVEL_REFUSED' } });
  }
});

// The last: the clock here is not where the log says it is any more.
it('continues, under its key, to the target of an interrupted advance', async () => {
  const began = Date.parse(clock.now());
  const key = { 'idempotency-key': 'a-day' };
  const aDay = () => operator.post('/api/v1/clock', { advance: 'P1D' }, key);
  expect((await aDay()).status).toBe(200);
  lessMs = 20 * HOUR_MS;
  expect((await aDay()).headers['idempotent-replayed']).toBe('true');
  expect(Date.parse(clock.now()) - began).toBeGreaterThanOrEqual(DAY_MS);
  expect(Date.parse(clock.now()) - began).toBeLessThan(DAY_MS + 10 * 60_000);
});
