/** Reseals rows that were sealed under another key under the first secrets key. */
import type { Pool } from 'pg';
import { isMissingTable } from '../../engine/postgres/errors.ts';
import { vacuum } from '../../engine/postgres/vacuum.ts';
import { CannotOpen, keyIdOf, type Secrets } from '../../engine/secrets/secrets.ts';
import { sessionBinding } from '../../identity/sessions/token-seal.ts';
import { SECRETS_REWRAPPED_AT_ONCE } from '../limits.ts';

/** A table with a column that `ATRIUM_SECRETS_KEY` seals. */
interface SealedTable {
  readonly table: string;
  /** A column of type uuid. */
  readonly id: string;
  readonly column: string;
  /** The context that the sealed text is bound to. */
  readonly boundTo: (id: string) => string;
}

/** All sealed columns in Postgres. Data sealed in events is not changed. */
export const sealedTables: readonly SealedTable[] = [
  { table: 'personal.keys', id: 'key_id', column: 'wrapped', boundTo: (keyId) => keyId },
  {
    table: 'session.session',
    id: 'session_id',
    column: 'tokens',
    boundTo: sessionBinding,
  },
];

export interface Rewrapped {
  readonly rows: number;
  /** By id of a secrets key that is missing or does not open them, the rows left unchanged. */
  readonly closed: ReadonlyMap<string, number>;
}

interface Row {
  readonly id: string;
  readonly sealed: string;
}

/**
 * In batches of {@link SECRETS_REWRAPPED_AT_ONCE}, one statement each. A row that was changed or
 * deleted meanwhile is skipped. Idempotent. Ends early, without an error, when `signal` aborts.
 */
export const rewrapped = async (
  pool: Pool,
  secrets: Secrets,
  { table, id, column, boundTo }: SealedTable,
  signal: AbortSignal,
): Promise<Rewrapped> => {
  const current = keyIdOf(secrets.seal('', table));
  const closed = new Map<string, number>();
  let rows = 0;
  let after = FIRST;
  const again = ({ id: rowId, sealed }: Row) => {
    try {
      const text = secrets.open(sealed, boundTo(rowId));
      return [{ id: rowId, before: sealed, after: secrets.seal(text, boundTo(rowId)) }];
    } catch (error) {
      if (!(error instanceof CannotOpen)) throw error;
      closed.set(keyIdOf(sealed), (closed.get(keyIdOf(sealed)) ?? 0) + 1);
      return [];
    }
  };
  while (!signal.aborted) {
    const { rows: page } = await pool.query<Row>(
      `select ${id} as id, ${column} as sealed from ${table}
       where ${id} > $1 and split_part(${column}, '.', 2) <> $2 order by ${id} limit $3`,
      [after, current, SECRETS_REWRAPPED_AT_ONCE],
    );
    if (page.length === 0) break;
    const { rowCount } = await pool.query(
      `update ${table} t set ${column} = given.after
       from json_to_recordset($1::json) as given (id uuid, before text, after text)
       where t.${id} = given.id and t.${column} = given.before`,
      [JSON.stringify(page.flatMap(again))],
    );
    rows += rowCount ?? 0;
    after = page.at(-1)!.id;
  }
  // Vacuumed, because the pages still hold the old rows, also those of a command killed before.
  if (!signal.aborted) await vacuum({ pool, name: 'atrium rewrap', signal }, [table]);
  return { rows, closed };
};

/** {@link rewrapped} for a database of an older release, which may lack the table. */
export const rewrappedIfThere: typeof rewrapped = (...call) =>
  rewrapped(...call).catch((error: unknown) => {
    if (isMissingTable(error)) return { rows: 0, closed: new Map<string, number>() };
    throw error;
  });

/** No row has this id. */
const FIRST = '00000000-0000-0000-0000-000000000000';
