/** Live events of a building, for a command that runs until it is interrupted. */
import { createLive, LiveRefusedError, type LiveItem } from '../../../sdk/src/live.ts';
import { AtriumUnreachableError } from '../../../sdk/src/unreachable.ts';
import { CommandFailed, signInNeeded } from '../failures.ts';
import { watchedSession } from '../session/watched-session.ts';
import type { Platform } from './platform.ts';

/**
 * Ends when `signal` is aborted.
 *
 * @param since Begins after this position; `null`: with the next event.
 * @throws {@link CommandFailed} if a retry would be refused too.
 */
export async function* liveItems(
  { url, token }: Pick<Platform, 'url' | 'token'>,
  buildingId: string,
  { since, signal }: { readonly since: string | null; readonly signal: AbortSignal },
): AsyncGenerator<LiveItem, void, undefined> {
  const session = watchedSession(token);
  // Retries until the user interrupts it.
  const retryBudgetMs = Number.POSITIVE_INFINITY;
  const live = createLive({ url, token: session.token, retryBudgetMs });
  try {
    yield* live(buildingId, { since, signal: AbortSignal.any([signal, session.ended]) });
  } catch (error) {
    if (error instanceof AtriumUnreachableError)
      throw new CommandFailed(`no live service at ${url}: ${error.message}`, error);
    if (!(error instanceof LiveRefusedError)) throw error;
    const message = `the live service refused the request (${error.code})`;
    throw /^(UNAUTHENTICATED|KEY_\w+)$/.test(error.code)
      ? signInNeeded(`${message}; run atrium login`, error)
      : new CommandFailed(message, error);
  }
  if (session.ended.aborted) throw session.ended.reason as CommandFailed;
}
