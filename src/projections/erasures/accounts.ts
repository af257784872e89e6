/** The rows beside the log that name an account. contract.md section 11. */
import type { Pool } from 'pg';
import type { Accounts } from '../../use-cases/erasures/erasures.ts';

export const accountsIn = (pool: Pick<Pool, 'query'>): Accounts => ({
  async of(organisation, userIds) {
    const { rows } = await pool.query<{ readonly rows: number; readonly sessions: number }>(
      `select sessions, sessions + sign_ins + present as rows from
         (select count(*)::int as sessions from session.session where subject = any($2)) as a,
         (select count(*)::int as sign_ins from people.sign_ins
            where organisation = $1 and user_id = any($2)) as b,
         (select count(*)::int as present from presence.present
            where actor->>'kind' = 'user' and actor->>'id' = any($2)) as c`,
      [organisation, userIds],
    );
    return rows[0]!;
  },

  async erase(organisation, userIds) {
    await pool.query('delete from session.session where subject = any($1)', [userIds]);
    await pool.query('delete from people.sign_ins where organisation = $1 and user_id = any($2)', [
      organisation,
      userIds,
    ]);
    await pool.query(
      `delete from presence.present where actor->>'kind' = 'user' and actor->>'id' = any($1)`,
      [userIds],
    );
  },
});
