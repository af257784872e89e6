/**
 * Events of one ticket that the change feed skips by an operator's request: `feedskip-<ticketId>`.
 * A separate stream, because the ticket's stream holds only the ticket's facts.
 * contract.md section 5.
 */
import { z } from 'zod';
import type { Actor, Decider, Instant } from '../../engine/aggregates/decider.ts';
import { text } from '../../engine/log/event-fields.ts';

export const feedSkipEventSchemas = {
  FeedEventSkipped: z.strictObject({
    type: z.literal('FeedEventSkipped'),
    /** Id of the unreadable event. */
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

/** The skipped revisions. */
export type FeedSkips = ReadonlySet<number>;

/** Refuses nothing; skipping is idempotent. */
export const feedSkipDecider: Decider<FeedSkipCommand, FeedSkips, FeedSkipEvent> = {
  initial: new Set(),
  decide: ({ eventId, revision, reason }, skipped) =>
    skipped.has(revision) ? [] : [{ type: 'FeedEventSkipped', eventId, revision, reason }],
  evolve: ({ revision }, skipped) => new Set([...skipped, revision]),
};

/** A skipped event, and who skipped it. */
export interface SkippedEvent extends Omit<FeedSkipEvent, 'type'> {
  readonly skippedAt: Instant;
  readonly skippedBy: Actor;
}

/** The skipped events as of a fact, by revision. */
export const skippedAfter = (
  recorded: { readonly event: FeedSkipEvent; readonly at: Instant; readonly by: Actor },
  before: ReadonlyMap<number, SkippedEvent> | null,
): ReadonlyMap<number, SkippedEvent> => {
  const { eventId, revision, reason } = recorded.event;
  const skipped = { eventId, revision, reason, skippedAt: recorded.at, skippedBy: recorded.by };
  return new Map(before).set(revision, skipped);
};
