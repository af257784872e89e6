/** Renews the tokens of a session once for all concurrent requests and processes. */
import type { Pool } from 'pg';
import type { BaseLogger } from 'pino';
import { semaphore } from '../../engine/concurrency/semaphore.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { IdentityUnavailable } from '../caller.ts';
import type { IssuerClient, Tokens } from './issuer-client.ts';
import { REFRESH_WAIT_MAX_MS, REFRESHES_AT_ONCE_MAX } from './limits.ts';
import { endSession, instant, lockSession, renewSession, type SessionRow } from './session-rows.ts';
import type { TokenSeal } from './token-seal.ts';

export interface RenewalParts {
  readonly pool: Pool;
  readonly client: Pick<IssuerClient, 'refresh'>;
  readonly seal: TokenSeal;
  readonly logger: Pick<BaseLogger, 'info'>;
}

/**
 * The session with new tokens; `null` if the issuer has ended it, or the refresh token was used
 * elsewhere, which ends the session here too.
 *
 * @throws {@link IdentityUnavailable} if the issuer cannot be reached; the session continues.
 */
export type Renew = (row: SessionRow) => Promise<SessionRow | null>;

/**
 * The issuer treats the second use of a refresh token as theft. So a refresh locks the session's
 * row, until its process ends at the latest, and first checks whether another one was faster.
 */
export const renewal = ({ pool, client, seal, logger }: RenewalParts): Renew => {
  const underway = new Map<string, Promise<SessionRow | null>>();
  const places = semaphore(REFRESHES_AT_ONCE_MAX);

  const refresh = (seen: SessionRow) =>
    transaction(pool, async (connection) => {
      const { sessionId } = seen;
      const row = await lockSession(connection, sessionId, REFRESH_WAIT_MAX_MS);
      if (row === null || row.rotation !== seen.rotation) return row;
      const tokens: Tokens = seal.open(row);
      const granted = await client.refresh(tokens);
      if (granted === null) {
        await endSession(connection, sessionId);
        logger.info({ sessionId }, 'the issuer has ended a session');
        return null;
      }
      const columns = {
        tokens: seal.seal(granted, sessionId),
        renewAt: instant(granted.renewAtMs),
        tokenEndsAt: instant(granted.endsAtMs),
      };
      await renewSession(connection, sessionId, columns);
      return { ...row, ...columns, rotation: row.rotation + 1 };
    }).catch((error: unknown) => {
      if (Object(error).code !== LOCK_NOT_AVAILABLE) throw error;
      throw new IdentityUnavailable('Another process is renewing the session.', error);
    });

  return (row) => {
    const { sessionId } = row;
    const flight = underway.get(sessionId);
    if (flight) return flight;
    const renewed = places.run(() => refresh(row)).finally(() => underway.delete(sessionId));
    underway.set(sessionId, renewed);
    return renewed;
  };
};

/** Postgres: `lock_timeout` has expired. */
const LOCK_NOT_AVAILABLE = '55P03';
