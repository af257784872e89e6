import { expect, it } from 'vitest';
import { projectionTests } from '../../support/consumers/running-projections.ts';
import { made, painted, widgets } from '../../support/consumers/sample-projection.ts';
import { poolThrough } from '../../support/postgres/pool-through.ts';
import { until, WAITS_MAX_MS } from '../../support/until.ts';

const others = { ...widgets, name: 'others' };
const test = projectionTests();

it('ends as soon as the read model includes the position, fed here or elsewhere', async () => {
  const [feeding, reading] = [test.open(), test.open()];
  feeding.start();
  const waits = [feeding, reading].map(({ models }) =>
    models.waitFor(['widgets'], '1', WAITS_MAX_MS),
  );
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await Promise.all(waits)).toEqual([true, true]);
  const { rows } = await reading.db.pool.query('select id from widgets_v1.widget');
  expect(rows).toEqual([{ id: 'a' }]);
});

it('times out when the position is not reached', async () => {
  const [feeding, reading] = [test.open(), test.open()];
  feeding.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  const waits = [feeding, reading].map(({ models }) => models.waitFor(['widgets'], '3', 300));
  await test.log.append('widget-a', 0, [painted('blue')]);
  expect(await Promise.all(waits)).toEqual([false, false]);
});

it('lasts until every named read model has reached the position', async () => {
  const projections = [widgets, others];
  const feeding = test.open({ projections: [widgets] });
  const reading = test.open({ projections });
  feeding.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await reading.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  expect(await reading.models.waitFor(['widgets', 'others'], '1', 200)).toBe(false);
  const both = reading.models.waitFor(['widgets', 'others'], '1', WAITS_MAX_MS);
  test.open({ projections: [others] }).start();
  expect(await both).toBe(true);
});

it("waits for this release's version of the read model", async () => {
  const projections = [{ ...widgets, version: 2 }];
  await test.log.append('widget-a', 'no_stream', [made()]);
  const newer = test.open({ projections });
  newer.start();
  expect(await newer.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  await newer.stop();
  const older = test.open();
  older.start();
  await test.log.append('widget-a', 0, [painted('blue')]);
  expect(await older.models.waitFor(['widgets'], '2', WAITS_MAX_MS)).toBe(true);
  expect(await test.open({ projections }).models.waitFor(['widgets'], '2', 200)).toBe(false);
});

it('ignores a checkpoint whose tables are gone', async () => {
  const feeding = test.open();
  feeding.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  await feeding.stop();
  const reading = test.open();
  await reading.db.pool.query('drop schema widgets_v1 cascade');
  expect(await reading.models.waitFor(['widgets'], '1', 200)).toBe(false);
});

it('polls the database once for all waiting callers', async () => {
  const own = test.openDatabase();
  let looks = 0;
  const pool = poolThrough(own.pool, (statement, send) => {
    if (statement === 'consumers checkpoints') looks += 1;
    return send();
  });
  const reading = test.open({ db: { pool } });
  await Promise.all(
    Array.from({ length: 200 }, () => reading.models.waitFor(['widgets'], '1', 600)),
  );
  expect(looks).toBeGreaterThan(2);
  // One query per caller would be 200 at least.
  expect(looks).toBeLessThan(200);
});

it('continues when another process begins to feed the read model', async () => {
  const first = test.open();
  first.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await first.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  const second = test.open();
  const waiting = second.models.waitFor(['widgets'], '2', WAITS_MAX_MS);
  await first.stop();
  test.open().start();
  await test.log.append('widget-a', 0, [painted('blue')]);
  expect(await waiting).toBe(true);
});

it('reaches positions of events that the read model skips', async () => {
  const [feeding, reading] = [test.open(), test.open()];
  feeding.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  for (let at = 0; at < 30; at += 1) await test.log.append('foreign-a', 'any', [made()]);
  expect(await feeding.models.waitFor(['widgets'], '31', WAITS_MAX_MS)).toBe(true);
  expect(await reading.models.waitFor(['widgets'], '31', WAITS_MAX_MS)).toBe(true);
  expect(await reading.models.lag('widgets')).toEqual({ events: 0, seconds: 0 });
});

it('reports the position of another process when it is first seen', async () => {
  const [feeding, reading] = [test.open(), test.open()];
  feeding.start();
  await test.log.append('widget-a', 'no_stream', [made()]);
  expect(await feeding.models.waitFor(['widgets'], '1', WAITS_MAX_MS)).toBe(true);
  let reports = 0;
  reading.models.onMoved('widgets', () => (reports += 1));
  reading.start();
  await until(async () => reports > 0, 'a report');
});

it('rejects an unknown read model', async () => {
  await expect(test.open().models.waitFor(['nothing'], '1', 10)).rejects.toThrow('nothing');
});
