/**
 * The rows beside the log that name an account. contract.md section 11.
 *
 * Sessions and presence have no organisation: they are those of the accounts that have signed in to
 * it, so that nobody ends the sessions of another organisation's people.
 */
import type { Pool } from 'pg';
import type { Accounts } from '../../use-cases/erasures/erasures.ts';

export const accountsIn = (pool: Pick<Pool, 'query'>): Accounts => ({
  async of(organisation, userIds) {
    const { rows } = await pool.query<{ readonly rows: number; readonly sessions: number }>(
      `with own as (${SIGNED_IN})
       select sessions, sessions + sign_ins + present as rows from
         (select count(*)::int as sign_ins from own) as a,
         (select count(*)::int as sessions from session.session
            where subject in (select user_id from own)) as b,
         (select count(*)::int as present from presence.present
            where actor->>'kind' = 'user' and actor->>'id' in (select user_id from own)) as c`,
      [organisation, userIds],
    );
    return rows[0]!;
  },

  async erase(organisation, userIds) {
    const accounts = [organisation, userIds];
    await pool.query(`delete from session.session where subject in (${SIGNED_IN})`, accounts);
    await pool.query(
      `delete from presence.present
       where actor->>'kind' = 'user' and actor->>'id' in (${SIGNED_IN})`,
      accounts,
    );
    // Last: it names the accounts to the statements before, which may be repeated.
    await pool.query(
      'delete from people.sign_ins where organisation = $1 and user_id = any($2)',
      accounts,
    );
  },
});

const SIGNED_IN =
  'select user_id from people.sign_ins where organisation = $1 and user_id = any($2)';
