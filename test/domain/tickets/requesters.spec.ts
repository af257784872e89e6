/** Requesters: the visible parts of their tickets, and their commands. contract.md section 5. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import { ticketStates, type TicketState } from '../../../src/domain/tickets/graph.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import {
  requestersItem,
  requestersMoves,
  requestersTicket,
} from '../../../src/domain/tickets/requesters.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import { fold, noon, specify } from '../../support/domain/specify.ts';
import { anyEvent } from '../../support/domain/ticket-stories.ts';
import {
  historyOf,
  moved,
  noted,
  noteId,
  opened,
  recordedOf,
  transition,
  viewOf,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const byRequester = (to: TicketState) => ({ ...transition(to), byRequester: true });
const anyHistory = fc.array(anyEvent).map((events) => [opened(), ...events]);
const DAYS_14_MS = 14 * 24 * 3_600_000;
/** All facts of a history are of noon. */
const laterBy = (ms: number) => ({
  ...noon,
  at: new Date(Date.parse(noon.at) + ms).toISOString(),
});

describe('the moves of requesters', () => {
  /** contract.md section 5, typed again. */
  const table: Readonly<Record<string, readonly TicketState[]>> = {
    new: ['cancelled'],
    resolved: ['closed', 'reopened'],
  };
  const pairs = ticketStates.flatMap((from) => ticketStates.map((to) => ({ from, to })));
  const isAllowed = ({ from, to }: (typeof pairs)[number]) => (table[from] ?? []).includes(to);

  it.each(pairs.filter(isAllowed))('allow $from → $to', ({ from, to }) => {
    const { outcome } = given(...historyOf(from)).when(byRequester(to));
    expect(outcome).toContainEqual(moved(from, to));
  });

  it.each(pairs.filter((pair) => !isAllowed(pair)))('refuse $from → $to', ({ from, to }) =>
    given(...historyOf(from))
      .when(byRequester(to))
      .refuses('TRANSITION_NOT_ALLOWED', { from, to, allowed: table[from] ?? [] }),
  );

  it('reopen within 14 days of the resolution, to the millisecond', () => {
    const resolved = given(...historyOf('resolved'));
    resolved
      .when(byRequester('reopened'), laterBy(DAYS_14_MS))
      .records(moved('resolved', 'reopened'));
    resolved
      .when(byRequester('reopened'), laterBy(DAYS_14_MS + 1))
      .refuses('REOPEN_TOO_LATE', { until: laterBy(DAYS_14_MS).at });
  });

  it('close after 14 days too, and staff reopens then', () => {
    const resolved = given(...historyOf('resolved'));
    resolved
      .when(byRequester('closed'), laterBy(DAYS_14_MS + 1))
      .records(moved('resolved', 'closed'));
    resolved
      .when(transition('reopened'), laterBy(DAYS_14_MS + 1))
      .records(moved('resolved', 'reopened'));
  });

  it('count the 14 days from the last resolution', () => {
    const first = fold(ticketDecider, historyOf('resolved'));
    const again = fold(
      { ...ticketDecider, initial: first },
      [moved('resolved', 'reopened'), moved('reopened', 'resolved')],
      laterBy(DAYS_14_MS).at,
    );
    expect(
      ticketDecider.decide(byRequester('reopened'), again, laterBy(2 * DAYS_14_MS)),
    ).toStrictEqual([moved('resolved', 'reopened')]);
  });

  it('are only those of the workflow', () => {
    const workflow = { transitions: { resolved: ['closed'] } } as const;
    given(...historyOf('resolved'))
      .when({ ...byRequester('reopened'), workflow })
      .refuses('TRANSITION_NOT_ALLOWED', {
        from: 'resolved',
        to: 'reopened',
        allowed: ['closed'],
      });
  });

  it('add a public note', () => {
    const note = { noteId, body: 'Still wet.' };
    given(opened())
      .when({ ...byRequester('cancelled'), note })
      .records(moved('new', 'cancelled'), noted('Still wet.', 'public'));
  });

  it('are listed exactly as they are decided', () => {
    for (const state of ticketStates) {
      for (const days of [0, 14, 15]) {
        const on = laterBy((days * DAYS_14_MS) / 14);
        const listed = requestersMoves({ state, resolvedAt: noon.at }, on.at);
        const decided = ticketStates.filter(
          (to) => !isRefusal(given(...historyOf(state)).when(byRequester(to), on).outcome),
        );
        expect(decided.toSorted()).toEqual(listed.toSorted());
      }
    }
  });
});

describe('the view of requesters', () => {
  /** The members that they see, by the contract. */
  const shown = new Set(
    `id number organisationId subject description requestType formData buildingId storeyId
      spaceId elementId state priority channel reporterName reporterEmail reporterPhone
      reporterErased createdAt createdBy updatedAt resolvedAt closedAt rating revision`.split(
      /\s+/,
    ),
  );
  const isEmpty = (value: unknown) =>
    value === null || value === false || Object.keys(value as object).length === 0;

  it('has the members of every ticket, and those of staff are empty', () =>
    fc.assert(
      fc.property(anyHistory, (history) => {
        const ticket = viewOf(history);
        const requestTypes = [
          { requestType: ticket.requestType, name: 'x', fields: [], requester: true },
        ];
        const seen = requestersTicket(ticket, { requestTypes });
        expect(Object.keys(seen).toSorted()).toEqual(Object.keys(publicTicket(ticket)).toSorted());
        for (const [member, value] of Object.entries(seen)) {
          if (member === 'formData') continue;
          const isOwn = isDeepStrictEqual(value, ticket[member as keyof TicketView]);
          expect(shown.has(member) ? isOwn : isEmpty(value), member).toBe(true);
        }
      }),
    ));

  it('shows answers of the form alone, where it is for requesters', () => {
    const ticket = { ...viewOf([opened()]), formData: { size: 1, old: 2 } };
    const type = (requester: boolean) => ({
      requestType: ticket.requestType,
      name: 'x',
      requester,
      fields: [{ key: 'size', label: 'Size', kind: 'number' as const }],
    });
    const answers = (desk: object) => requestersTicket(ticket, desk).formData;
    expect(answers({ requestTypes: [type(true)] })).toEqual({ size: 1 });
    expect(answers({ requestTypes: [type(false)] })).toEqual({});
    expect(answers({})).toEqual({});
  });
});

describe('the timeline of requesters', () => {
  it('names neither staff nor rules, and has nothing internal', () =>
    fc.assert(
      fc.property(anyHistory, fc.constantFrom('reporter', 'ana'), (history, id) => {
        const items = timelineOf(recordedOf(history, { by: { kind: 'user', id } }));
        for (const item of items) {
          const seen = requestersItem(item, 'reporter');
          if (seen === null) continue;
          expect(['note', 'state', 'attachment', 'rating']).toContain(seen.kind);
          expect(seen).not.toHaveProperty('ruleId');
          expect('visibility' in seen ? seen.visibility : 'public').toBe('public');
          expect(seen.actor).toEqual(
            id === 'reporter' ? item.actor : { kind: 'system', id: 'service-desk' },
          );
        }
      }),
    ));
});
