/** Concurrent writers that append under guards while the guards change. */
import { onTestFinished } from 'vitest';
import {
  GuardMoved,
  LogUnavailable,
  type EventStore,
  type Position,
} from '../../../src/engine/log/event-store.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { keyringAnnouncements, keyUseLog } from '../../../src/identity/keys/key-use-log.ts';
import { currentVersions } from '../../support/log/keys.ts';
import { happened } from '../../support/log/events.ts';
import { allEvents } from '../../support/log/all-events.ts';

const LANES = 8;
const GUARDS = 4;

/**
 * @param log The log of the writers.
 * @param other The same log, opened by another process, which changes the guards.
 * @param category The category of the journals.
 */
export const guardedLoad = (log: EventStore, other: EventStore, category: string) => {
  const uses = keyUseLog({ log, clock: systemClock, versions: currentVersions });
  const announcing = keyringAnnouncements({ log: other, clock: systemClock });
  const acknowledged: string[] = [];
  /** Answered guard changes, each with a lower bound of the log's position by then. */
  const changed: { stream: string; revision: number; after: Position }[] = [];
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const streamOf = (n: number) => `keyring-${category}${n % GUARDS}`;

  /** Retries until it is answered; gives up on a closed log, after a failed test. */
  const patiently = async <T>(act: () => Promise<T>): Promise<T | undefined> => {
    while (!stop.signal.aborted) {
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof LogUnavailable)) throw error;
      }
    }
    return undefined;
  };
  const tailOf = async (stream: string) =>
    (await log.readStream(stream, { backwards: true, limit: 1 }))[0]?.revision ?? null;

  const lane = async (n: number) => {
    const stream = streamOf(n);
    for (let revision: number | null | undefined = null; !stop.signal.aborted;) {
      const event = happened('Used', { stream, revision });
      const guard = { stream, revision: revision ?? null };
      const family = { category, period: '202603' };
      try {
        const given = () =>
          uses.record({ journal: `${category}-${n}.202603`, family, event, guard });
        if (await patiently(given)) acknowledged.push(event.id);
      } catch (error) {
        if (!(error instanceof GuardMoved)) throw error;
        revision = await patiently(() => tailOf(stream));
      }
    }
  };
  const change = async () => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const stream = streamOf(n);
      const events = [happened('Changed')];
      const appended = await patiently(async () => {
        const made = await other.append(stream, 'any', events);
        await announcing.announce(stream, made.revision);
        return made;
      });
      const head = appended && (await patiently(() => other.head()));
      if (head) changed.push({ stream, revision: appended.revision, after: head.position! });
    }
  };
  const running = Promise.all([...Array.from({ length: LANES }, (_, n) => lane(n)), change()]);

  return {
    acknowledged,
    changed,
    /** Stops. @returns Uses that follow the answer to a change they were not checked against. */
    async stop() {
      stop.abort();
      await running;
      await uses.close();
      const late: string[] = [];
      const stored = new Set<string>();
      const events = await allEvents(log, { categories: [category] });
      for (const { id, type, data, position } of events) {
        if (type !== 'Used') continue;
        stored.add(id);
        const judged = data as { readonly stream: string; readonly revision: number | null };
        const isLate = changed.some(
          ({ stream, revision, after: answered }) =>
            stream === judged.stream &&
            (judged.revision ?? -1) < revision &&
            log.compare(position, answered) > 0,
        );
        if (isLate) late.push(id);
      }
      return { late, lost: acknowledged.filter((id) => !stored.has(id)) };
    },
  };
};
