/** Properties of every ticket after any sequence of commands. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../src/engine/aggregates/decider.ts';
import {
  slaClocks,
  ticketEvent,
  ticketEventSchemas,
  type TicketEvent,
} from '../../../src/domain/tickets/events.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { timelineOf } from '../../../src/domain/tickets/timeline.ts';
import { nextDueAt } from '../../../src/domain/tickets/view.ts';
import { ticketCodec } from '../../../src/domain/tickets/codecs.ts';
import { fold, noon } from '../../support/domain/specify.ts';
import { throughJson } from '../../support/domain/round-trip.ts';
import {
  anyEvent,
  anyStory,
  stepsOf,
  viewsOf,
  type Step,
} from '../../support/domain/ticket-stories.ts';
import { opened, recordedOf } from '../../support/domain/tickets.ts';

/** interface.md, «Ticket state», typed again. */
const edges: readonly string[] = [
  'new triaged',
  'new cancelled',
  'triaged in_progress',
  'triaged waiting',
  'triaged resolved',
  'triaged cancelled',
  'in_progress waiting',
  'in_progress resolved',
  'in_progress cancelled',
  'waiting in_progress',
  'waiting resolved',
  'waiting cancelled',
  'resolved closed',
  'resolved reopened',
  'reopened in_progress',
  'reopened resolved',
];

const always = (property: (steps: readonly Step[]) => void) =>
  fc.assert(
    fc.property(anyStory, (story) => property(stepsOf(story))),
    { numRuns: 150 },
  );

