/**
 * Log positions of bus messages by building and type: the index of the list of messages. A row is
 * deleted with its journal. docs/decisions/0015.
 */
import { messageTerm } from '../../domain/bus/events.ts';
import { isType } from '../../domain/bus/subject.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { retiresAt } from '../../engine/retention/terms.ts';
import { recordedAs } from '../../engine/log/codec.ts';
import { sortableOf } from '../../engine/log/positions.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export interface BusPosition {
  /** The event's id: an event that a journal repeats has one row. */
  readonly id: string;
  /** When the event's journal is retired. Names the row's partition; hidden from then on. */
  readonly retiresAt: Instant;
  readonly buildingId: string;
  /** Empty where it cannot be read. */
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  /** The log position in the form of `sortableOf`. */
  readonly place: string;
}

interface BusEventStored {
  readonly type: 'BusEventStored';
  readonly subjectType: string;
}

const subjectTypeOf = (data: unknown): string => {
  if (typeof data !== 'object' || data === null || !('subjectType' in data)) return '';
  const { subjectType } = data;
  return typeof subjectType === 'string' && isType(subjectType) ? subjectType : '';
};

export const busPositions: Projection<BusEventStored, BusPosition> = {
  name: 'bus-positions',
  version: 1,
  categories: ['bus'],
  codec: {
    decode: (stored) =>
      recordedAs(stored, { type: 'BusEventStored', subjectType: subjectTypeOf(stored.data) }),
  },
  table: {
    name: 'position',
    key: 'id',
    columns: {
      id: 'uuid not null',
      retiresAt: 'timestamptz not null',
      buildingId: 'text collate "C" not null',
      type: 'text collate "C" not null',
      stream: 'text collate "C" not null',
      revision: 'bigint not null',
      place: 'text collate "C" not null',
    },
    indexes: [
      'create index on $table (place)',
      'create index on $table (type, place)',
      'create index on $table (building_id, place)',
      'create index on $table (building_id, type, place)',
    ],
    partitions: { by: 'retiresAt', keptMonths: 1 },
  },
  // A stream that is no journal of a day is no part of the bus.
  keyOf: ({ id, stream }) => (retiresAt(messageTerm, stream) === null ? null : id),
  rowAfter: ({ id, stream, revision, position, event }, row) =>
    row ?? {
      id,
      retiresAt: retiresAt(messageTerm, stream)!,
      buildingId: keyOf(stream).split('.', 1)[0]!,
      type: event.subjectType,
      stream,
      revision,
      place: sortableOf(position),
    },
};
