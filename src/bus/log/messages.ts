/** Messages in the log: their ids, their journals, and their decoding. */
import { v5 as uuidFrom } from 'uuid';
import { journalKeyOf } from '../../domain/buildings/events.ts';
import type { BusEvent } from '../../domain/bus/events.ts';
import type { Subject } from '../../domain/bus/subject.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyOf, streamOf } from '../../engine/log/streams.ts';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { ANNOUNCEMENT_RETENTION_DAYS } from '../../limits.ts';
import type { Message } from '../bus.ts';

export const BUS_CATEGORY = 'bus';

const NAMESPACE = '2f0b8a5e-93f5-4f0e-9a6c-6c5b1f0d7a41';

/** Two buildings may use the same event id. */
export const messageIdOf = (buildingId: string, eventId: string): string =>
  uuidFrom(JSON.stringify([buildingId, eventId]), NAMESPACE);

/**
 * The journal of a message: that of its day, so that a repeat after midnight finds it; today's if
 * it is older than yesterday or ahead of this clock, so that no journal close to its deletion is
 * written.
 */
export const journalOf = ({ buildingId }: Subject, at: Instant, now: Instant): string => {
  const yesterday = new Date(Date.parse(now) - DAY_MS).toISOString().slice(0, 10);
  const day = at.slice(0, 10) === yesterday ? at : now;
  return streamOf(BUS_CATEGORY, journalKeyOf(buildingId, day));
};

/** An event id is unique in the whole log, and a message may be in the journals of two days. */
export const storedIdOf = (journal: string, messageId: string): string =>
  uuidFrom(journal, messageId);

/** The ids of a message whose journal is of this day, or of an earlier one that is kept. */
export const keptIdsOf = (buildingId: string, messageId: string, now: Instant): string[] =>
  Array.from({ length: ANNOUNCEMENT_RETENTION_DAYS + 1 }, (_, daysAgo) => {
    const day = new Date(Date.parse(now) - daysAgo * DAY_MS).toISOString();
    return storedIdOf(streamOf(BUS_CATEGORY, journalKeyOf(buildingId, day)), messageId);
  });

/** The building in a journal's name, which has no dot before the day. */
export const buildingOf = (journal: string): string => keyOf(journal).split('.', 1)[0]!;

export const messageOf = ({ event, at, by }: Recorded<BusEvent>): Message => {
  const { buildingId, subjectType: type, eventId, data } = event;
  return {
    id: messageIdOf(buildingId, eventId),
    subject: { buildingId, type },
    eventId,
    data,
    at,
    by,
  };
};