describe('after any sequence of commands to a ticket', () => {
  it('it moves along the edges of the graph alone, and of the workflow where there is one', () =>
    always((steps) => {
      for (const { command, before, events } of steps) {
        const moves = events.filter((event) => event.type === 'TicketTransitioned');
        // A new ticket cannot be resolved with its fault before it was triaged.
        expect(moves.length).toBeLessThan(command.type === 'EndFaultOfTicket' ? 3 : 2);
        for (const [at, { from, to }] of moves.entries()) {
          expect(from).toBe(at === 0 ? before?.state : moves[at - 1]!.to);
          expect(edges).toContain(`${from} ${to}`);
          const workflow = 'workflow' in command ? command.workflow : undefined;
          expect(workflow?.transitions[from] ?? [to]).toContain(to);
        }
      }
    }));

  it('every recorded event round-trips through the codec', () =>
    always((steps) => {
      for (const event of steps.flatMap(({ events }) => events)) {
        // Not toStrictEqual: it reads a member named `constructor` as the object's class.
        expect(isDeepStrictEqual(throughJson(ticketCodec, event), event)).toBe(true);
      }
    }));

  it('a command given again records nothing or is refused', () =>
    always((steps) => {
      for (const { command, occasion, after } of steps.filter(({ events }) => events.length > 0)) {
        const again = ticketDecider.decide(command, after, occasion);
        expect(isRefusal(again) ? [] : again).toEqual([]);
      }
    }));

  it('the public view agrees with the state of the decider', () =>
    always((steps) => {
      viewsOf(steps).forEach((view, index) => {
        const {
          organisation,
          responded,
          rating,
          held: _____,
          movedOn: ______,
          lastNote: _,
          files: _______,
          erased: ________,
          term: _________,
          ...rules
        } = steps[index]!.after!;
        const { slaPause: __, ...clocked } = rules;
        const { slaFirstResponseWarnsAt: ___, slaResolutionWarnsAt: ____, ...known } = clocked;
        const seen = Object.keys(known).map((name) => view[name as keyof typeof known]);
        expect(isDeepStrictEqual(seen, Object.values(known))).toBe(true);
        expect(view.organisationId).toBe(organisation);
        expect(view.rating ?? {}).toMatchObject(rating ?? {});
        expect(view.firstRespondedAt !== null).toBe(responded);
      });
    }));

  it('updatedAt and the revision move exactly when something was recorded', () =>
    always((steps) => {
      const views = viewsOf(steps);
      steps.forEach(({ events, occasion }, index) => {
        const before = views[index - 1];
        const isChanged = events.length > 0;
        expect(views[index]!.updatedAt).toBe(isChanged ? occasion.at : before?.updatedAt);
        expect(views[index]!.revision).toBe((before?.revision ?? -1) + events.length);
        expect(views[index] === before).toBe(!isChanged);
      });
    }));

  it('each clock is breached at most once, after its due time, by a timer or its end', () =>
    always((steps) => {
      const breaches = steps.flatMap(({ events, occasion, command }) =>
        events.flatMap((event, index) =>
          event.type === 'SlaClockBreached'
            ? [{ event, occasion, command, after: events.slice(index + 1) }]
            : [],
        ),
      );
      for (const { event, occasion, command, after } of breaches) {
        expect(occasion.at > event.dueAt).toBe(true);
        if (command.type === 'RecordSlaBreach') continue;
        expect(after.map(({ type }) => type).join()).toMatch(
          /TicketTransitioned|FirstResponseMade/,
        );
      }
      const clocks = breaches.map(({ event }) => event.clock);
      expect(new Set(clocks).size).toBe(clocks.length);
    }));

  it('each clock warns once at most, not before its time, and not after its breach', () =>
    always((steps) => {
      const facts = steps.flatMap(({ events, occasion: { at } }) =>
        events.map((event) => ({ event, at })),
      );
      for (const clock of slaClocks) {
        const ofClock = facts.filter(({ event }) => 'clock' in event && event.clock === clock);
        expect(ofClock.map(({ event }) => event.type).join()).toMatch(
          /^(SlaWarningRaised)?,?(SlaClockBreached)?$/,
        );
        const { slaFirstResponseDueAt, slaResolutionDueAt } = opened();
        const dueAt = clock === 'first_response' ? slaFirstResponseDueAt : slaResolutionDueAt;
        const warnsAt = Date.parse(noon.at) + 0.8 * (Date.parse(dueAt!) - Date.parse(noon.at));
        const warned = ofClock.filter(({ event }) => event.type === 'SlaWarningRaised');
        for (const { at } of warned) expect(Date.parse(at)).toBeGreaterThan(warnsAt - 1);
      }
    }));

  it('no clock ends past due without a breach on record', () =>
    always((steps) => {
      const views = viewsOf(steps);
      for (const view of views) {
        const { slaFirstResponseEndedAt: endedAt, slaFirstResponseDueAt: dueAt } = view;
        const isLate = (endedAt ?? view.updatedAt) > dueAt!;
        // While the clock runs, a breach may still be unrecorded; it is never recorded too early.
        const mayBe = endedAt === null ? [isLate, false] : [isLate];
        expect(mayBe).toContain(view.slaFirstResponseBreached);
      }
      const ended = views.filter(
        ({ state, slaResolutionDueAt: dueAt }, index) =>
          ['resolved', 'cancelled'].includes(state) &&
          views[index - 1]?.state !== state &&
          steps[index]!.occasion.at > dueAt!,
      );
      for (const view of ended) expect(view.slaResolutionBreached).toBe(true);
    }));

  it('its due times never move, and one of them is next until the work is over', () =>
    always((steps) => {
      const due = [opened().slaFirstResponseDueAt, opened().slaResolutionDueAt];
      for (const view of viewsOf(steps)) {
        expect([view.slaFirstResponseDueAt, view.slaResolutionDueAt]).toEqual(due);
        const isOver = ['resolved', 'closed', 'cancelled'].includes(view.state);
        expect(nextDueAt(view)).toBe(isOver ? null : due[view.slaFirstResponseEndedAt ? 1 : 0]);
      }
    }));

  it('its timeline is chronological, with unique ids and the changes of each event', () =>
    always((steps) => {
      const events = steps.flatMap(({ events }) => events);
      const items = timelineOf(recordedOf(events));
      const silent = new Set(['TicketOpened', 'FirstResponseMade', 'WorkOrderLinked']);
      const orders = events.flatMap((event) =>
        event.type === 'WorkOrderLinked' ? [event.workOrderId] : [],
      );
      // An order is linked again when an earlier event of it arrives: no second item.
      const links = new Set(orders).size;
      // The files of a note are shown with it.
      const isSilent = (event: TicketEvent) =>
        silent.has(event.type) || (event.type === 'AttachmentAdded' && event.noteId !== undefined);
      expect(items).toHaveLength(events.filter((event) => !isSilent(event)).length + links);
      expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted());
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      for (const item of items) {
        const [from, to] =
          item.kind === 'fields' || item.kind === 'assignment'
            ? [item.from, item.to]
            : [{}, { a: 1 }];
        expect(isDeepStrictEqual(from, to)).toBe(false);
      }
    }));
});

describe('any stored events of a ticket', () => {
  it('folds in any order without throwing, and before the opening to nothing', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const isThere = events.some(({ type }) => type === 'TicketOpened');
        expect(fold(ticketDecider, events) !== null).toBe(isThere);
      }),
    );
  });

  it('fits its schema to the letter: a member too many or too few is not read', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(ticketEvent.safeParse(event).success).toBe(true);
        expect(ticketEvent.safeParse({ ...event, extra: 1 }).success).toBe(false);
        for (const name of Object.keys(event)) {
          const less = Object.fromEntries(Object.entries(event).filter(([key]) => key !== name));
          expect(ticketEvent.safeParse(less).success, `${event.type} without ${name}`).toBe(false);
        }
      }),
    );
  });

  it('is of a type that has a schema of that name', () => {
    const literals = Object.entries(ticketEventSchemas).map(([name, schema]) => [
      name,
      schema.shape.type.value,
    ]);
    expect(literals.every(([name, literal]) => name === literal)).toBe(true);
    expect(ticketEvent.options).toHaveLength(literals.length);
  });
});
