import type { EventType } from '../log/codec.ts';
import {
  LogUnavailable,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../log/event-store.ts';
import { logWith } from '../log/log-with.ts';
import { untilReachable } from '../log/until-reachable.ts';
import { boxSealer } from './box.ts';
import { keysNamedIn, openedEvent } from './open-events.ts';
import type { PersonKeys, SealingKey } from './person-keys.ts';
import { hasPersonalData, personalIn, sealedEvent, type Personal } from './seal-events.ts';

/**
 * The same log, with the personal data of its events sealed under the keys of the persons: appended
 * events are sealed, read events are opened. For a person whose keys were destroyed it returns
 * stand-ins, and lists them in `meta.erased`. An event that was stored in the clear passes
 * unchanged. contract.md section 11, decision 0123.
 *
 * Next to the backend, so that codecs, upcasters, aggregates and consumers are unaware of it.
 *
 * @param types Their `personal` defines their personal data.
 */
export const sealedLog = (
  log: EventStore,
  keys: Pick<PersonKeys, 'sealingCached' | 'sealing' | 'opening'>,
  types: ReadonlyMap<string, EventType>,
): EventStore => {
  const seal = boxSealer();

  const sealedUnder = (
    stream: string,
    personal: readonly (Personal | null)[],
    events: readonly NewEvent[],
    found: readonly SealingKey[],
  ): readonly NewEvent[] => {
    let used = 0;
    const keysOf = personal.map((one) => {
      const own = found.slice(used, used + (one?.owners.length ?? 0));
      used += own.length;
      return own;
    });
    const boxed = personal.findIndex(hasPersonalData);
    const hashUnder = keysOf[boxed]?.[personal[boxed]!.parts.length - 1] ?? null;
    return events.map((event, n) => {
      const one = personal[n];
      return one ? sealedEvent(stream, one, keysOf[n]!, hashUnder, seal) : event;
    });
  };

  /** Appends whose keys are being looked up; closing the log waits for them. */
  const sealing = new Set<Promise<unknown>>();

  const opened = async (events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> => {
    const named = keysNamedIn(events);
    if (named.size === 0) return events;
    const found = await keys.opening(named);
    return events.map((event) => openedEvent(event, found));
  };

  let isClosed = false;
  return logWith(log, {
    async close() {
      isClosed = true;
      await Promise.allSettled(sealing);
      await log.close();
    },

    // An append without a look-up is made in this turn of the event loop: the log keeps its order.
    async append(stream, expected, events, options) {
      const personal = events.map((event) => personalIn(stream, event, types));
      const owners = personal.flatMap((one) => one?.owners ?? []);
      if (owners.length === 0) return log.append(stream, expected, events, options);
      const append = async (found: readonly SealingKey[]) => {
        const stored = sealedUnder(stream, personal, events, found);
        const appended = await log.append(stream, expected, stored, options);
        return { ...appended, stored: events.map((event, n) => withKeysOf(event, stored[n]!)) };
      };
      const cached = keys.sealingCached(owners);
      if (cached !== null) return append(cached);
      if (isClosed) throw new LogUnavailable('it was closed');
      const appending = keys.sealing(owners).then(append);
      sealing.add(appending);
      try {
        return await appending;
      } finally {
        sealing.delete(appending);
      }
    },

    async readStream(...call) {
      return opened(await log.readStream(...call));
    },

    async readAll(...call) {
      const page = await log.readAll(...call);
      return { ...page, events: await opened(page.events) };
    },

    async *subscribe(after, options) {
      for await (const batch of log.subscribe(after, options)) {
        const events = await untilReachable(() => opened(batch.events), options.signal);
        if (events === null) return;
        yield { ...batch, events };
      }
    },
  });
};

/** The event as it is read back. */
const withKeysOf = (event: NewEvent, { meta: { personKeys } }: NewEvent): NewEvent =>
  personKeys === undefined ? event : { ...event, meta: { ...event.meta, personKeys } };
