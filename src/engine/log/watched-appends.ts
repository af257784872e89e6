import { APPENDS_NOT_READY_MS } from '../limits.ts';
import { readinessError, type Ready } from '../observe/readiness-error.ts';
import { LogUnavailable, type Channel, type EventStore } from './event-store.ts';
import { channelWith, logWith } from './log-with.ts';

/** A log, and whether its appends succeed. */
export interface WatchedAppends {
  /** The log itself, for appending. */
  readonly log: EventStore;
  /**
   * `true`, or why the last append failed: a log that can be read may refuse appends, as with a
   * full disk. Only for {@link APPENDS_NOT_READY_MS} after the last failure: a process that is not
   * ready gets no requests, so that no append could ever succeed again. The failure of an append
   * that began before another one succeeded is ignored: its cause, such as a change of leaders, is
   * over.
   */
  ready(): Ready;
}

export const watchedAppends = (log: EventStore): WatchedAppends => {
  let succeeded = 0;
  let failed: { readonly error: LogUnavailable; readonly at: number } | null = null;

  const hasSucceeded = () => {
    failed = null;
    succeeded += 1;
  };
  const hasFailed = (error: unknown, before: number) => {
    if (error instanceof LogUnavailable && succeeded === before)
      failed = { error, at: performance.now() };
  };
  const watchedChannel = (channel: Channel) =>
    channelWith(channel, async (what, withinMs, work) => {
      const before = succeeded;
      try {
        return await channel.ask(what, withinMs, (calls) =>
          work({
            ...calls,
            async append(request) {
              const appended = await calls.append(request);
              hasSucceeded();
              return appended;
            },
          }),
        );
      } catch (error) {
        hasFailed(error, before);
        throw error;
      }
    });

  return {
    log: logWith(log, {
      channel: log.channel && watchedChannel(log.channel),
      async append(...call) {
        const before = succeeded;
        try {
          const appended = await log.append(...call);
          hasSucceeded();
          return appended;
        } catch (error) {
          hasFailed(error, before);
          throw error;
        }
      },
    }),
    ready() {
      if (!failed || performance.now() - failed.at > APPENDS_NOT_READY_MS) return true;
      return readinessError(`an append has failed: ${failed.error.message}`);
    },
  };
};
