/**
 * Warnings, breaches requested by timers, and pauses. contract.md section 5; the events of a
 * command that ends a clock are in ticket-clocks.spec.ts.
 */
import { describe, expect, it } from 'vitest';
import { systemAuthority } from '../../../src/domain/authority.ts';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { ticketDecider, type Ticket } from '../../../src/domain/tickets/ticket.ts';
import { nextDueAt } from '../../../src/domain/tickets/view.ts';
import { afterNoon, specify } from '../../support/domain/specify.ts';
import {
  acme,
  assigned,
  breached,
  firstResponseBreached,
  firstResponseWarned,
  historyOf,
  moved,
  opened,
  resolutionBreached,
  resolutionWarned,
  responded,
  transition,
  viewOf,
  warned,
} from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const warn = (clock: 'first_response' | 'resolution') =>
  ({ type: 'RaiseSlaWarning', authority: systemAuthority, clock }) satisfies TicketCommand;
const breach = (clock: 'first_response' | 'resolution') =>
  ({ type: 'RecordSlaBreach', authority: systemAuthority, clock }) satisfies TicketCommand;

describe('a warning', () => {
  it('is raised when 80 % of the time is over, where the opening does not say when', () => {
    given(opened()).when(warn('first_response'), afterNoon(48)).records(firstResponseWarned);
    given(opened()).when(warn('resolution'), afterNoon(384)).records(resolutionWarned);
  });

  it('is not raised a millisecond before', () => {
    given(opened())
      .when(warn('first_response'), afterNoon(48 - 1 / 60_000))
      .recordsNothing();
    given(opened())
      .when(warn('resolution'), afterNoon(384 - 1 / 60_000))
      .recordsNothing();
  });

  it('is raised when the opening says, and never where it says never', () => {
    const slaWarning = { firstResponseAt: afterNoon(30).at, resolutionAt: null };
    const ticket = given(opened({ slaWarning }));
    ticket.when(warn('first_response'), afterNoon(29)).recordsNothing();
    ticket.when(warn('first_response'), afterNoon(30)).records(firstResponseWarned);
    ticket.when(warn('resolution'), afterNoon(479)).recordsNothing();
  });

  it('is raised once', () =>
    given(opened(), firstResponseWarned)
      .when(warn('first_response'), afterNoon(50))
      .recordsNothing());

  it('is raised late after an outage, and the breach after it', () => {
    const ticket = [...historyOf('triaged')];
    given(...ticket)
      .when(warn('resolution'), afterNoon(900))
      .records(resolutionWarned);
    given(...ticket, resolutionWarned)
      .when(breach('resolution'), afterNoon(900))
      .records(resolutionBreached);
  });

  it('is not raised after the breach', () =>
    given(opened(), firstResponseBreached)
      .when(warn('first_response'), afterNoon(900))
      .recordsNothing());

  it('is not raised of a clock that has ended', () => {
    given(opened(), assigned('u1'), responded)
      .when(warn('first_response'), afterNoon(50))
      .recordsNothing();
    given(...historyOf('resolved'))
      .when(warn('resolution'), afterNoon(400))
      .recordsNothing();
  });

  it('is raised of a clock that a reopen has started again, unless it was before', () => {
    given(...historyOf('reopened'))
      .when(warn('resolution'), afterNoon(400))
      .records(resolutionWarned);
    const [first, ...others] = historyOf('reopened');
    given(first!, resolutionWarned, ...others)
      .when(warn('resolution'), afterNoon(400))
      .recordsNothing();
  });

  it('of a clock that is not there is none', () =>
    given(opened({ slaFirstResponseDueAt: null }))
      .when(warn('first_response'), afterNoon(10_000))
      .recordsNothing());

  it('of a ticket that does not exist is refused', () =>
    given().when(warn('resolution')).refuses('NOT_FOUND'));
});

