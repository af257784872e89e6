import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';

export interface SessionRow {
  readonly subject: string;
  /** Default: a fresh one. */
  readonly sessionId?: string;
  /** Default: no name at the issuer. */
  readonly issuerSid?: string;
  /** The sealed tokens. Default: bytes that cannot be opened. */
  readonly tokens?: string;
  /** Default: as an older release stored it, without one. */
  readonly organisation?: string;
}

/** Adds the session of a browser, as a sign-in stores it. */
export const addSession = async (
  db: Pick<Pool, 'query'>,
  { subject, sessionId = randomUUID(), issuerSid, tokens = 'tokens', organisation }: SessionRow,
): Promise<void> => {
  await db.query(
    `insert into session.session (session_id, cookie_hash, origin, subject, issuer_sid, tokens,
       renew_at, token_ends_at, created_at, last_used_at, source_ip, organisation)
     values ($1, $2, 'http://atrium.test', $3, $4, $5, now(), now(), now(), now(), '127.0.0.1',
       $6)`,
    [
      sessionId,
      Buffer.from(`cookie ${sessionId}`),
      subject,
      issuerSid ?? null,
      tokens,
      organisation,
    ],
  );
};
