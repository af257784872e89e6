import { expect, it } from 'vitest';
import { changeOf } from '../../../src/domain/tickets/change.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { publicationOf, slaPublicationOf } from '../../../src/domain/tickets/publication.ts';
import { publicTicket } from '../../../src/domain/tickets/public-ticket.ts';
import {
  assigned,
  firstResponseBreached,
  moved,
  noted,
  opened,
  responded,
  viewOf,
} from '../../support/domain/tickets.ts';

/** Of the command that recorded `facts`, after `before`. */
const published = (facts: readonly TicketEvent[], before: readonly TicketEvent[] = [opened()]) =>
  publicationOf(changeOf(facts)!, viewOf([...before, ...facts]));

it('contains the ticket as the interface returns it, and the kind of change', () => {
  const facts = [opened(), moved('new', 'triaged')];
  expect(published(facts, [])).toEqual({
    type: 'service-desk.ticket.created',
    data: { ...publicTicket(viewOf(facts)), change: 'created' },
  });
});

it.each<[string, string, TicketEvent[]]>([
  ['a move', 'state', [moved('new', 'triaged'), noted()]],
  ['an assignment', 'assignment', [assigned('ana'), responded]],
  ['an edit', 'fields', [{ type: 'TicketEdited', changes: { subject: 'Basin' } }]],
])('%s is an update', (_, change, facts) =>
  expect(published(facts)).toMatchObject({
    type: 'service-desk.ticket.updated',
    data: { change, revision: facts.length },
  }),
);

it('a warning and a breach name their clock and when it is due', () => {
  const { clock, dueAt } = firstResponseBreached;
  const ticket = viewOf([opened(), firstResponseBreached]);
  expect(slaPublicationOf({ kind: 'breach', clock, dueAt, ticket })).toEqual({
    type: 'service-desk.ticket.sla_breached',
    data: { ...publicTicket(ticket), change: 'sla', clock, dueAt },
  });
  expect(ticket.slaFirstResponseBreached).toBe(true);
  expect(slaPublicationOf({ kind: 'warning', clock, dueAt, ticket }).type).toBe(
    'service-desk.ticket.sla_warning',
  );
  expect(published([firstResponseBreached])).toBeNull();
});

it('a move that brings a breach to light is still that move', () => {
  const found = published([firstResponseBreached, moved('new', 'cancelled')]);
  expect(found).toMatchObject({ type: 'service-desk.ticket.updated', data: { change: 'state' } });
  expect(found?.data).not.toHaveProperty('clock');
});

it('a note alone is none', () => expect(published([noted()])).toBeNull());
