/**
 * Journals are deleted when their term is over: a timer fires, the aggregate `retention-<journal>`
 * decides, and a process deletes the stream. design.md decision 15.
 */
import {
  retentionEventSchemas,
  type Retention,
  type RetentionCommand,
  type RetentionEvent,
} from './retention.ts';
import type { ClockCheck } from '../consumers/clock-check.ts';
import { retiresAt, type Terms } from './terms.ts';
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

/** A journal that is due for deletion, and when. */
export interface JournalExpiry {
  /** The stream. */
  readonly journal: string;
  readonly retiresAt: Instant;
}

const journalOf = ({ stream, event }: Recorded<Unread | RetentionEvent>): string =>
  event.type === 'JournalRetired' ? event.journal : stream;

/** When each journal is due for deletion. */
const journalExpiries = (terms: Terms): Projection<Unread | RetentionEvent, JournalExpiry> => ({
  name: 'journal-expiry',
  version: 8,
  categories: [...terms.journals, 'retention'],
  codec: partialCodec(retentionCodec, ({ stream }) => categoryOf(stream) === 'retention'),
  table: {
    name: 'journal',
    columns: { journal: 'text not null', retiresAt: 'timestamptz not null' },
    key: 'journal',
    indexes: ['create index on $table (retires_at)'],
  },
  keyOf: journalOf,
  rowAfter: ({ event, stream }, row) => {
    if (event.type === 'JournalRetired') return null;
    const term = terms.of(stream);
    if (row || term === null) return row ?? null;
    const due = retiresAt(term, stream);
    if (due === null) throw new Error(`${stream} is no journal of a day or a month`);
    return { journal: stream, retiresAt: due };
  },
});

export const journalTimers = (terms: Terms) =>
  ({
    name: 'journal-expiry',
    projection: journalExpiries(terms),
    dueAt: 'retiresAt',
  }) as const satisfies DueTable;

export const journalExpiry = (
  timers: ReturnType<typeof journalTimers>,
  retentions: Aggregate<RetentionCommand, Retention>,
  isTrusted: ClockCheck,
): TimerTable<JournalExpiry, RetireJournal> => ({
  ...timers,
  fire: ({ journal }) => ({
    kind: 'retention',
    id: journal,
    command: { type: 'RetireJournal', journal },
  }),
  effects: { retention: commandsTo(retentions) },
  isTrusted,
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