describe('a breach requested by a timer', () => {
  it('is recorded after the due time, not at it', () => {
    given(opened(), firstResponseWarned)
      .when(breach('first_response'), afterNoon(60))
      .recordsNothing();
    given(opened(), firstResponseWarned)
      .when(breach('first_response'), afterNoon(60 + 1 / 60_000))
      .records(firstResponseBreached);
  });

  it('is of one clock, independent of the other', () =>
    given(opened()).when(breach('resolution'), afterNoon(481)).records(resolutionBreached));

  it('is recorded once', () =>
    given(opened(), firstResponseBreached)
      .when(breach('first_response'), afterNoon(70))
      .recordsNothing());

  it.each(['resolved', 'closed', 'cancelled'] as const)('is none of a ticket that is %s', (state) =>
    given(...historyOf(state))
      .when(breach('resolution'), afterNoon(900))
      .recordsNothing(),
  );

  it('is recorded after a reopen, at the old due time', () =>
    given(...historyOf('reopened'))
      .when(breach('resolution'), afterNoon(481))
      .records(resolutionBreached));
});

/** Facts, each so many minutes after noon. */
type Lived = readonly (readonly [number, TicketEvent])[];

const ticketOf = (lived: Lived): Ticket | null =>
  lived.reduce<Ticket | null>(
    (ticket, [minutes, event]) => ticketDecider.evolve(event, ticket, afterNoon(minutes).at),
    null,
  );
const seen = (lived: Lived) =>
  viewOf(
    lived.map(([, event]) => event),
    { at: (revision) => afterNoon(lived[revision]![0]).at },
  );
const after = (lived: Lived, command: TicketCommand, minutes: number) =>
  ticketDecider.decide(command, ticketOf(lived), afterNoon(minutes));
const at = (minutes: number) => afterNoon(minutes).at;

/** Due at 13:00 and 20:00, warning at 12:48 and 18:24; around the clock by default. */
const pausing = (over: Partial<typeof pause> = {}) =>
  opened({
    slaPolicy: 'patient',
    slaWarning: { firstResponseAt: at(48), resolutionAt: at(384) },
    slaPause: { ...pause, ...over },
  });
const pause: NonNullable<ReturnType<typeof opened>['slaPause']> = {
  calendar: null,
  warningPercent: 80,
};
const waits = (since: number, over: Partial<typeof pause> = {}): Lived => [
  [0, pausing(over)],
  [0, moved('new', 'triaged')],
  [since, moved('triaged', 'waiting')],
];
const onMoved = (first: number, resolution: number, warnings: [number | null, number | null]) => ({
  type: 'SlaDuesMoved',
  slaFirstResponseDueAt: at(first),
  slaResolutionDueAt: at(resolution),
  warnings: {
    firstResponseAt: warnings[0] === null ? null : at(warnings[0]),
    resolutionAt: warnings[1] === null ? null : at(warnings[1]),
  },
});
const goesOn = transition('in_progress');

