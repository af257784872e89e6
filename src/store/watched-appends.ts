import { APPENDS_FAILING_SHOWN_MS } from '../limits.ts';
import { LogUnavailable, type EventStore } from './event-store.ts';

/** A log, and whether it takes appends. */
export interface WatchedAppends {
  /** The log itself, for whoever appends. */
  readonly log: EventStore;
  /**
   * `true`, or why the last append failed. A log that can be read may still take nothing, as with a
   * full disk. Said for {@link APPENDS_FAILING_SHOWN_MS} only, unless another one fails: where
   * nobody is sent any more, no append would ever show that it is over.
   */
  ready(): true | string;
}

export const watchedAppends = (log: EventStore): WatchedAppends => {
  let failed: { readonly error: LogUnavailable; readonly at: number } | null = null;
  return {
    log: {
      keeping: log.keeping,
      tellsEveryRepeat: log.tellsEveryRepeat,
      async append(stream, expected, events, options) {
        try {
          const appended = await log.append(stream, expected, events, options);
          failed = null;
          return appended;
        } catch (error) {
          if (error instanceof LogUnavailable) failed = { error, at: performance.now() };
          throw error;
        }
      },
      readStream: (stream, range) => log.readStream(stream, range),
      readAll: (after, range) => log.readAll(after, range),
      subscribe: (after, options) => log.subscribe(after, options),
      head: () => log.head(),
      compare: (a, b) => log.compare(a, b),
      distance: (a, b) => log.distance(a, b),
      truncateStream: (stream, before) => log.truncateStream(stream, before),
      deleteStream: (stream) => log.deleteStream(stream),
      close: () => log.close(),
    },
    ready() {
      if (!failed || performance.now() - failed.at > APPENDS_FAILING_SHOWN_MS) return true;
      return `an append has failed: ${failed.error.message}`;
    },
  };
};
