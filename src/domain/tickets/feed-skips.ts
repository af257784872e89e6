/**
 * What operators have had the change feed pass over of one ticket: `feedskip-<ticketId>`. It lies
 * beside the ticket's own stream, which holds what happened to the ticket and nothing else.
 * contract.md section 5.
 */
import { z } from 'zod';
import type { Actor, Decider, Instant } from '../../engine/aggregates/decider.ts';
import { text } from '../../engine/aggregates/event-fields.ts';

export const feedSkipEventSchemas = {
  FeedEventSkipped: z.strictObject({
    type: z.literal('FeedEventSkipped'),
    /** Of the event that could not be read. */
    eventId: z.uuid(),
    /** Its revision in the ticket's stream. */
    revision: z.int().min(0),
    /** Why it could not be read. */
    reason: text,
  }),
};

export type FeedSkipEvent = Readonly<z.infer<typeof feedSkipEventSchemas.FeedEventSkipped>>;

export type FeedSkipCommand = {
  readonly type: 'SkipEvent';
} & Omit<FeedSkipEvent, 'type'>;

/** The revisions that are passed over. */
export type FeedSkips = ReadonlySet<number>;

/** Refuses nothing; an event that is skipped already stays so. */
export const feedSkipDecider: Decider<FeedSkipCommand, FeedSkips, FeedSkipEvent> = {
  initial: new Set(),
  decide: ({ eventId, revision, reason }, skipped) =>
    skipped.has(revision) ? [] : [{ type: 'FeedEventSkipped', eventId, revision, reason }],
  evolve: ({ revision }, skipped) => new Set([...skipped, revision]),
};

/** An event that is passed over, and who has said so. */
export interface SkippedEvent extends Omit<FeedSkipEvent, 'type'> {
  readonly skippedAt: Instant;
  readonly skippedBy: Actor;
}

/** What is passed over as of a fact, by its revision. */
export const skippedAfter = (
  recorded: { readonly event: FeedSkipEvent; readonly at: Instant; readonly by: Actor },
  before: ReadonlyMap<number, SkippedEvent> | null,
): ReadonlyMap<number, SkippedEvent> => {
  const { eventId, revision, reason } = recorded.event;
  const skipped = { eventId, revision, reason, skippedAt: recorded.at, skippedBy: recorded.by };
  return new Map(before).set(revision, skipped);
};