describe('a pause', () => {
  it('postpones due times that are not past by its duration', () =>
    expect(after(waits(10), goesOn, 40)).toEqual([
      onMoved(90, 510, [78, 414]),
      moved('waiting', 'in_progress'),
    ]));

  it('is none where the policy has none', () =>
    expect(after([[0, opened()], ...waits(10).slice(1)], goesOn, 40)).toEqual([
      moved('waiting', 'in_progress'),
    ]));

  it('counts the working time in it alone', () => {
    // 2026-03-02 is a Monday; noon in UTC is 13:00 in Berlin.
    const calendar = {
      timeZone: 'Europe/Berlin',
      weekly: { monday: [['09:00', '14:00']], tuesday: [['09:00', '14:00']] },
      holidays: [],
    } as const;
    // Waits from 13:30 in Berlin to 10:00 on Tuesday: half an hour, and one hour.
    const wakes = 21 * 60;
    const [dues] = after(waits(30, { calendar }), goesOn, wakes) as TicketEvent[];
    expect(dues).toMatchObject({
      // Due at 14:00 on Monday, with half an hour left: at 10:30 on Tuesday.
      slaFirstResponseDueAt: at(wakes + 30),
      warnings: { firstResponseAt: at(wakes + 18) },
    });
  });

  it('outside of the working time moves nothing', () => {
    const calendar = {
      timeZone: 'UTC',
      weekly: { friday: [['09:00', '14:00']] },
      holidays: [],
    } as const;
    expect(after(waits(10, { calendar }), goesOn, 40)).toEqual([moved('waiting', 'in_progress')]);
  });

  it('records breaches of past due times before it begins, and does not postpone those', () => {
    expect(after(waits(90).slice(0, 2), transition('waiting'), 90)).toEqual([
      firstResponseBreached,
      moved('triaged', 'waiting'),
    ]);
    const lived: Lived = [
      ...waits(90).slice(0, 2),
      [90, firstResponseBreached],
      [90, moved('triaged', 'waiting')],
    ];
    expect(after(lived, goesOn, 100)).toEqual([
      onMoved(60, 490, [null, 394]),
      moved('waiting', 'in_progress'),
    ]);
  });

  it('leaves a due time alone that is its very beginning only if it is past', () =>
    expect(after(waits(60), goesOn, 61)).toMatchObject([
      { slaFirstResponseDueAt: at(61) },
      moved('waiting', 'in_progress'),
    ]));

  it('lets no timer warn or breach, however long it lasts', () => {
    for (const ask of [warn, breach])
      for (const clock of ['first_response', 'resolution'] as const)
        expect(after(waits(10), ask(clock), 100_000)).toEqual([]);
  });

  it('lets a warning be raised that was due before it, and does not move that one', () => {
    expect(after(waits(50), warn('first_response'), 55)).toEqual([firstResponseWarned]);
    expect(after(waits(50), goesOn, 60)).toMatchObject([
      { slaFirstResponseDueAt: at(70), warnings: { firstResponseAt: at(48) } },
      moved('waiting', 'in_progress'),
    ]);
  });

  it('moves no warning that was raised, and lets none be raised again', () => {
    const lived: Lived = [[0, pausing()], [48, firstResponseWarned], ...waits(50).slice(1)];
    expect(after(lived, goesOn, 60)).toMatchObject([
      { slaFirstResponseDueAt: at(70), warnings: { firstResponseAt: null } },
      moved('waiting', 'in_progress'),
    ]);
    const later: Lived = [
      ...lived,
      [60, onMoved(70, 490, [null, 394]) as TicketEvent],
      [60, moved('waiting', 'in_progress')],
    ];
    expect(after(later, warn('first_response'), 69)).toEqual([]);
  });

  it('lets a warning and a breach come at the later times, and not before', () => {
    const lived: Lived = [
      ...waits(10),
      [40, onMoved(90, 510, [78, 414]) as TicketEvent],
      [40, moved('waiting', 'in_progress')],
    ];
    expect(after(lived, warn('first_response'), 77)).toEqual([]);
    expect(after(lived, warn('first_response'), 78)).toEqual([
      warned({ clock: 'first_response', dueAt: at(90) }),
    ]);
    expect(after(lived, breach('first_response'), 90)).toEqual([]);
    expect(after(lived, breach('first_response'), 91)).toEqual([
      breached({ clock: 'first_response', dueAt: at(90) }),
    ]);
  });

  it('ends for the first-response clock with a response, and continues for the other', () => {
    const assign = { type: 'AssignTicket', authority: acme, assignedUserId: 'u1' } as const;
    expect(after(waits(10), assign, 100)).toEqual([
      onMoved(150, 480, [138, 384]),
      assigned('u1'),
      responded,
    ]);
    const lived: Lived = [
      ...waits(10),
      [100, onMoved(150, 480, [138, 384]) as TicketEvent],
      [100, assigned('u1')],
      [100, responded],
    ];
    expect(after(lived, goesOn, 130)).toEqual([
      onMoved(150, 600, [138, 504]),
      moved('waiting', 'in_progress'),
    ]);
  });

  it.each(['resolved', 'cancelled'] as const)('that a %s ends leaves nothing late', (to) =>
    expect(after(waits(10), transition(to), 1_000)).toEqual([
      onMoved(1_050, 1_470, [1_038, 1_374]),
      moved('waiting', to),
    ]),
  );

  it('may come again, and puts off again', () => {
    const lived: Lived = [
      ...waits(10),
      [40, onMoved(90, 510, [78, 414]) as TicketEvent],
      [40, moved('waiting', 'in_progress')],
      [50, moved('in_progress', 'waiting')],
    ];
    expect(after(lived, goesOn, 70)).toEqual([
      onMoved(110, 530, [98, 434]),
      moved('waiting', 'in_progress'),
    ]);
  });

  it('is visible: its ticket is not overdue, unless it was before', () => {
    expect(nextDueAt(seen(waits(10)))).toBeNull();
    expect(nextDueAt(seen(waits(90)))).toBe(at(60));
    expect(seen(waits(10)).slaPausedAt).toBe(at(10));
    expect(seen([...waits(10), [40, moved('waiting', 'in_progress')]]).slaPausedAt).toBeNull();
  });
});
