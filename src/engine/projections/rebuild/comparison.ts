import type { Client } from 'pg';
import { DIFFERENCES_NAMED_MAX } from '../../limits.ts';
import { snake, type AnyProjection } from '../projection.ts';
import { statementsOf, type Statements } from '../apply/table-sql.ts';

/** How a table of the live read model compares with the same one built beside it. */
export interface TableComparison {
  readonly table: string;
  readonly live: Digest;
  readonly rebuilt: Digest;
  /** Keys with different rows. */
  readonly different: number;
  /** The first of them, in the order of their keys. */
  readonly first: readonly Difference[];
}

/** A digest of all rows, independent of their order. */
export interface Digest {
  readonly rows: number;
  readonly hash: string;
}

export interface Difference {
  readonly key: string;
  /** `missing`: only the log has it; `surplus`: only the live table has it. */
  readonly what: 'missing' | 'surplus' | 'altered';
}

/**
 * Compares the live tables with those of `beside`, table by table, as one snapshot of `client` has
 * them. A tally's key without a row may be present or not.
 */
export const compared = async (
  client: Client,
  projection: AnyProjection,
  beside: Statements,
): Promise<readonly TableComparison[]> => {
  const live = statementsOf(projection);
  const tallies = projection.tallies ?? [];
  const views = [
    { key: `${snake(projection.table.key)}::text`, where: '' },
    ...tallies.map(({ columns }) => ({
      key: `json_build_array(${Object.keys(columns).map(snake).join(', ')})::text`,
      where: 'where n <> 0',
    })),
  ];
  const found: TableComparison[] = [];
  for (const [index, { key, where }] of views.entries()) {
    const liveTable = live.tables[index]!;
    const other = beside.tables[index]!;
    const digest = async (table: string) => {
      const { rows } = await client.query<Digest>(
        `select count(*) as rows,
                coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as hash
         from ${table} as t ${where}`,
      );
      return rows[0]!;
    };
    const [liveDigest, rebuilt] = [await digest(liveTable), await digest(other)];
    const equal = liveDigest.rows === rebuilt.rows && liveDigest.hash === rebuilt.hash;
    const { rows } = equal
      ? { rows: [] }
      : await client.query<Difference & { readonly different: number }>(
          `select coalesce(mine.key, other.key) as key, count(*) over () as different,
                  case when mine.key is null then 'missing'
                       when other.key is null then 'surplus' else 'altered' end as what
           from (select ${key} as key, t::text as value from ${liveTable} as t ${where}) as mine
           full join (select ${key} as key, t::text as value from ${other} as t ${where}) as other
             using (key)
           where mine.value is distinct from other.value
           order by key limit ${DIFFERENCES_NAMED_MAX}`,
        );
    found.push({
      table: liveTable,
      live: liveDigest,
      rebuilt,
      different: rows[0]?.different ?? 0,
      first: rows.map(({ key, what }) => ({ key, what })),
    });
  }
  return found;
};
