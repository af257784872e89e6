/** The table of ticket numbers at which organisations continued after a restore of the log. */
import type { PoolClient } from 'pg';
import type { Queryable } from '../../engine/consumers/checkpoints.ts';
import type { PublishedTickets } from './published-state.ts';

/** By organisation, the highest number that may have been assigned before the last restore. */
export const restoredNumbers = async (db: Queryable): Promise<readonly PublishedTickets[]> => {
  const { rows } = await db.query<{ organisation: string; highest: string }>({
    name: 'restored numbering',
    text: `select organisation, (next_number - 1)::text as highest
           from consumers.restored_numbering`,
  });
  return rows.map((row) => ({ ...row, highest: Number(row.highest) }));
};

/** Idempotent; never lowers a number. */
export const noteRestoredNumber = async (
  client: PoolClient,
  organisation: string,
  next: number,
): Promise<void> => {
  await client.query(
    `insert into consumers.restored_numbering as r (organisation, next_number) values ($1, $2)
     on conflict (organisation) do update
       set next_number = greatest(r.next_number, excluded.next_number)`,
    [organisation, next],
  );
};
