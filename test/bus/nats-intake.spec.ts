import { expect, it } from 'vitest';
import { busIntake } from '../../src/bus/nats/intake.ts';
import { layoutOf } from '../../src/bus/nats/layout.ts';
import type { Delivered, Nats } from '../../src/bus/nats/nats.ts';
import { busMetrics } from '../../src/bus/metrics.ts';
import { metricsOf } from '../../src/engine/observe/metrics.ts';
import { memoryEventStore } from '../../src/engine/log/memory/store.ts';
import { testConsumers } from '../support/consumers/consumers.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

const prefix = 'here';
const buildingId = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';

it('acknowledges a redelivered message again, and stores it once', async () => {
  const { url, drop } = await freshDatabase();
  const log = memoryEventStore();
  const acknowledged: number[] = [];
  const recorded: string[] = [];
  const { promise: mayRecord, resolve: record } = Promise.withResolvers<void>();
  const delivered = (sequence: number): Delivered => ({
    sequence,
    subject: `${prefix}.building.${buildingId}.test.rang`,
    header: () => null,
    body: new TextEncoder().encode(`{"eventId":"e-${sequence}"}`),
    storedAt: '2026-03-02T12:00:00.000Z',
    acknowledge: () => acknowledged.push(sequence),
  });
  const nats: Pick<Nats, 'layout' | 'whenReady' | 'inbound' | 'message'> = {
    layout: layoutOf(prefix),
    whenReady: async () => {},
    message: async () => null,
    inbound: async () => ({
      deliveredTo: 0,
      async *unacknowledged() {},
      async *deliveries(signal) {
        yield delivered(1);
        // A redelivery during its handling does not start it again.
        yield delivered(1);
        record();
        await until(() => acknowledged.length === 1);
        yield delivered(1);
        yield delivered(2);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      },
    }),
  };
  const { consumers, start, stop } = testConsumers(url, log, { silentMaxMs: 10_000 });
  start([
    busIntake({
      nats,
      journals: {
        async publish(_, __, { eventId }) {
          await mayRecord;
          recorded.push(eventId);
          return { position: null };
        },
      },
      consumers,
      prefix,
      types: ['test.rang'],
      metrics: busMetrics(metricsOf({ process: false }), null),
    }),
  ]);
  await until(() => acknowledged.includes(2));
  await stop();
  expect(acknowledged).toEqual([1, 1, 2]);
  expect(recorded).toEqual(['e-1', 'e-2']);
  await log.close();
  await drop();
});
