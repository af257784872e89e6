/**
 * The rows beside the log that name an account. contract.md section 11.
 *
 * Sessions and presence have no organisation: only those of accounts that have signed in to it are
 * included, so that an erasure cannot end sessions of another organisation's people.
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
    // Last: the statements before find the accounts by it, and may have to be repeated.
    await pool.query(
      'delete from people.sign_ins where organisation = $1 and user_id = any($2)',
      accounts,
    );
  },
});

const SIGNED_IN =
  'select user_id from people.sign_ins where organisation = $1 and user_id = any($2)';

/** The rows beside the log that name an account, without secrets. */
export interface AccountRows {
  readonly signIns: readonly object[];
  readonly sessions: readonly object[];
  readonly presence: readonly object[];
}

export const accountRowsOf = async (
  pool: Pick<Pool, 'query'>,
  organisation: string,
  userIds: readonly string[],
): Promise<AccountRows> => {
  const rowsOf = async (text: string) =>
    (await pool.query<object>(text, [organisation, userIds])).rows;
  return {
    signIns: await rowsOf(
      `select user_id as "userId", name, seen_on as "lastSeenOn" from people.sign_ins
       where organisation = $1 and user_id = any($2) order by user_id`,
    ),
    sessions: await rowsOf(
      `select subject as "userId", origin, created_at as "createdAt",
         last_used_at as "lastUsedAt", user_agent as "userAgent", source_ip as "sourceIp"
       from session.session where subject in (${SIGNED_IN})
       order by created_at`,
    ),
    presence: await rowsOf(
      `select ticket_id as "ticketId", state, since from presence.present
       where caller in (select $1 || ' user:' || id from unnest($2::text[]) as id)
       order by since`,
    ),
  };
};
