/** The logic of the ticket list in the browser. contract.md section 5. */
import { describe, expect, it } from 'vitest';
import {
  addressOf,
  askedIn,
  changesOf,
  fits,
  mayHaveJoined,
  nextDueAt,
  OPEN,
} from '../packages/portal/src/pages/tickets/query.ts';
import { setTime, timeNow } from '../packages/portal/src/ui/now.ts';
import type { components } from '../packages/sdk/src/index.ts';

type Ticket = components['schemas']['Ticket'];

const ticket = (over: Partial<Ticket> = {}): Ticket =>
  ({
    number: 'SR-000004',
    subject: 'Too warm',
    description: 'At the window',
    state: 'new',
    priority: 'high',
    category: null,
    reporterName: null,
    assignedUserId: null,
    assignedTeamId: 'hvac',
    firstRespondedAt: null,
    slaFirstResponseDueAt: null,
    slaFirstResponseBreached: false,
    slaResolutionDueAt: null,
    slaResolutionBreached: false,
    slaPausedAt: null,
    formData: { source: 'pipe', wet: true, parts: ['door', 'lock'] },
    ...over,
  }) as Ticket;

const BEFORE = '2000-12-31T00:00:00.000Z';
const LONG_AGO = '2001-01-01T00:00:00.000Z';
const LATER = '2999-01-01T00:00:00.000Z';

describe('a ticket fits a list', () => {
  it.each([
    [{}, true],
    [{ state: 'triaged,new' }, true],
    [{ state: 'triaged' }, false],
    [{ priority: 'low' }, false],
    [{ category: 'doors' }, false],
    [{ 'field.source': 'tap,pipe', 'field.wet': 'true' }, true],
    [{ 'field.parts': 'lock' }, true],
    [{ 'field.parts': 'hinge' }, false],
    [{ 'field.source': 'pipe', 'field.wet': 'false' }, false],
    [{ 'field.toString': 'true' }, false],
    [{ assignedTeamId: 'hvac' }, true],
    [{ assignedTeamId: 'plumbers' }, false],
    [{ assigned: 'me' }, false],
    [{ overdue: 'false' }, true],
    [{ overdue: 'true' }, false],
    [{ search: 'WARM sr-0' }, true],
    [{ search: 'warm cold' }, false],
  ])('with the filters %j: %s', (filters, expected) =>
    expect(fits(ticket(), filters, 'ana')).toBe(expected),
  );

  it('of the person at the screen', () =>
    expect(fits(ticket({ assignedUserId: 'ana' }), { assigned: 'me' }, 'ana')).toBe(true));

  it('that is overdue when a running clock is past due', () => {
    const late = { slaFirstResponseDueAt: LONG_AGO, slaResolutionDueAt: LATER };
    expect(fits(ticket(late), { overdue: 'true' }, 'ana')).toBe(true);
    const answered = { ...late, firstRespondedAt: LONG_AGO };
    expect(fits(ticket(answered), { overdue: 'true' }, 'ana')).toBe(false);
    expect(nextDueAt(ticket({ ...late, state: 'closed' }))).toBeNull();
  });

  it('that is overdue by the time of the platform, which may be ahead of the browser', () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const due = ticket({ slaFirstResponseDueAt: soon, slaResolutionDueAt: LATER });
    const isOverdue = () => fits(due, { overdue: 'true' }, 'ana');
    expect(isOverdue()).toBe(false);
    setTime(LATER);
    expect(timeNow()).toBeCloseTo(Date.parse(LATER), -4);
    expect(isOverdue()).toBe(true);
    setTime(new Date().toISOString());
    expect(isOverdue()).toBe(false);
  });

  it('that is not overdue while it is paused, unless it was so before', () => {
    const paused = {
      state: 'waiting' as const,
      firstRespondedAt: BEFORE,
      slaResolutionDueAt: LONG_AGO,
      slaPausedAt: BEFORE,
    };
    expect(fits(ticket(paused), { overdue: 'false' }, 'ana')).toBe(true);
    expect(nextDueAt(ticket(paused))).toBeNull();
    const lateBefore = { ...paused, slaPausedAt: '2002-01-01T00:00:00.000Z' };
    expect(fits(ticket(lateBefore), { overdue: 'true' }, 'ana')).toBe(true);
  });
});

describe('an address', () => {
  const asked = (text: string) => askedIn(new URLSearchParams(text));

  it('without a query lists open tickets, soonest due', () => {
    expect(asked('')).toMatchObject(OPEN);
    expect(asked('page=2')).toMatchObject(OPEN);
  });

  it('with a filter or a view asks for that alone, newest first', () => {
    expect(asked('state=closed')).toMatchObject({ filters: { state: 'closed' } });
    expect(asked('view=all')).toMatchObject({ view: 'all', filters: {}, sort: '-createdAt' });
  });

  it('with an order that there is not has the default one', () =>
    expect(asked('view=all&sort=colour').sort).toBe('-createdAt'));

  it('says all of a question', () => {
    const question = asked('view=x&priority=high&sort=dueAt&columns=subject,place');
    const set = Object.entries(addressOf(question)).filter(([, value]) => value !== null);
    const again = new URLSearchParams(
      set.map(([name, value]) => [name, String(value)] as [string, string]),
    );
    expect(askedIn(again)).toEqual(question);
  });

  it('has filters by form fields, and ignores parameters that only resemble them', () => {
    const { filters } = asked('field.source=tap,pipe&field.=x&field.1st=x&fields=x&state=new');
    expect(filters).toEqual({ state: 'new', 'field.source': 'tap,pipe' });
  });

  it('loses the filters by fields that the next question has not', () => {
    const before = asked('field.source=tap&field.wet=true');
    const next = { ...before, filters: { 'field.wet': 'false' } };
    expect(changesOf(before, next)).toMatchObject({ 'field.source': null, 'field.wet': 'false' });
  });
});

describe('a change that leaves a ticket in a list', () => {
  const open = { state: OPEN.filters.state };
  it.each([
    ['created', 'new', {}, true],
    ['fields', 'new', {}, false],
    ['fields', 'new', open, false],
    ['fields', 'new', { ...open, priority: 'high' }, true],
    ['fields', 'new', { 'field.source': 'pipe' }, true],
    ['state', 'triaged', {}, false],
    ['state', 'triaged', open, false],
    ['state', 'reopened', open, true],
    ['state', 'closed', { state: 'resolved,closed,cancelled' }, false],
    ['state', 'triaged', { state: 'triaged' }, true],
    ['assignment', 'triaged', open, false],
    ['assignment', 'triaged', { assigned: 'me' }, true],
    ['sla', 'triaged', { overdue: 'true' }, true],
    ['note', 'triaged', { overdue: 'true', priority: 'high' }, false],
    ['fields', 'triaged', { buildingId: 'b', spaceId: 's' }, true],
    ['fields', 'triaged', { buildingId: 'b' }, false],
  ] as const)('by %s to %s with the filters %j may have brought it there: %s', (...row) => {
    const [change, state, filters, expected] = row;
    expect(mayHaveJoined({ change, ticket: ticket({ state }) }, filters)).toBe(expected);
  });
});
