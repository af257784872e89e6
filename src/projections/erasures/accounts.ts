/**
 * The rows beside the log that name an account. contract.md section 11.
 *
 * Only those of the organisation: the account may be another one's by now.
 */
import type { Pool } from 'pg';
import type { Accounts } from '../../use-cases/erasures/erasures.ts';

export const accountsIn = (pool: Pick<Pool, 'query'>): Accounts => ({
  async of(organisation, userIds) {
    const { rows } = await pool.query<{ readonly rows: number; readonly sessions: number }>(
      `select sessions, sessions + sign_ins + present as rows from
         (select count(*)::int as sign_ins from people.sign_ins where ${SIGNED_IN}) as a,
         (select count(*)::int as sessions from session.session where ${SESSIONS}) as b,
         (select count(*)::int as present from presence.present where ${PRESENT}) as c`,
      [organisation, userIds],
    );
    return rows[0]!;
  },

  async erase(organisation, userIds) {
    const accounts = [organisation, userIds];
    await pool.query(`delete from session.session where ${SESSIONS}`, accounts);
    await pool.query(`delete from presence.present where ${PRESENT}`, accounts);
    // Last: sessions are found by it too, and may have to be deleted again.
    await pool.query(`delete from people.sign_ins where ${SIGNED_IN}`, accounts);
  },
});

const SIGNED_IN = 'organisation = $1 and user_id = any($2)';
/** Those of accounts that have moved here since, or of an older release, by their sign-ins. */
const SESSIONS = `subject = any($2)
  and (organisation = $1 or subject in (select user_id from people.sign_ins where ${SIGNED_IN}))`;
/** As `callerOf` in projections/presence/presence.ts names them. */
const PRESENT = `caller in (select $1 || ' user:' || id from unnest($2::text[]) as id)`;

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
       where ${SIGNED_IN} order by user_id`,
    ),
    sessions: await rowsOf(
      `select subject as "userId", origin, created_at as "createdAt",
         last_used_at as "lastUsedAt", user_agent as "userAgent", source_ip as "sourceIp"
       from session.session where ${SESSIONS}
       order by created_at`,
    ),
    presence: await rowsOf(
      `select ticket_id as "ticketId", state, since from presence.present
       where ${PRESENT}
       order by since`,
    ),
  };
};
