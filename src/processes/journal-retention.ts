/**
 * Journals by day are forgotten when their term is over: a timer asks, the aggregate
 * `retention-<journal>` decides, and a process carries out what it decided. design.md decision 15.
 */
import type { BuildingEvent } from '../domain/building/events.ts';
import {
  retentionEventSchemas,
  retiresAt,
  type RetentionCommand,
  type RetentionEvent,
} from '../domain/retention/retention.ts';
import type { Instant } from '../domain/decider.ts';
import type { Projection } from '../projections/projection.ts';
import { buildingCodec } from '../store/announcements.ts';
import { codecOf, type Codec, type Recorded } from '../store/codec.ts';
import { categoryOf } from '../store/streams.ts';
import type { Process } from './process.ts';
import type { TimerTable } from './timer-table.ts';

export const retentionCodec = codecOf<RetentionEvent>({
  JournalRetired: { schema: retentionEventSchemas.JournalRetired },
});

/** A journal that will have to go, and when. */
export interface JournalExpiry {
  /** The stream. */
  readonly journal: string;
  readonly retiresAt: Instant;
}

const journalCodec: Codec<BuildingEvent | RetentionEvent> = {
  encode: (id, event, record) =>
    event.type === 'JournalRetired'
      ? retentionCodec.encode(id, event, record)
      : buildingCodec.encode(id, event, record),
  decode: (stored) =>
    categoryOf(stored.stream) === 'retention'
      ? retentionCodec.decode(stored)
      : buildingCodec.decode(stored),
};

const journalOf = ({ stream, event }: Recorded<BuildingEvent | RetentionEvent>): string =>
  event.type === 'JournalRetired' ? event.journal : stream;

const expiries: Projection<BuildingEvent | RetentionEvent, JournalExpiry> = {
  name: 'journal-expiry',
  version: 1,
  categories: ['building', 'retention'],
  codec: journalCodec,
  table: {
    name: 'journal',
    columns: { journal: 'text not null', retiresAt: 'timestamptz not null' },
    key: 'journal',
    indexes: ['create index on $table (retires_at)'],
  },
  keyOf: journalOf,
  rowAfter: (recorded) => {
    if (recorded.event.type === 'JournalRetired') return null;
    const due = retiresAt(recorded.stream);
    if (due === null) throw new Error(`${recorded.stream} is no journal of a day`);
    return { journal: recorded.stream, retiresAt: due };
  },
};

export const journalExpiry: TimerTable<JournalExpiry> = {
  name: 'journal-expiry',
  projection: expiries,
  dueAt: 'retiresAt',
  fire: ({ journal }) => ({
    to: 'retention',
    id: journal,
    command: { type: 'RetireJournal', journal } satisfies RetentionCommand,
  }),
};

export const journalRetention: Process<RetentionEvent> = {
  name: 'journal-retention',
  categories: ['retention'],
  codec: retentionCodec,
  on: {
    JournalRetired: ({ event: { journal } }) => [{ kind: 'delete-stream', stream: journal }],
  },
};
