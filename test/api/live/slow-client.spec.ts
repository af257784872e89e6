/** A client that stops reading delays no other client, and is disconnected: section 8. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { logBus } from '../../../src/bus/log/bus.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { liveClient, type Told } from '../../support/api/live-client.ts';
import { liveService, sessionOf, type LiveService } from '../../support/api/live-service.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';
import { until } from '../../support/until.ts';
import { tell } from '../../support/webhooks/telemetry.ts';

const DROPPED = 'atrium_live_dropped_sessions_total{reason="SLOW_CONSUMER"}';
const CONFLATED = 'atrium_live_conflated_messages_total';
const pointIds = Array.from({ length: 5 }, () => randomUUID());

/** A building with events, a client that reads, and one that will stop reading. */
const begun = async () => {
  const service = await liveService();
  const buildingId = randomUUID();
  const token = sessionOf('acme', 'mia');
  const reading = await liveClient(service.address, { token });
  const stalled = await rawLiveClient(service.address, token);
  for (const client of [reading, stalled])
    expect(await client.ask('join', { buildingId })).toMatchObject({ ok: true });
  return { ...service, buildingId, reading, stalled, ...talking(service, buildingId) };
};

const talking = ({ log }: LiveService, buildingId: string) => {
  const bus = logBus({ log, clock: systemClock, expected: [] });
  let [values, events] = [0, 0];
  return {
    /** A new value of each point. */
    async observe() {
      values += 1;
      const points = pointIds.map((pointId) => ({
        pointId,
        elementId: null,
        spaceId: null,
        value: values,
        unit: null,
        observedAt: systemClock.now(),
      }));
      await tell(log, () => ({ type: 'PointsUpdated', buildingId, points }), { buildingId });
    },
    /** An event that no later one makes old, of some length. */
    async sense() {
      events += 1;
      const data = { buildingId, number: events, readings: 'x'.repeat(60_000) };
      const subject = { buildingId, type: 'wifi-sensing.event' };
      await bus.publish(subject, data, { eventId: randomUUID(), at: systemClock.now() });
    },
    sent: () => values * pointIds.length + events,
    events: () => events,
    values: () => values,
  };
};

const eventsIn = (told: readonly Told[]) =>
  told.flatMap(({ body }) => (body.event === 'wifi-sensing.event' ? [body.data['number']] : []));
const valuesIn = (told: readonly Told[], pointId: string) =>
  told.flatMap(({ body: { data } }) => (data['pointId'] === pointId ? [data['value']] : []));
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a client that does not read for a while', () => {
  it('then receives the latest value of each point and every other event, in order', async () => {
    const { stalled, reading, measured, sent, ...building } = await begun();
    stalled.stopReading();
    // The size of the kernel's send buffer is unknown: send until the server has to buffer.
    while ((await measured(CONFLATED)) === 0) {
      await building.sense();
      await building.observe();
      await until(() => reading.told.length === sent(), 'the reading client');
    }
    for (let count = 0; count < 20; count += 1) await building.observe();
    await until(() => reading.told.length === sent(), 'the reading client');
    const conflated = await measured(CONFLATED);
    expect(conflated).toBeGreaterThanOrEqual(20 * pointIds.length);

    stalled.readOn();
    await expect.poll(() => stalled.told.length).toBe(sent() - conflated);
    expect(eventsIn(stalled.told)).toEqual(upTo(building.events()));
    for (const pointId of pointIds) {
      const values = valuesIn(stalled.told, pointId).map(Number);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(values.at(-1)).toBe(building.values());
    }
    await building.observe();
    await expect.poll(() => stalled.told.length).toBe(sent() - conflated);
    expect(await measured(DROPPED)).toBe(0);
  });
});

describe('a client that does not read at all', () => {
  it('is disconnected, while the other clients of the room receive everything', async () => {
    const { stalled, reading, measured, connections, ...building } = await begun();
    stalled.stopReading();
    while ((await measured(DROPPED)) === 0) {
      await building.sense();
      await until(() => reading.told.length === building.events(), 'the reading client');
    }
    await expect.poll(connections).toBe(1);
    expect(eventsIn(reading.told)).toEqual(upTo(building.events()));
    await expect.poll(() => measured('atrium_live_connections')).toBe(1);
    stalled.readOn();
    await stalled.closed();
    expect(stalled.told.length).toBeLessThan(building.events());
  });
});
