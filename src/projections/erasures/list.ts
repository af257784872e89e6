/** The erasures of an organisation, without the ids of keys. contract.md section 11. */
import { erasureCodec } from '../../domain/erasures/codecs.ts';
import { erasureAfter, type ErasureView } from '../../domain/erasures/erasure.ts';
import type { ErasureEvent } from '../../domain/erasures/events.ts';
import { keyOf } from '../../engine/log/streams.ts';
import type { Projection } from '../../engine/projections/projection.ts';

export type ErasureListRow = Omit<ErasureView, 'identityKeys' | 'textKeys'>;

export const erasureList: Projection<ErasureEvent, ErasureListRow> = {
  name: 'erasure-list',
  version: 1,
  categories: ['erasure'],
  codec: erasureCodec,
  keyOf: ({ stream }) => keyOf(stream),
  rowAfter: (recorded, row) => {
    // The listed members do not depend on keys.
    const before = row && { ...row, identityKeys: [], textKeys: [] };
    const { identityKeys: _, textKeys: __, ...listed } = erasureAfter(recorded, before);
    return listed;
  },
  table: {
    name: 'erasure',
    key: 'erasureId',
    columns: {
      erasureId: 'uuid not null',
      organisation: 'text not null',
      texts: 'text not null',
      reason: 'text not null',
      requestedAt: 'text collate "C" not null',
      requestedBy: 'json not null',
      requests: 'integer not null',
      sessions: 'integer not null',
      finishedAt: 'text',
      found: 'json',
    },
    indexes: ['create index on $table (organisation, requested_at, erasure_id)'],
  },
};
