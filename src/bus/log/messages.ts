/** How the log keeps messages: their names, their journals, and what a reader makes of them. */
import { v5 as uuidFrom } from 'uuid';
import { journalKeyOf } from '../../domain/buildings/events.ts';
import type { BusEvent } from '../../domain/bus/events.ts';
import type { Subject } from '../../domain/bus/subject.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyOf, streamOf } from '../../engine/log/streams.ts';
import type { Message } from '../bus.ts';

export const BUS_CATEGORY = 'bus';

const NAMESPACE = '2f0b8a5e-93f5-4f0e-9a6c-6c5b1f0d7a41';

/** Two buildings may name their events alike. */
export const messageIdOf = (buildingId: string, eventId: string): string =>
  uuidFrom(JSON.stringify([buildingId, eventId]), NAMESPACE);

/**
 * The journal that a message goes to: of the day on which it happened, so that a repeat after
 * midnight finds it; of today for what is older than yesterday, or ahead of this clock. So no
 * journal is written whose end may be near.
 */
export const journalOf = ({ buildingId }: Subject, at: Instant, now: Instant): string => {
  const yesterday = new Date(Date.parse(now) - DAY_MS).toISOString().slice(0, 10);
  const day = at.slice(0, 10) === yesterday ? at : now;
  return streamOf(BUS_CATEGORY, journalKeyOf(buildingId, day));
};

/** An event has one id in the whole log, and a message may lie in the journals of two days. */
export const storedIdOf = (journal: string, messageId: string): string =>
  uuidFrom(journal, messageId);

/** Of the journal's name, which has no dot before the day. */
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

const DAY_MS = 24 * 60 * 60 * 1000;
