/**
 * An index from the key of a person to the tickets that refer to it. It contains only random ids.
 * contract.md section 11.
 */
import type { Pool } from 'pg';
import { recordedAs } from '../../engine/log/codec.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { keyOf } from '../../engine/log/streams.ts';
import { schemaOf, type Projection } from '../../engine/projections/projection.ts';

export interface PersonalReferences {
  readonly ticketId: string;
  /** Ids of keys, each once. */
  readonly refs: readonly string[];
}

interface Referring {
  readonly type: 'Referring';
  readonly refs: readonly string[];
}

export const personalReferences: Projection<Referring, PersonalReferences> = {
  name: 'personal-references',
  version: 1,
  categories: ['ticket'],
  codec: {
    decode: (stored) => recordedAs(stored, { type: 'Referring', refs: refsIn(stored) }),
  },
  keyOf: ({ stream, event }) => (event.refs.length === 0 ? null : keyOf(stream)),
  rowAfter: ({ stream, event }, row) => {
    const current = row?.refs ?? [];
    const added = event.refs.filter((ref) => !current.includes(ref));
    if (row !== null && added.length === 0) return row;
    return { ticketId: keyOf(stream), refs: [...current, ...added] };
  },
  table: {
    name: 'ticket',
    key: 'ticketId',
    columns: { ticketId: 'text collate "C" not null', refs: 'json not null' },
    indexes: [],
  },
  tallies: [
    {
      name: 'reference',
      columns: { ref: 'text collate "C" not null', ticketId: 'text collate "C" not null' },
      keysOf: ({ ticketId, refs }) => refs.map((ref) => [ref, ticketId]),
    },
  ],
};

/** Metadata of other programs may have any form. */
const refsIn = ({ meta }: StoredEvent): readonly string[] => {
  const keys: unknown = meta['personKeys'];
  return typeof keys === 'string' ? keys.split(',') : [];
};

/** The tickets that refer to any of them. @param limit Default: all. */
export const ticketsReferringTo = async (
  pool: Pick<Pool, 'query'>,
  refs: readonly string[],
  limit?: number,
): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ readonly ticketId: string }>({
    name: 'tickets of a person',
    text: `select distinct ticket_id as "ticketId"
           from ${schemaOf(personalReferences)}.reference where ref = any($1::text[]) and n > 0
           order by 1 limit $2`,
    values: [refs, limit ?? null],
  });
  return rows.map(({ ticketId }) => ticketId);
};
