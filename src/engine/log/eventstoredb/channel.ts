import { WrongExpectedVersionError, type Credentials } from '@eventstore/db-client';
import {
  READ_PAGE_EVENTS,
  WrongRevision,
  type Channel,
  type ChannelCalls,
  type StoredEvent,
} from '../event-store.ts';
import { isFinal, retried, within } from './calls.ts';
import { eventDataOf } from './events.ts';
import type { ActiveClient, ClientFailover } from './client-failover.ts';
import { mustBeActive, sessionOver, type ClientSession } from './client-session.ts';
import { positionText } from './positions.ts';

/**
 * Calls over clients that are not shared, so that every lost connection is noticed: a client looks
 * for another server only when a call of its own has failed, or when it is replaced.
 */
export const channelOver = (clients: ClientFailover, credentials: Credentials): Channel => {
  let session: ClientSession = sessionOver(clients.current, credentials);
  let lost = 0;

  const sessionOf = (active: ActiveClient): ClientSession => {
    if (session.active !== active) {
      session = sessionOver(active, credentials);
      lost += 1;
    }
    return session;
  };

  /** Counts lost calls, even abandoned ones: the client continues over another connection. */
  const tracked = async <T>(call: Promise<T>): Promise<T> => {
    try {
      return await call;
    } catch (error) {
      if (!isFinal(error)) lost += 1;
      throw error;
    }
  };

  return {
    get connection() {
      sessionOf(clients.current);
      return lost;
    },
    ready: async () => {},
    ask: (what, withinMs, work) =>
      retried(
        what,
        async (leftMs) => {
          try {
            return await clients.ask((active) => {
              const calls = callsOver(sessionOf(active), credentials, leftMs, tracked);
              return within(leftMs, work(calls));
            }, isFinal);
          } catch (error) {
            lost += 1;
            throw error;
          }
        },
        withinMs,
      ),
  };
};

const callsOver = (
  session: ClientSession,
  credentials: Credentials,
  leftMs: number,
  tracked: <T>(call: Promise<T>) => Promise<T>,
): ChannelCalls => {
  const { active, reader, tails } = session;
  return {
    async append({ stream, expected, events }) {
      mustBeActive(active);
      try {
        const { nextExpectedRevision, position } = await tracked(
          active.client.appendToStream(stream, events.map(eventDataOf), {
            expectedRevision: expected === 'any' ? 'any' : BigInt(expected),
            credentials,
            requiresLeader: true,
            deadline: leftMs,
          }),
        );
        mustBeActive(active);
        if (!position) throw new Error(`${stream} was appended to without a position`);
        return { revision: Number(nextExpectedRevision), position: positionText(position) };
      } catch (error) {
        if (!(error instanceof WrongExpectedVersionError)) throw error;
        throw new WrongRevision(stream, expected, Number(error.actualVersion));
      }
    },

    async read(stream, from) {
      const events: StoredEvent[] = [];
      for (;;) {
        const page = await tracked(reader.page(stream, { from: from + events.length }, leftMs));
        events.push(...page);
        if (page.length < READ_PAGE_EVENTS) return events;
      }
    },

    revisionOf: (stream) => tracked(tails.of(stream)),
  };
};
