/** The table of browser sessions. Every time is real time and comes from the caller. */
import type { Pool, PoolClient } from 'pg';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { SESSION_AGE_MAX_MS, SESSION_IDLE_MAX_MS, SESSIONS_OF_PERSON_MAX } from './limits.ts';

export interface SessionRow {
  readonly sessionId: string;
  /** Origin of the cookie's host. */
  readonly origin: string;
  readonly subject: string;
  readonly issuerSid: string | null;
  /** The sealed tokens. */
  readonly tokens: string;
  /** Number of renewals of the tokens. */
  readonly rotation: number;
  readonly renewAt: Instant;
  readonly tokenEndsAt: Instant;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant;
  readonly userAgent: string | null;
  readonly sourceIp: string;
}

export type RenewedColumns = Pick<SessionRow, 'tokens' | 'renewAt' | 'tokenEndsAt'>;

type Queries = Pick<Pool | PoolClient, 'query'>;

const COLUMNS = `session_id as "sessionId", origin, subject, issuer_sid as "issuerSid", tokens,
  rotation, renew_at as "renewAt", token_ends_at as "tokenEndsAt", created_at as "createdAt",
  last_used_at as "lastUsedAt", user_agent as "userAgent", source_ip as "sourceIp"`;

/** Neither too old nor idle for too long, with the times of {@link bounds}. */
const ALIVE = 'created_at > $1 and last_used_at > $2';

const bounds = (nowMs: number): readonly [Instant, Instant] => [
  instant(nowMs - SESSION_AGE_MAX_MS),
  instant(nowMs - SESSION_IDLE_MAX_MS),
];

export const instant = (ms: number): Instant => new Date(ms).toISOString();

/** The time at which a session ends if it is not used again. */
export const endOf = ({ createdAt, lastUsedAt }: SessionRow): Instant =>
  instant(
    Math.min(
      Date.parse(createdAt) + SESSION_AGE_MAX_MS,
      Date.parse(lastUsedAt) + SESSION_IDLE_MAX_MS,
    ),
  );

/**
 * Deletes the sessions of a condition. A sign-in and the issuer's logout lock those of a person in
 * the same order: in different ones they would deadlock.
 */
const endThose = (where: string): string =>
  `with ended as (
     select session_id from session.session where ${where} order by session_id for update)
   delete from session.session using ended where session.session_id = ended.session_id`;

/** Stores a new session, and ends those of the person beyond {@link SESSIONS_OF_PERSON_MAX}. */
export const addSession = async (
  db: Queries,
  row: Omit<SessionRow, 'rotation' | 'lastUsedAt'> & {
    readonly cookieHash: Buffer;
    /** The person's at the sign-in. */
    readonly organisation: string | null;
  },
): Promise<void> => {
  await db.query({
    name: 'session add',
    text: `insert into session.session (session_id, cookie_hash, origin, subject, issuer_sid,
             tokens, renew_at, token_ends_at, created_at, last_used_at, user_agent, source_ip,
             organisation)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12)`,
    values: [
      row.sessionId,
      row.cookieHash,
      row.origin,
      row.subject,
      row.issuerSid,
      row.tokens,
      row.renewAt,
      row.tokenEndsAt,
      row.createdAt,
      row.userAgent,
      row.sourceIp,
      row.organisation,
    ],
  });
  await db.query({
    name: 'session bound',
    text: endThose(`session_id in (
             select session_id from session.session where subject = $1
             order by last_used_at desc, session_id offset $2)`),
    values: [row.subject, SESSIONS_OF_PERSON_MAX],
  });
};

/** The session of a cookie at this host; `null` if it has ended. */
export const sessionOf = async (
  db: Queries,
  cookieHash: Buffer,
  origin: string,
  nowMs: number,
): Promise<SessionRow | null> => {
  const { rows } = await db.query<SessionRow>({
    name: 'session of cookie',
    text: `select ${COLUMNS} from session.session
           where ${ALIVE} and cookie_hash = $3 and origin = $4`,
    values: [...bounds(nowMs), cookieHash, origin],
  });
  return rows[0] ?? null;
};

/** The sessions of a person, most recently used first. */
export const sessionsOf = async (
  db: Queries,
  subject: string,
  nowMs: number,
): Promise<readonly SessionRow[]> => {
  const { rows } = await db.query<SessionRow>({
    name: 'sessions of person',
    text: `select ${COLUMNS} from session.session where ${ALIVE} and subject = $3
           order by last_used_at desc, session_id`,
    values: [...bounds(nowMs), subject],
  });
  return rows;
};

/** Not while the row is locked by a refresh of its tokens, which may take long. */
export const noteUse = async (db: Queries, sessionId: string, at: Instant): Promise<void> => {
  await db.query({
    name: 'session use',
    text: `update session.session set last_used_at = $2
           where session_id = (select session_id from session.session
             where session_id = $1 and last_used_at < $2 for update skip locked)`,
    values: [sessionId, at],
  });
};

/** Locks the row for the rest of the transaction; `null` if the session has ended. */
export const lockSession = async (
  client: PoolClient,
  sessionId: string,
  waitMaxMs: number,
): Promise<SessionRow | null> => {
  await client.query(`set local lock_timeout = ${waitMaxMs}`);
  const { rows } = await client.query<SessionRow>({
    name: 'session lock',
    text: `select ${COLUMNS} from session.session where session_id = $1 for update`,
    values: [sessionId],
  });
  return rows[0] ?? null;
};

export const renewSession = async (
  client: PoolClient,
  sessionId: string,
  { tokens, renewAt, tokenEndsAt }: RenewedColumns,
): Promise<void> => {
  await client.query({
    name: 'session renew',
    text: `update session.session set tokens = $2, renew_at = $3, token_ends_at = $4,
             rotation = rotation + 1
           where session_id = $1`,
    values: [sessionId, tokens, renewAt, tokenEndsAt],
  });
};

/** Idempotent. @returns Its sealed tokens; `null`: it had ended. */
export const endSession = async (db: Queries, sessionId: string): Promise<string | null> => {
  const { rows } = await db.query<Pick<SessionRow, 'tokens'>>({
    name: 'session end',
    text: 'delete from session.session where session_id = $1 returning tokens',
    values: [sessionId],
  });
  return rows[0]?.tokens ?? null;
};

/** @returns The number of sessions that the issuer's logout has ended. */
export const endSessionsOf = async (
  db: Queries,
  { sid, subject }: { readonly sid: string | null; readonly subject: string | null },
): Promise<number> => {
  const { rowCount } = await db.query({
    name: 'sessions end',
    text: endThose(`($1::text is not null or $2::text is not null)
             and ($2::text is null or subject = $2)
             and ($1::text is null or issuer_sid = $1 or ($2 is not null and issuer_sid is null))`),
    values: [sid, subject],
  });
  return rowCount ?? 0;
};

/** @returns False if this token was used before. */
export const useLogoutToken = async (
  db: Queries,
  tokenHash: Buffer,
  keptUntil: Instant,
): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'logout token use',
    text: `insert into session.logout_token (token_hash, kept_until) values ($1, $2)
           on conflict do nothing`,
    values: [tokenHash, keptUntil],
  });
  return rowCount === 1;
};

/** Deletes expired sessions and logout tokens. */
export const sweepSessions = async (db: Queries, nowMs: number): Promise<void> => {
  await db.query(`delete from session.session where not (${ALIVE})`, [...bounds(nowMs)]);
  await db.query('delete from session.logout_token where kept_until < $1', [instant(nowMs)]);
};
