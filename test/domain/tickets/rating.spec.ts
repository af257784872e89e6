/** The rating of a ticket by its requester. contract.md section 5. */
import { describe, expect, it } from 'vitest';
import { ticketStates } from '../../../src/domain/tickets/graph.ts';
import { ticketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import { acme, historyOf, moved, recordedOf, viewOf } from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const rate = (score: number, comment: string | null = null) =>
  ({ type: 'RateTicket', authority: acme, score, comment }) as const;
const rated = (score: number, comment: string | null = null) =>
  ({ type: 'TicketRated', score, comment }) as const;

describe('a rating', () => {
  it.each(['resolved', 'closed'] as const)('is accepted for a ticket that is %s', (state) =>
    given(...historyOf(state))
      .when(rate(4, 'Quick'))
      .records(rated(4, 'Quick')),
  );

  it.each(ticketStates.filter((state) => state !== 'resolved' && state !== 'closed'))(
    'is refused of a ticket that is %s',
    (state) =>
      given(...historyOf(state))
        .when(rate(4))
        .refuses('RATING_NOT_ALLOWED', { state }),
  );

  it('is recorded once, and the same again is no error', () =>
    given(...historyOf('closed'), rated(4, 'Quick'))
      .when(rate(4, 'Quick'))
      .recordsNothing());

  it.each([rate(5, 'Quick'), rate(4), rate(4, 'Slow')])('stays: %j is refused', (again) =>
    given(...historyOf('closed'), rated(4, 'Quick'))
      .when(again)
      .refuses('ALREADY_RATED'),
  );

  it('stays when the ticket is reopened and resolved again', () =>
    given(
      ...historyOf('resolved'),
      rated(2),
      moved('resolved', 'reopened'),
      moved('reopened', 'resolved'),
    )
      .when(rate(5))
      .refuses('ALREADY_RATED'));

  it.each([0, 6, 1.5])('has no score of %d', (score) =>
    expect(ticketEvent.safeParse(rated(score)).success).toBe(false),
  );

  it('is seen with its time', () => {
    const history = [...historyOf('closed'), rated(5, 'Warm')];
    const { at } = recordedOf(history).at(-1)!;
    expect(viewOf(history)).toMatchObject({
      rating: { score: 5, comment: 'Warm', ratedAt: at },
      updatedAt: at,
    });
    expect(viewOf(historyOf('closed')).rating).toBeNull();
  });
});
