/** The session of a command that runs until it is interrupted. */
import { exitCodes } from '../exit-codes.ts';
import { CommandFailed } from '../failures.ts';
import type { Connection } from './connection.ts';

export interface WatchedSession {
  readonly token: Connection['token'];
  /** Aborts, with a {@link CommandFailed} as its reason, when the session has ended for good. */
  readonly ended: AbortSignal;
}

/** A session that has ended is no connection that may come back: what uses it should stop. */
export const watchedSession = (token: Connection['token']): WatchedSession => {
  const ended = new AbortController();
  return {
    ended: ended.signal,
    async token() {
      try {
        return await token();
      } catch (error) {
        if (error instanceof CommandFailed && error.exitCode === exitCodes.signInNeeded)
          ended.abort(error);
        throw error;
      }
    },
  };
};
