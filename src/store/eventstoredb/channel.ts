import { WrongExpectedVersionError, type Credentials } from '@eventstore/db-client';
import { READ_PAGE_EVENTS, WrongRevision, type StoredEvent } from '../event-store.ts';
import type { Calls, Channel } from '../shared-journals/channel.ts';
import { isFinal, retried, within } from './calls.ts';
import { eventDataOf } from './events.ts';
import type { Line, Lines } from './lines.ts';
import { mustBeInPlace, overOf, type Over } from './over.ts';
import { positionText } from './positions.ts';

/**
 * Calls over clients that nobody else uses, so that every lost connection is noticed: a client
 * looks for another server only when a call of its own has failed, or when it is replaced.
 */
export const channelOver = (lines: Lines, credentials: Credentials): Channel => {
  let over: Over = overOf(lines.current, credentials);
  let lost = 0;

  const overThat = (line: Line): Over => {
    if (over.line !== line) {
      over = overOf(line, credentials);
      lost += 1;
    }
    return over;
  };

  return {
    get connection() {
      overThat(lines.current);
      return lost;
    },
    ask: (what, withinMs, work) =>
      retried(
        what,
        async (leftMs) => {
          try {
            return await lines.ask((line) => {
              const calls = callsOver(overThat(line), credentials, leftMs);
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

const callsOver = (over: Over, credentials: Credentials, leftMs: number): Calls => {
  const { line, reader } = over;
  return {
    async append({ stream, expected, events }) {
      mustBeInPlace(line);
      try {
        const { nextExpectedRevision, position } = await line.client.appendToStream(
          stream,
          events.map(eventDataOf),
          {
            expectedRevision: expected === 'any' ? 'any' : BigInt(expected),
            credentials,
            requiresLeader: true,
            deadline: leftMs,
          },
        );
        mustBeInPlace(line);
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
        const page = await reader.page(stream, { from: from + events.length }, leftMs);
        events.push(...page);
        if (page.length < READ_PAGE_EVENTS) return events;
      }
    },

    revisionOf: (stream) => over.tails.of(stream),
  };
};
