import type { Database } from '../../engine/postgres/pool.ts';
import { parkedMessages, type ParkedMessage } from './parked-messages.ts';
import { statementsOf } from '../../engine/projections/apply/table-sql.ts';

export interface ParkedQueries {
  /** Oldest first; of the named buildings only. */
  list(selection: {
    readonly buildings: ReadonlySet<string> | undefined;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly items: readonly ParkedMessage[]; readonly total: number }>;
}

export const parkedQueries = ({ pool }: Pick<Database, 'pool'>): ParkedQueries => ({
  async list({ buildings, limit, offset }) {
    const where = 'where $1::uuid[] is null or building_id = any($1)';
    const named = buildings ? [...buildings] : null;
    const [{ rows: items }, { rows: counts }] = await Promise.all([
      pool.query<ParkedMessage>(
        `select ${members} from ${TABLE} ${where} order by parked_at, id limit $2 offset $3`,
        [named, limit, offset],
      ),
      pool.query<{ total: number }>(`select count(*)::int as total from ${TABLE} ${where}`, [
        named,
      ]),
    ]);
    return { items, total: counts[0]!.total };
  },
});

const {
  members,
  tables: [TABLE],
} = statementsOf(parkedMessages);
