/** The audit chains without their consumer, and tampered journals. */
import { chainedCategories } from '../../../src/domain/keys/audit-chain.ts';
import { systemClock, type Clock } from '../../../src/engine/time/clock.ts';
import { AuditChains } from '../../../src/processes/keys/audit-chains.ts';
import type { EventStore, Position, StoredEvent } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { allEvents } from './all-events.ts';

/** Chains every record of the log. @returns The last position. */
export const chainAll = async (
  log: EventStore,
  clock: Clock = systemClock,
): Promise<Position | null> => {
  const chains = new AuditChains({ log, clock });
  const events = await allEvents(log, { categories: chainedCategories });
  chains.add(events);
  await chains.flush();
  return events.at(-1)?.position ?? null;
};

/** The log with the events of `stream` changed by `tamper`. */
export const tampered = (
  log: EventStore,
  stream: string,
  tamper: (events: readonly StoredEvent[]) => readonly StoredEvent[],
): EventStore =>
  logWith(log, {
    async readStream(asked, range = {}) {
      if (asked !== stream) return log.readStream(asked, range);
      const { from = 0, limit = 1_000, backwards = false } = range;
      const events = tamper(await log.readStream(stream, { limit: 1_000 }));
      if (backwards) return events.toReversed().slice(0, limit);
      return events.filter(({ revision }) => revision >= from).slice(0, limit);
    },
  });

/** Renumbered from 0. */
export const renumbered = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
  events.map((event, revision) => ({ ...event, revision }));
