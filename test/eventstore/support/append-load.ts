/** Concurrent writers that append until stopped, and their acknowledged events. */
import { onTestFinished } from 'vitest';
import { LogUnavailable, type EventStore } from '../../../src/engine/log/event-store.ts';
import { happened } from '../../support/log/events.ts';
import { allEvents } from '../../support/log/all-events.ts';

/**
 * Half of the writers append to aggregates, half to journals, some with a guard. A writer repeats
 * an unanswered append under the same ids until it is answered.
 *
 * @param category Of all their streams.
 */
export const loadOf = (log: EventStore, category: string, lanes: number) => {
  const acknowledged: string[] = [];
  const answered = Array.from({ length: lanes }, () => 0);
  const unanswered: number[] = [];
  const stop = new AbortController();
  // A closed log answers at once: writers that outlive a failed test would spin forever.
  const over = new AbortController();
  onTestFinished(() => {
    stop.abort();
    over.abort();
  });
  const lane = async (n: number) => {
    const journal = n % 2 === 0;
    const stream = `${category}-${journal ? 'journal' : n}`;
    const guard = { guard: { stream: `${category}guard-1`, revision: null } };
    for (let revision = -1; !stop.signal.aborted;) {
      const events = [happened('A', { n }), happened('B', { n })];
      const expected = journal ? 'any' : revision < 0 ? 'no_stream' : revision;
      for (;;) {
        try {
          const appended = await log.append(stream, expected, events, n % 4 === 0 ? guard : {});
          revision = appended.revision;
          acknowledged.push(...events.map(({ id }) => id));
          answered[n]! += 1;
          break;
        } catch (error) {
          if (over.signal.aborted) return;
          if (!(error instanceof LogUnavailable)) throw error;
          unanswered.push(n);
        }
      }
    }
  };
  const running = Promise.all(Array.from({ length: lanes }, (_, n) => lane(n)));
  return {
    /** Ids of acknowledged events, in the order of the answers. */
    acknowledged,
    /** The number of acknowledged appends of each writer. */
    answered,
    /** The writer of each unanswered append. */
    unanswered,
    async stop() {
      stop.abort();
      await running;
    },
  };
};

/** The ids of all events of these categories, in the order of the log. */
export const storedIds = async (log: EventStore, categories: readonly string[]) => {
  const events = await allEvents(log, { categories });
  return events.map(({ id }) => id);
};
