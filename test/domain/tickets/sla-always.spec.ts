/**
 * Properties of the SLA clocks of every ticket, under any policy and any sequence of commands,
 * against a stopwatch model that has no due times, only the remaining time of each clock.
 */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { slaClocks, type SlaClock, type TicketFact } from '../../../src/domain/tickets/events.ts';
import { workingMs } from '../../../src/domain/service-desk/business-hours.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import { afterNoon, noon } from '../../support/domain/specify.ts';
import { anyStory, stepsOf, viewsOf, type Step } from '../../support/domain/ticket-stories.ts';
import { opened } from '../../support/domain/tickets.ts';

/** Noon in UTC is 13:00 in Berlin, and a Monday; every other hour and a half is worked. */
const calendar = {
  timeZone: 'Europe/Berlin',
  weekly: {
    monday: [
      ['09:00', '14:00'],
      ['15:30', '17:00'],
    ],
    tuesday: [['08:00', '20:00']],
  },
  holidays: ['2026-03-09'],
} as const;

/** Of both clocks, in minutes of working time: 60 and 300, with warnings at 48 and 240. */
const openings: readonly TicketFact<'TicketOpened'>[] = [
  opened({
    slaFirstResponseDueAt: afterNoon(60).at,
    slaResolutionDueAt: afterNoon(300).at,
    slaWarning: { firstResponseAt: afterNoon(48).at, resolutionAt: afterNoon(240).at },
    slaPause: { calendar: null, warningPercent: 80 },
  }),
  opened({
    slaFirstResponseDueAt: '2026-03-02T13:00:00.000Z',
    // One hour until 14:00, an hour and a half from 15:30, two and a half from 8:00 on Tuesday.
    slaResolutionDueAt: '2026-03-03T09:30:00.000Z',
    slaWarning: {
      firstResponseAt: '2026-03-02T12:48:00.000Z',
      resolutionAt: '2026-03-03T08:30:00.000Z',
    },
    slaPause: { calendar, warningPercent: 80 },
  }),
];

const always = (property: (steps: readonly Step[], opening: TicketFact<'TicketOpened'>) => void) =>
  fc.assert(
    fc.property(anyStory, fc.constantFrom(...openings), (story, opening) =>
      property(stepsOf(story, opening), opening),
    ),
    { numRuns: 200 },
  );

const isOver = ({ state }: TicketView) => ['resolved', 'closed', 'cancelled'].includes(state);
const hasEnded = (view: TicketView, clock: SlaClock) =>
  clock === 'first_response' ? view.slaFirstResponseEndedAt !== null : isOver(view);
const dueOf = (view: TicketView, clock: SlaClock) =>
  clock === 'first_response' ? view.slaFirstResponseDueAt! : view.slaResolutionDueAt!;
const isBreached = (view: TicketView, clock: SlaClock) =>
  clock === 'first_response' ? view.slaFirstResponseBreached : view.slaResolutionBreached;

it('as much of its time is left after a pause as was before, and less after all other time', () =>
  always((steps, opening) => {
    const hours = opening.slaPause!.calendar;
    const views = viewsOf(steps);
    for (const clock of slaClocks) {
      let leftMs = (clock === 'first_response' ? 60 : 300) * 60_000;
      let [since, view] = [noon.at, views[0]!];
      for (const [index, { occasion }] of steps.entries()) {
        // The resolution's time runs on while the ticket is resolved: a reopen keeps its due time.
        const isIdle = view.state === 'waiting' && !isBreached(view, clock);
        if (!isIdle && (clock === 'resolution' || !hasEnded(view, clock)))
          leftMs -= workingMs(hours, since, occasion.at);
        [since, view] = [occasion.at, views[index]!];
        const isRunning = !hasEnded(view, clock) && view.state !== 'waiting';
        const shownMs = workingMs(hours, since, dueOf(view, clock));
        const isRight = isBreached(view, clock) ? leftMs <= 0 : shownMs === Math.max(leftMs, 0);
        expect(!isRunning || isRight).toBe(true);
      }
    }
  }));

it('a stopped clock raises no event, and no event is raised twice', () =>
  always((steps) => {
    const views = viewsOf(steps);
    const said: string[] = [];
    steps.forEach(({ events, command, occasion }, index) => {
      for (const event of events) {
        if (event.type !== 'SlaWarningRaised' && event.type !== 'SlaClockBreached') continue;
        said.push(`${event.type} ${event.clock}`);
        const { slaPausedAt } = views[index - 1]!;
        const isTimers = command.type === 'RecordSlaBreach';
        const stoodAt = isTimers ? (slaPausedAt ?? occasion.at) : occasion.at;
        expect(event.type === 'SlaWarningRaised' || event.dueAt < stoodAt).toBe(true);
      }
    });
    expect(new Set(said).size).toBe(said.length);
  }));

it('due times never decrease, and move only when a pause, or a clock within it, ends', () =>
  always((steps) => {
    const views = viewsOf(steps);
    steps.slice(1).forEach(({ before }, index) => {
      const [earlier, later] = [views[index]!, views[index + 1]!];
      for (const clock of slaClocks) {
        const [was, is] = [dueOf(earlier, clock), dueOf(later, clock)];
        expect(is >= was).toBe(true);
        expect(is === was || before?.state === 'waiting').toBe(true);
        expect(is === was || !isBreached(earlier, clock)).toBe(true);
      }
    });
  }));

it('a ticket that waits is overdue only if it was before', () =>
  always((steps) => {
    for (const view of viewsOf(steps).filter(({ slaPausedAt }) => slaPausedAt !== null))
      for (const clock of slaClocks)
        expect(
          hasEnded(view, clock) ||
            isBreached(view, clock) === dueOf(view, clock) < view.slaPausedAt!,
        ).toBe(true);
  }));
