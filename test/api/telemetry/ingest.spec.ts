import { randomUUID } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import { DATABASE_CONNECTIONS_MAX } from '../../../src/engine/limits.ts';
import { testApi } from '../../support/api/api.ts';
import { buildingWith, importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import { until } from '../../support/until.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { allEvents } from '../../support/log/all-events.ts';

const api = testApi();
const manager = api.as('manager@acme.test');

const POINTS = {
  TEMP: { unit: '°C' },
  OPEN: { valueType: 'boolean', pointClass: 'Open_Close_Status' },
} as const;

let building: MeteredBuilding;
let [temp, open] = ['', ''];
let db: Pool;
beforeAll(async () => {
  building = await importMetered(manager, POINTS);
  const ids = await building.ids();
  [temp, open] = [ids['TEMP']!, ids['OPEN']!];
  db = poolOf(api.databaseUrl);
});
afterAll(() => db.end());

const send = (observations: unknown, to = building.path, as = manager) =>
  as.post(`${to}/observations`, { observations });

const NOON = '2026-03-02T12:00:00.000Z';

/** The stored samples of a point, by time. */
const stored = async (pointId: string) => {
  const { rows } = await db.query<{ at: Date; value: number }>(
    `select observed_at as at, value from telemetry.sample
     join telemetry.series on series.id = series_id
     where point_id = $1 order by observed_at`,
    [pointId],
  );
  return rows.map(({ at, value }) => [at.toISOString(), value]);
};

const count = async () =>
  (await db.query<{ n: number }>('select count(*)::int as n from telemetry.sample')).rows[0]!.n;

/** The building's telemetry events in the log, after the relay has drained its outbox. */
const telemetryEvents = async (buildingId = building.buildingId) => {
  await until(async () => {
    const { rows } = await db.query('select from graph.announcement');
    return rows.length === 0;
  }, 'the relay');
  const events = await allEvents(api.log, { categories: ['telemetry'] });
  return events
    .map((event) => telemetryCodec.decode(event))
    .filter(({ event }) => event.buildingId === buildingId);
};

describe('an ingest', () => {
  it('is durable when it is answered, and recorded in the log', async () => {
    const before = (await telemetryEvents()).length;
    const answer = await send([
      { pointId: temp, value: 21.5, timestamp: '2026-03-02T12:00:00Z' },
      { pointId: open.toUpperCase(), value: true, timestamp: '2026-03-02T13:00:00+01:00' },
    ]);
    expect([answer.status, answer.body]).toEqual([200, { accepted: 2 }]);
    expect(await stored(temp)).toEqual([[NOON, 21.5]]);
    expect(await stored(open)).toEqual([[NOON, 1]]);
    const [fact, ...more] = (await telemetryEvents()).slice(before);
    expect(more).toEqual([]);
    expect(fact).toMatchObject({
      stream: expect.stringMatching(`^telemetry-${building.buildingId}\\.\\d{8}$`),
      origin: 'api',
      organisation: 'acme',
      event: {
        type: 'PointsUpdated',
        points: expect.arrayContaining([
          expect.objectContaining({ pointId: temp, value: 21.5, unit: '°C', observedAt: NOON }),
          expect.objectContaining({ pointId: open, value: true, unit: null, observedAt: NOON }),
        ]),
      },
    });
  });

  it('defaults the time to now', async () => {
    const from = new Date().toISOString();
    await send([{ pointId: temp, value: 3 }]);
    const [at] = (await stored(temp)).at(-1)!;
    expect(at! >= from && at! <= new Date().toISOString()).toBe(true);
  });

  it('overwrites repeated samples; the last one of a request wins', async () => {
    const at = '2026-03-03T00:00:00.000Z';
    const twice = [
      { pointId: temp, value: 1, timestamp: at },
      { pointId: temp, value: 2, timestamp: at },
    ];
    expect((await send(twice)).body).toEqual({ accepted: 2 });
    expect((await send(twice)).body).toEqual({ accepted: 2 });
    expect((await stored(temp)).filter(([when]) => when === at)).toEqual([[at, 2]]);
    await send([{ pointId: temp, value: 7, timestamp: at }]);
    expect((await stored(temp)).filter(([when]) => when === at)).toEqual([[at, 7]]);
  });

  it('records each point once, with its latest value and the earlier ones', async () => {
    const before = (await telemetryEvents()).length;
    await send([
      { pointId: temp, value: 3, timestamp: '2026-03-04T00:02:00.000Z' },
      { pointId: temp, value: 1, timestamp: '2026-03-04T00:00:00.000Z' },
      { pointId: temp, value: 2, timestamp: '2026-03-04T00:01:00.000Z' },
    ]);
    const [fact] = (await telemetryEvents()).slice(before);
    expect(fact?.event).toMatchObject({
      points: [
        {
          pointId: temp,
          value: 3,
          observedAt: '2026-03-04T00:02:00.000Z',
          earlier: [
            [120_000, 1],
            [60_000, 2],
          ],
        },
      ],
    });
  });

  it('of more than 500 points is several announcements', async () => {
    const codes = Array.from({ length: 1_001 }, (_, index) => `P${index}`);
    const large = await importMetered(manager, Object.fromEntries(codes.map((it) => [it, {}])));
    const { items } = (await manager.get(`${large.path}/points?limit=1000`)).body;
    const rest = (await manager.get(`${large.path}/points?limit=1000&offset=1000`)).body.items;
    const ids: string[] = [...items, ...rest].map(({ id }) => id);
    await send(
      ids.map((pointId, value) => ({ pointId, value })),
      large.path,
    );
    const facts = (await telemetryEvents(large.buildingId)).map(({ event }) => event);
    const sizes = facts.map((event) => ('points' in event ? event.points.length : 0));
    expect(sizes).toEqual([500, 500, 1]);
    const points = facts.flatMap((event) => ('points' in event ? event.points : []));
    expect(points.map(({ pointId }) => pointId).toSorted()).toEqual(ids.toSorted());
  });

  it('accepts at most 5,000 samples', async () => {
    const many = Array.from({ length: 5_001 }, (_, index) => ({
      pointId: temp,
      value: index,
      timestamp: new Date(Date.UTC(2020, 0, 1) + index * 1_000).toISOString(),
    }));
    const before = await count();
    expect((await send(many)).status).toBe(400);
    expect(await count()).toBe(before);
    expect((await send(many.slice(1))).body).toEqual({ accepted: 5_000 });
    expect(await count()).toBe(before + 5_000);
  });

  it('may reach into any month since 2000', async () => {
    const old = ['2000-01-01T00:00:00.000Z', '2012-02-29T23:59:59.999Z'];
    const answer = await send(old.map((timestamp) => ({ pointId: temp, value: 0, timestamp })));
    expect(answer.status).toBe(200);
    expect((await stored(temp)).slice(0, 2).map(([at]) => at)).toEqual(old);
  });
});

describe('of more than 500 observations', () => {
  const large = (pointId: string) =>
    Array.from({ length: 501 }, (_, at) => ({
      pointId,
      value: at,
      timestamp: new Date(Date.parse(NOON) + at * 1_000).toISOString(),
    }));

  it('run one at a time per organisation, and delay no other request', async () => {
    const busy = await importMetered(manager, { A: {} });
    const others = api.as('manager@globex.test');
    const theirs = await importMetered(others, { A: {} });
    const [mine, other] = [await busy.idOf('A'), await theirs.idOf('A')];
    expect((await send(large(mine).slice(0, 1), busy.path)).status).toBe(200);
    const lock = await db.connect();
    try {
      await lock.query('begin');
      await lock.query(
        `select from telemetry.latest join telemetry.series on id = series_id
         where point_id = $1 for update of latest`,
        [mine],
      );
      const held = send(large(mine), busy.path);
      const isHeld = async () => (await lockWaits(db)) === 1;
      await until(isHeld, 'the first one in its statement');
      // Elsewhere nothing keeps them but the place.
      const waiting = Array.from({ length: 20 }, () => send(large(temp)));
      expect((await send(large(temp).slice(0, 500))).status).toBe(200);
      expect((await send(large(other), theirs.path, others)).status).toBe(200);
      const one = await send(large(temp));
      expect([one.status, one.body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(Number(one.headers['retry-after'])).toBeGreaterThan(0);
      await lock.query('rollback');
      const answers = await Promise.all([held, ...waiting]);
      expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200));
    } finally {
      lock.release(true);
    }
  });
});

it('holds no connection while its building is imported', async () => {
  const busy = await importMetered(manager, { A: {} });
  const pointId = await busy.idOf('A');
  const one = () => send([{ pointId, value: 1, timestamp: NOON }], busy.path);
  expect((await one()).status).toBe(200);
  const importing = new Client({ connectionString: api.databaseUrl });
  await importing.connect();
  onTestFinished(() => importing.end());
  await importing.query('begin');
  await importing.query('select from graph.building where id = $1 for update', [busy.buildingId]);
  let answered = 0;
  const held = Array.from({ length: 2 * DATABASE_CONNECTIONS_MAX }, () =>
    one().finally(() => (answered += 1)),
  );
  const others = await api.as('manager@globex.test').get('/api/v1/buildings');
  expect([others.status, answered]).toEqual([200, 0]);
  await importing.query('rollback');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(held.map(() => 200));
});

describe('refused as a whole, with the path and without writes', () => {
  const good = () => ({ pointId: temp, value: 1, timestamp: NOON });
  const bodies: readonly [string, () => unknown, string][] = [
    ['a text for a value', () => ({ ...good(), value: '1' }), 'value'],
    ['null for a value', () => ({ ...good(), value: null }), 'value'],
    ['a boolean for a number point', () => ({ ...good(), value: true }), 'value'],
    ['a number for a boolean point', () => ({ ...good(), pointId: open, value: 1 }), 'value'],
    ['a malformed point id', () => ({ ...good(), pointId: 'P1' }), 'pointId'],
    ['no point id', () => ({ value: 1 }), 'pointId'],
    ['a time that is none', () => ({ ...good(), timestamp: 'yesterday' }), 'timestamp'],
    ['a day that is none', () => ({ ...good(), timestamp: '2026-02-30T00:00:00Z' }), 'timestamp'],
    ['a time without zone', () => ({ ...good(), timestamp: '2026-02-03T00:00:00' }), 'timestamp'],
    ['a number for a time', () => ({ ...good(), timestamp: 1_770_000_000 }), 'timestamp'],
    ['a time before 2000', () => ({ ...good(), timestamp: '1999-12-31T23:59:59Z' }), 'timestamp'],
    [
      'a time 6 minutes ahead',
      () => ({ ...good(), timestamp: new Date(Date.now() + 360_000).toISOString() }),
      'timestamp',
    ],
    ['an unknown member', () => ({ ...good(), quality: 1 }), 'quality'],
  ];

  it.each(bodies)('%s', async (_, bad, member) => {
    const before = await count();
    const answer = await send([good(), bad()]);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.errors).toMatchObject([{ path: `observations[1].${member}` }]);
    expect(await count()).toBe(before);
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e999', '-1e999', '01', '+1', '.5', '0x10'])(
    'the number %s',
    async (spelt) => {
      const before = await count();
      const body = `{"observations":[{"pointId":"${temp}","value":${spelt}}]}`;
      const answer = await manager.post(`${building.path}/observations`, body);
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(await count()).toBe(before);
    },
  );

  it('points that are unknown, or of another building or organisation', async () => {
    const [ours, theirs] = await Promise.all(
      ['manager@acme.test', 'manager@globex.test'].map(async (email) =>
        (await importMetered(api.as(email), POINTS)).idOf('TEMP'),
      ),
    );
    const before = await count();
    const named = [randomUUID(), temp, ours, theirs];
    const answer = await send(named.map((pointId) => ({ pointId, value: 1 })));
    expect([answer.status, answer.body.code]).toEqual([400, 'REFERENCE_NOT_FOUND']);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'observations[0].pointId',
      'observations[2].pointId',
      'observations[3].pointId',
    ]);
    expect(await count()).toBe(before);
  });

  it('an invalid or empty list, or a body with unknown members', async () => {
    for (const body of [{}, { observations: [] }, { observations: {} }, [], 1, null]) {
      const answer = await manager.post(`${building.path}/observations`, JSON.stringify(body));
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
    const more = { observations: [good()], partial: true };
    const answer = await manager.post(`${building.path}/observations`, more);
    expect(answer.body.errors).toEqual([{ path: 'partial', message: 'is unknown' }]);
  });

  it('more than 40 different days in one batch, in an otherwise valid request', async () => {
    const daily = (days: number) =>
      Array.from({ length: days }, (_, day) => ({
        pointId: temp,
        value: day,
        timestamp: new Date(Date.UTC(2019, day, 1)).toISOString(),
      }));
    const before = await count();
    const answer = await send(daily(41));
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.body.errors).toEqual([
      {
        path: 'observations',
        message: 'must span at most 40 different days (UTC); they span 41',
      },
    ]);
    expect(await count()).toBe(before);
    expect((await send(daily(40))).body).toEqual({ accepted: 40 });
    expect(await count()).toBe(before + 40);
  });

  it('for a foreign or unknown building, or without permission', async () => {
    const theirs = await importMetered(api.as('manager@globex.test'), POINTS);
    const one = [{ pointId: await theirs.idOf('TEMP'), value: 1 }];
    expect((await send(one, theirs.path)).status).toBe(404);
    expect((await send(one, `/api/v1/buildings/${randomUUID()}`)).status).toBe(404);
    expect((await send(one, '/api/v1/buildings/hq')).status).toBe(404);
    const viewer = api.as('viewer@acme.test');
    expect((await send([good()], building.path, viewer)).body.code).toBe('PERMISSION_DENIED');
  });
});

