/** The graph of states, pair by pair. The table is the interface's, typed again, never imported. */
import { describe, expect, it } from 'vitest';
import { isTerminal, ticketStates, type TicketState } from '../../../src/domain/tickets/graph.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { specify } from '../../support/domain/specify.ts';
import {
  historyOf,
  moved,
  noted,
  noteId,
  opened,
  transition,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);

/** interface.md, «Ticket state». */
const table = `
  new          triaged cancelled
  triaged      in_progress waiting resolved cancelled
  in_progress  waiting resolved cancelled
  waiting      in_progress resolved cancelled
  resolved     closed reopened
  reopened     in_progress resolved
  closed
  cancelled
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(/\s+/));

const states = table.map(([state]) => state as TicketState);
const targetsOf = (from: TicketState) => table.find(([state]) => state === from)!.slice(1);
const pairs = states.flatMap((from) => states.map((to) => ({ from, to })));
const allowed = ({ from, to }: { from: TicketState; to: TicketState }) =>
  targetsOf(from).includes(to);

describe('transitions', () => {
  it('are between the eight states of the interface', () =>
    expect(ticketStates.toSorted()).toEqual(states.toSorted()));

  it.each(pairs.filter(allowed))('allows $from → $to', ({ from, to }) =>
    given(...historyOf(from))
      .when(transition(to))
      .records(moved(from, to)),
  );

  it.each(pairs.filter((pair) => !allowed(pair)))('refuses $from → $to', ({ from, to }) =>
    given(...historyOf(from))
      .when(transition(to))
      .refuses('TRANSITION_NOT_ALLOWED', { from, to, allowed: targetsOf(from) }),
  );

  it('are 64 pairs, of which 16 are edges', () => {
    expect(pairs).toHaveLength(64);
    expect(pairs.filter(allowed)).toHaveLength(16);
  });

  it('lead nowhere from closed and cancelled', () =>
    expect(states.filter(isTerminal)).toEqual(['closed', 'cancelled']));

  describe('under a workflow', () => {
    const workflow = {
      transitions: { triaged: ['in_progress', 'cancelled'], closed: ['new'] },
    } as const;
    const under = (to: TicketState) => ({ ...transition(to), workflow });

    it('loses the edges it does not name', () =>
      given(...historyOf('triaged'))
        .when(under('resolved'))
        .refuses('TRANSITION_NOT_ALLOWED', {
          from: 'triaged',
          to: 'resolved',
          allowed: ['in_progress', 'cancelled'],
        }));

    it('keeps the edges it names', () =>
      given(...historyOf('triaged'))
        .when(under('in_progress'))
        .records(moved('triaged', 'in_progress')));

    it('keeps the whole graph for a state it leaves out', () =>
      given(...historyOf('waiting'))
        .when(under('resolved'))
        .records(moved('waiting', 'resolved')));

    it('gains no edge outside the graph', () =>
      given(...historyOf('closed'))
        .when(under('new'))
        .refuses('TRANSITION_NOT_ALLOWED', { from: 'closed', to: 'new', allowed: [] }));

    it('may leave a state without any way on', () =>
      given(...historyOf('new'))
        .when({ ...transition('triaged'), workflow: { transitions: { new: [] } } })
        .refuses('TRANSITION_NOT_ALLOWED', { from: 'new', to: 'triaged', allowed: [] }));
  });

  it('carry a note, which is internal', () =>
    given(opened())
      .when({ ...transition('triaged'), note: { noteId, body: 'Called back.' } })
      .records(moved('new', 'triaged'), noted('Called back.', 'internal')));

  it('with a note whose id is in use are refused', () =>
    given(opened(), noted())
      .when({ ...transition('triaged'), note: { noteId, body: 'Again.' } })
      .refuses('CONFLICT'));
});
