/** A server that dies in the middle of an evaluation, and again. */
import { afterEach, expect, it } from 'vitest';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { telemetryCodec } from '../../src/domain/telemetry/codecs.ts';
import { buildingWith } from '../support/api/telemetry.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';
import { allEvents } from '../support/log/all-events.ts';

const MANAGER = 'manager@acme.test';
const RULES = 20;
const SAMPLES = 400;
const FAULTS = (RULES * SAMPLES) / 2;
const KILLS = 2;

const { start, release } = servers();
afterEach(release);

it('an evaluation that is killed between slices announces each fault once', async () => {
  const { url, drop } = await freshDatabase();
  const directory = temporaryDirectory('fault-storm');
  const env = { DATABASE_URL: url, ATRIUM_DATA: directory, PORT: String(await freePort()) };
  let server = await start(env);
  const call = (method: string, path: string, body?: object) =>
    server.call(MANAGER, method, path, body ? { body } : {});
  const made = await call('POST', '/api/v1/buildings/import', buildingWith({ A: {} }));
  const path = `/api/v1/buildings/${made.body.buildingId}`;
  const pointId = (await call('GET', `${path}/points`)).body.items[0].id;
  const rule = { title: 'Hot', severity: 'high', comparison: 'gt', threshold: 2_500, pointId };
  for (let count = 0; count < RULES; count += 1)
    expect((await call('POST', `${path}/diagnostic-rules`, rule)).status).toBe(201);
  const startMs = Date.now() - SAMPLES * 600_000;
  const observations = Array.from({ length: SAMPLES }, (_, index) => ({
    pointId,
    value: index % 2 === 0 ? -5 : 3_000,
    timestamp: new Date(startMs + index * 600_000).toISOString(),
  }));
  expect((await call('POST', `${path}/observations`, { observations })).status).toBe(200);

  const total = async () => (await call('GET', `${path}/faults?limit=1`)).body.total as number;
  const found: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = found.at(-1) ?? 0;
    await until(async () => (await total()) > before, 'the next slice');
    found.push(await total());
    await server.signal('SIGKILL');
    server = await start(env);
  }
  expect(Math.max(...found)).toBeLessThan(FAULTS);
  await until(async () => (await total()) === FAULTS, 'the last slice');

  const log = postgresEventStore({ url });
  const announced = async () => {
    const events = await allEvents(log, { categories: ['telemetry'] });
    return events
      .map((stored) => telemetryCodec.decode(stored).event)
      .flatMap((event) => (event.type === 'FaultCreated' ? [event.faultId] : []));
  };
  await until(async () => (await announced()).length >= FAULTS, 'the last announcement');
  const faultIds = await announced();
  expect(faultIds).toHaveLength(FAULTS);
  expect(new Set(faultIds).size).toBe(FAULTS);
  await log.close();
  await release();
  await drop();
});
