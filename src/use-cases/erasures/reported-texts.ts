/**
 * What programs wrote on the tickets of a person, which belongs to them as the reporter, and is
 * sealed under keys of the tickets. contract.md section 11, decision 0123.
 */
import { ticketCodec } from '../../domain/tickets/codecs.ts';
import { reporterSubjectOf, subjectOfTicket } from '../../domain/tickets/personal.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { isUnreadable, type Recorded } from '../../engine/log/codec.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { streamOf } from '../../engine/log/streams.ts';
import type { PersonKeys } from '../../engine/personal/person-keys.ts';
import type { TicketEvent } from '../../domain/tickets/events.ts';

export interface ReportedTextsParts {
  readonly log: Pick<EventStore, 'readStream'>;
  readonly keys: Pick<PersonKeys, 'held' | 'keysOf'>;
}

export interface Reporter {
  readonly organisation: string;
  /** Ids of their keys, which may be destroyed. */
  readonly identityKeys: readonly string[];
}

/**
 * @param tickets Those that refer to the reporter.
 * @param atOnce How many of them are read at a time.
 * @returns Ids of keys.
 * @throws As the log and the keys do. A ticket that cannot be read is left out.
 */
export const reportedTextKeys = async (
  { log, keys }: ReportedTextsParts,
  { organisation, identityKeys }: Reporter,
  tickets: readonly string[],
  atOnce: number,
): Promise<readonly string[]> => {
  const held = await keys.held(identityKeys);
  const reporter = {
    subjects: new Set(held.flatMap(({ subject }) => subject ?? [])),
    keys: new Set(identityKeys),
  };
  const reported: string[] = [];
  await forEachConcurrently(tickets, atOnce, async (ticketId) => {
    const [opening] = await log.readStream(streamOf('ticket', ticketId), { limit: 1 });
    if (!opening) return;
    try {
      if (isOpenedFor(ticketCodec.decode(opening), reporter)) reported.push(ticketId);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
  });
  const ofTickets = await keys.keysOf(organisation, reported.map(subjectOfTicket));
  return ofTickets.filter(({ purpose }) => purpose === 'texts').map(({ keyId }) => keyId);
};

interface KnownReporter {
  readonly subjects: ReadonlySet<string>;
  readonly keys: ReadonlySet<string>;
}

const isOpenedFor = (opening: Recorded<TicketEvent>, { subjects, keys }: KnownReporter) => {
  const { event, stream, by: actor, origin, erased = [], personKeys = [] } = opening;
  const { type, ...data } = event;
  if (type !== 'TicketOpened') return false;
  if (!erased.includes('identity'))
    return subjects.has(reporterSubjectOf({ stream, data, actor, origin }));
  // The texts were kept at first: of the reporter only the id of the key is left, as the first.
  const [reporterKey = ''] = personKeys;
  return keys.has(reporterKey);
};
