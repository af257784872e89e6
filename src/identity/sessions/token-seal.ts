/** The tokens of a session, sealed for its row. design.md decision 16. */
import type { Secrets } from '../../engine/secrets/secrets.ts';
import type { Tokens } from './issuer-client.ts';
import type { SessionRow } from './session-rows.ts';

export interface TokenSeal {
  seal(tokens: Tokens, sessionId: string): string;
  /** @throws `CannotOpen` if the secrets key was lost. */
  open(row: Pick<SessionRow, 'sessionId' | 'tokens'>): Tokens;
}

export const tokenSeal = (secrets: Secrets): TokenSeal => ({
  seal: ({ access, refresh, id }, sessionId) =>
    secrets.seal(JSON.stringify({ access, refresh, id }), sessionBinding(sessionId)),
  open: ({ sessionId, tokens }) =>
    JSON.parse(secrets.open(tokens, sessionBinding(sessionId))) as Tokens,
});

/** The context that the tokens of a session are bound to. */
export const sessionBinding = (sessionId: string): string => `session-${sessionId}`;
