/** The rating of a ticket by its requester, once when it is over. contract.md section 5. */
import { z } from 'zod';
import { text } from '../../engine/log/event-fields.ts';
import { refuse, type Decision, type Instant } from '../../engine/aggregates/decider.ts';
import type { TicketState } from './graph.ts';
import { RATING_SCORE_MAX, RATING_SCORE_MIN } from './limits.ts';

const rating = {
  score: z.int().min(RATING_SCORE_MIN).max(RATING_SCORE_MAX),
  comment: text.nullable(),
};

export const ratingEventSchemas = {
  TicketRated: z.strictObject({ type: z.literal('TicketRated'), ...rating }),
};

export type RatingEvent = z.infer<typeof ratingEventSchemas.TicketRated>;

export type Rated = Omit<RatingEvent, 'type'>;

/** A rating as the API shows it. */
export interface Rating extends Rated {
  readonly ratedAt: Instant;
}

interface Ratable {
  readonly state: TicketState;
  /** `null`: it was not rated. */
  readonly rating: Rated | null;
}

/**
 * The same rating again records nothing. Refuses `ALREADY_RATED` for another one, and
 * `RATING_NOT_ALLOWED` unless the ticket is resolved or closed.
 */
export const ratingOf = (
  { score, comment }: Rated,
  { state, rating: before }: Ratable,
): Decision<RatingEvent> => {
  if (before !== null) {
    return before.score === score && before.comment === comment
      ? []
      : refuse('ALREADY_RATED', 'The ticket already has a rating, and a rating cannot be changed.');
  }
  return state === 'resolved' || state === 'closed'
    ? [{ type: 'TicketRated', score, comment }]
    : refuse('RATING_NOT_ALLOWED', `A ticket that is ${state} cannot be rated.`, { state });
};