describe('while its building is imported', () => {
  it('accepts samples of a new point', async () => {
    const one = await importMetered(manager, { A: {} });
    await send([{ pointId: await one.idOf('A'), value: 1 }], one.path);
    await manager.post(`${one.path}/import`, buildingWith({ A: {}, B: {} }));
    const answer = await send([{ pointId: await one.idOf('B'), value: 2 }], one.path);
    expect(answer.body).toEqual({ accepted: 1 });
  });

  it('writes to no removed point; a recreated one keeps its history', async () => {
    const one = await importMetered(manager, { A: {}, B: {} });
    const before = await one.ids();
    const samples = Object.values(before).map((pointId) => ({ pointId, value: 1 }));
    await send(samples, one.path);
    const replaced = await manager.post(`${one.path}/import?replace=true`, buildingWith({ A: {} }));
    expect(replaced.body.gone).toMatchObject({ points: 1, histories: 1 });
    expect((await send(samples, one.path)).status).toBe(400);
    const after = await one.idOf('A');
    expect(after).not.toBe(before['A']);
    expect(await stored(after)).toMatchObject([[expect.any(String), 1]]);
    expect((await send([{ pointId: after, value: 3 }], one.path)).status).toBe(200);
    expect(await stored(after)).toHaveLength(2);
  });

  it('loses no observations sent meanwhile', async () => {
    const one = await importMetered(manager, { A: {} });
    let accepted = 0;
    const refusals = new Set<string>();
    const sendOften = async () => {
      for (let turn = 0; turn < 40; turn += 1) {
        const timestamp = new Date(Date.UTC(2026, 0, 1) + turn * 1_000).toISOString();
        const answer = await send(
          [{ pointId: await one.idOf('A'), value: 1, timestamp }],
          one.path,
        );
        if (answer.status === 200) accepted += 1;
        else refusals.add(answer.body.code);
      }
    };
    const importOften = async () => {
      for (let turn = 0; turn < 5; turn += 1)
        await manager.post(`${one.path}/import?replace=true`, buildingWith({ A: {} }));
    };
    await Promise.all([sendOften(), importOften()]);
    expect(accepted).toBeGreaterThan(0);
    // Its id was asked for before the import, and sent after it.
    expect([...refusals].filter((code) => code !== 'REFERENCE_NOT_FOUND')).toEqual([]);
    expect(await stored(await one.idOf('A'))).toHaveLength(accepted);
  });
});

it('holds up the event loop no longer for the worst body than for any other', async () => {
  const worst = ['{}', '0', '[]', '{"a":0}'].map((one) => {
    const times = Math.floor((1024 * 1024 - 40) / (one.length + 1));
    return `{"observations":[${Array.from({ length: times }, () => one).join()}]}`;
  });
  worst.push(`{${Array.from({ length: 80_000 }, (_, index) => `"a${index}":0`).join()}}`);
  for (const body of worst) {
    const answer = await manager.post(`${building.path}/observations`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors.length).toBeLessThanOrEqual(101);
  }
});

it('does not repeat a name of any length', async () => {
  const name = 'x'.repeat(100_000);
  const answer = await manager.post(
    `${building.path}/observations`,
    JSON.stringify({ [name]: 1, observations: [{ [name]: 1 }] }),
  );
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
});
