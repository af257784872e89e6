import { APPENDS_FAILING_SHOWN_MS } from '../limits.ts';
import { notReady, type Ready } from '../observe/readiness-error.ts';
import { LogUnavailable, type EventStore } from './event-store.ts';
import { logWith } from './log-with.ts';

/** A log, and whether its appends succeed. */
export interface WatchedAppends {
  /** The log itself, for whoever appends. */
  readonly log: EventStore;
  /**
   * `true`, or why the last append failed: a log that can be read may refuse appends, as with a
   * full disk. Only for {@link APPENDS_FAILING_SHOWN_MS} after the last failure: a process that is
   * not ready is sent no requests, so that no append would ever show that it can again. The failure
   * of an append that was begun before another succeeded tells of what is over, such as a change of
   * leaders.
   */
  ready(): Ready;
}

export const watchedAppends = (log: EventStore): WatchedAppends => {
  let succeeded = 0;
  let failed: { readonly error: LogUnavailable; readonly at: number } | null = null;
  return {
    log: logWith(log, {
      async append(...call) {
        const before = succeeded;
        try {
          const appended = await log.append(...call);
          failed = null;
          succeeded += 1;
          return appended;
        } catch (error) {
          if (error instanceof LogUnavailable && succeeded === before)
            failed = { error, at: performance.now() };
          throw error;
        }
      },
    }),
    ready() {
      if (!failed || performance.now() - failed.at > APPENDS_FAILING_SHOWN_MS) return true;
      return notReady(`an append has failed: ${failed.error.message}`);
    },
  };
};
