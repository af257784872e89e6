/**
 * Journals by day and by month are forgotten when their term is over: a timer asks, the aggregate
 * `retention-<journal>` decides, and a process carries out what it decided. design.md decision 15.
 */
import { auditChainCategories, isChainKeptForEver } from '../../domain/keys/audit-chain.ts';
import { useCategories } from '../../domain/keys/journals.ts';
import {
  retentionEventSchemas,
  retiresAt,
  type Retention,
  type RetentionCommand,
  type RetentionEvent,
} from './retention.ts';
import type { Instant } from '../aggregates/decider.ts';
import type { Projection } from '../projections/projection.ts';
import type { Aggregate } from '../aggregates/aggregate.ts';
import { codecOf, type Recorded } from '../log/codec.ts';
import type { EventStore } from '../log/event-store.ts';
import { partialCodec, type Unread } from '../log/partial-codec.ts';
import { categoryOf } from '../log/streams.ts';
import {
  commandsTo,
  deleteStreamsOf,
  type CommandEffect,
  type DeleteStreamEffect,
} from '../processes/effects.ts';
import type { Process } from '../processes/process.ts';
import type { DueTable, TimerTable } from '../timers/timer-table.ts';

export const retentionCodec = codecOf<RetentionEvent>({
  JournalRetired: { schema: retentionEventSchemas.JournalRetired },
});

/** A journal that will have to go, and when. */
export interface JournalExpiry {
  /** The stream. */
  readonly journal: string;
  readonly retiresAt: Instant;
}

const journalOf = ({ stream, event }: Recorded<Unread | RetentionEvent>): string =>
  event.type === 'JournalRetired' ? event.journal : stream;

/** When each journal will have to go. */
export const journalExpiries: Projection<Unread | RetentionEvent, JournalExpiry> = {
  name: 'journal-expiry',
  version: 8,
  categories: [
    'building',
    'bus',
    'telemetry',
    'delivery',
    'delivered',
    ...useCategories,
    'keyuseindex',
    ...auditChainCategories,
    'retention',
  ],
  codec: partialCodec(retentionCodec, ({ stream }) => categoryOf(stream) === 'retention'),
  table: {
    name: 'journal',
    columns: { journal: 'text not null', retiresAt: 'timestamptz not null' },
    key: 'journal',
    indexes: ['create index on $table (retires_at)'],
  },
  keyOf: journalOf,
  rowAfter: (recorded, row) => {
    if (recorded.event.type === 'JournalRetired') return null;
    if (isChainKeptForEver(recorded.stream)) return null;
    if (row) return row;
    const due = retiresAt(recorded.stream);
    if (due === null) throw new Error(`${recorded.stream} is no journal of a day or a month`);
    return { journal: recorded.stream, retiresAt: due };
  },
};

export const journalTimers = {
  name: 'journal-expiry',
  projection: journalExpiries,
  dueAt: 'retiresAt',
} as const satisfies DueTable;

export const journalExpiry = (
  retentions: Aggregate<RetentionCommand, Retention>,
): TimerTable<JournalExpiry, RetireJournal> => ({
  ...journalTimers,
  fire: ({ journal }) => ({
    kind: 'retention',
    id: journal,
    command: { type: 'RetireJournal', journal },
  }),
  effects: { retention: commandsTo(retentions) },
});

interface RetireJournal extends CommandEffect<RetentionCommand> {
  readonly kind: 'retention';
}

export const journalRetention = (
  log: Pick<EventStore, 'deleteStream'>,
): Process<RetentionEvent, undefined, DeleteStreamEffect> => ({
  name: 'journal-retention',
  categories: ['retention'],
  codec: retentionCodec,
  on: {
    JournalRetired: ({ event: { journal } }) => [{ kind: 'delete-stream', stream: journal }],
  },
  effects: { 'delete-stream': deleteStreamsOf(log) },
});
