/** Queued deliveries, each with its body and the time of its next attempt, until it is over. */
import type { DeliveryEvent, DeliveryQueued } from '../../domain/webhooks/delivery/events.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface BacklogRow extends Omit<DeliveryQueued, 'type' | 'notBefore'> {
  /** Number of the next attempt. */
  readonly attempt: number;
  readonly dueAt: Instant;
  /** Where it was queued. */
  readonly journal: string;
  readonly revision: number;
}

export const webhookBacklog: Projection<DeliveryEvent, BacklogRow> = {
  name: 'webhook-backlog',
  version: 2,
  categories: ['delivery'],
  codec: deliveryCodec,
  keyOf: ({ event }) => (event.type === 'EventsSkipped' ? null : event.deliveryId),
  rowAfter: ({ event, at, stream: journal, revision }, row) => {
    switch (event.type) {
      case 'DeliveryQueued': {
        const { type: _, ...queued } = event;
        const { notBefore: dueAt = at, ...waiting } = queued;
        return row ?? { ...waiting, attempt: 1, dueAt, journal, revision };
      }
      case 'DeliveryAttempted': {
        const { attempt, nextAttemptAt } = event;
        // An attempt may be recorded twice.
        if (row === null || attempt < row.attempt) return row;
        return nextAttemptAt === null
          ? null
          : { ...row, attempt: attempt + 1, dueAt: nextAttemptAt };
      }
      case 'DeliveryCancelled':
        return null;
      case 'EventsSkipped':
        return row;
    }
  },
  tallies: [
    {
      // Metrics read the count every few seconds, and the table may have a million rows.
      name: 'waiting',
      columns: { attempt: 'integer not null' },
      keysOf: ({ attempt }) => [[String(attempt)]],
    },
  ],
  table: {
    name: 'delivery',
    key: 'deliveryId',
    columns: {
      deliveryId: 'uuid not null',
      webhookId: 'uuid not null',
      reason: 'text not null',
      messageId: 'uuid not null',
      event: 'text not null',
      timestamp: 'text not null',
      body: 'text not null',
      attemptsMax: 'integer not null',
      attempt: 'integer not null',
      dueAt: 'timestamptz not null',
      journal: 'text not null',
      revision: 'bigint not null',
    },
    // Thousands of rows are inserted and deleted at a time.
    storage: `fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02`,
    indexes: [
      'create index on $table (webhook_id, due_at, revision)',
      'create index on $table (due_at)',
    ],
  },
};
