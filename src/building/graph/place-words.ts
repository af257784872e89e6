/**
 * The searchable text of places: code and name of buildings, storeys, spaces and elements. Imports
 * write it with the nodes; the sweep writes that of the migration and of older releases.
 */
import type { ClientBase, Pool } from 'pg';
import { searchableParts } from '../../domain/searchable-text.ts';
import { repeat } from '../../engine/concurrency/repeat.ts';
import type { Report } from '../../engine/observe/report.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { PLACE_WORDS_AT_ONCE, PLACE_WORDS_SWEEP_MS } from './limits.ts';

interface Named {
  readonly code: string;
  readonly name: string;
}

/** `null` for a point: no ticket is located at one. */
export const placeWordsOf = ({ kind, code, name }: Named & { readonly kind: string }) =>
  kind === 'point' ? null : searchableParts([code, name]);

/**
 * No words, or those of an older release with what {@link searchableParts} folds today: `‐` to `―`,
 * `‘`, `’`, `ʼ` or a soft hyphen. The condition of the index `node_words_due`.
 */
export const WORDS_ARE_DUE = `
  (words is null or words ~ 'BIGH[G-LOP]|BGIRS|AQT') and kind <> 'point'`;

/** Writes the building's missing or outdated words, in the caller's transaction. */
export const writeWordsWithin = async (client: ClientBase, buildingId: string): Promise<void> => {
  for (let written = PLACE_WORDS_AT_ONCE; written === PLACE_WORDS_AT_ONCE;)
    written = await writeSome(client, 'building_id = $2', [buildingId]);
};

/**
 * Writes the missing or outdated words of at most {@link PLACE_WORDS_AT_ONCE} places. Skips places
 * that another transaction is writing.
 *
 * @returns The number of places written.
 */
export const writeDueWords = (db: Pool): Promise<number> =>
  transaction(db, (client) => writeSome(client, 'true', []));

const writeSome = async (
  client: ClientBase,
  condition: string,
  values: readonly unknown[],
): Promise<number> => {
  const { rows } = await client.query<Named & { readonly id: string; readonly kind: string }>(
    `select id, kind, code, name from graph.node
     where ${WORDS_ARE_DUE} and ${condition}
     limit $1 for no key update skip locked`,
    [PLACE_WORDS_AT_ONCE, ...values],
  );
  if (rows.length === 0) return 0;
  await client.query(
    `update graph.node set words = n.words
     from json_to_recordset($1) as n(id uuid, words text) where node.id = n.id`,
    [JSON.stringify(rows.map((row) => ({ id: row.id, words: placeWordsOf(row) })))],
  );
  return rows.length;
};

/** Writes all missing or outdated words, and repeats this every {@link PLACE_WORDS_SWEEP_MS}. */
export const sweepPlaceWords = (
  { db, logger }: { readonly db: Pool; readonly logger: Pick<Report, 'warn'> },
  signal: AbortSignal,
): Promise<void> =>
  repeat(
    async () => ((await writeDueWords(db)) === PLACE_WORDS_AT_ONCE ? 0 : PLACE_WORDS_SWEEP_MS),
    {
      signal,
      failed: (error) => logger.warn({ err: error }, 'words of places could not be written'),
      pauseMaxMs: PLACE_WORDS_SWEEP_MS,
    },
  );
