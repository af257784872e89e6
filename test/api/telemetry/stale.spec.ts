import { expect, it } from 'vitest';
import { virtualClock } from '../../../src/engine/time/clock.ts';
import { telemetryCodec } from '../../../src/domain/telemetry/codecs.ts';
import { testApi } from '../../support/api/api.ts';
import { importMetered } from '../../support/api/telemetry.ts';

const clock = virtualClock();
const api = testApi(() => ({ clock, timeTravel: true }));
const manager = api.as('manager@acme.test');

it('an advance of the clock opens stale faults at their due time on its way', async () => {
  const building = await importMetered(manager, { A: {}, B: {} });
  const ids = await building.ids();
  const silent = { title: 'Silent', severity: 'low', comparison: 'stale', forSeconds: 60 };
  for (const [code, threshold] of [
    ['A', 3_600],
    ['B', 7_200],
  ] as const) {
    const rule = { ...silent, threshold, pointId: ids[code] };
    await manager.post(`${building.path}/diagnostic-rules`, rule);
  }
  const observations = [ids['A'], ids['B']].map((pointId) => ({ pointId, value: 1 }));
  const sentAt = Date.parse(clock.now());
  await manager.post(`${building.path}/observations`, { observations });

  const moved = await api.as('operator@atrium.test').post('/api/v1/clock', { advance: 'PT3H' });
  expect(moved.status).toBe(200);
  const { items } = (await manager.get(`${building.path}/faults`)).body;
  expect(items.map(({ pointId }: { pointId: string }) => pointId)).toEqual([ids['B'], ids['A']]);
  const { events } = await api.log.readAll(null, { limit: 1_000, categories: ['telemetry'] });
  const created = events
    .map((event) => telemetryCodec.decode(event).event)
    .filter((event) => event.type === 'FaultCreated');
  // Each at its own time, and not when the move has ended.
  const late = created.map((event) => Math.round((Date.parse(event.detectedAt) - sentAt) / 60_000));
  expect(late).toEqual([61, 121]);
});
