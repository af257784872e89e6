import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Configuration } from '../../../src/domain/service-desk/configuration.ts';
import { emptyConfiguration } from '../../../src/domain/service-desk/configuration.ts';
import { priorities, ticketEvent } from '../../../src/domain/tickets/events.ts';
import { mayMove } from '../../../src/domain/tickets/graph.ts';
import { notesMaxOf } from '../../../src/domain/tickets/opening.ts';
import { ticketDecider } from '../../../src/domain/tickets/ticket.ts';
import { viewAfter } from '../../../src/domain/tickets/view.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { noon, specify } from '../../support/domain/specify.ts';
import { draft, opened, responded } from '../../support/domain/tickets.ts';

const given = specify(ticketDecider);
const noteIds = [1, 2, 3].map((index) => `7d0c1a52-8c0e-4f0c-9d39-00000000000${index}`);
const open = (configuration: Configuration, over: object = {}) =>
  ({ type: 'OpenTicket', draft: { ...draft, ...over }, configuration, noteIds }) as const;

describe('opening a ticket', () => {
  it('of an organisation that has set nothing records it as it was asked for, and no more', () => {
    given().when(open(emptyConfiguration)).records(opened());
    given().when({ type: 'OpenTicket', draft }).records(opened());
  });

  it('records the effects of routing rules in one decision, each event with its rule', () =>
    given()
      .when(
        open(
          configured({
            routingRules: [
              rule('water', {
                match: { text: 'water' },
                raisePriorityTo: 'critical',
                triage: true,
                note: 'Close the valve.',
              }),
              rule('plumbers', { match: { category: 'plumbing' }, assignTeamId: 'plumbers' }),
              rule('night', { match: { priority: 'low' }, note: 'Not tonight.' }),
            ],
          }),
        ),
      )
      .records(
        opened({
          slaFirstResponseDueAt: '2026-03-02T12:15:00.000Z',
          slaResolutionDueAt: '2026-03-02T16:00:00.000Z',
          ruleIds: ['water', 'plumbers'],
        }),
        { type: 'TicketEdited', changes: { priority: 'critical' }, ruleId: 'water' },
        { type: 'TicketTransitioned', from: 'new', to: 'triaged', ruleId: 'water' },
        {
          type: 'TicketAssigned',
          assignedUserId: null,
          assignedTeamId: 'plumbers',
          ruleId: 'plumbers',
        },
        responded,
        {
          type: 'SystemNoteAdded',
          noteId: noteIds[0]!,
          body: 'Close the valve.',
          ruleId: 'water',
        },
      ));

  it('uses the SLA policy that matches the ticket after routing', () =>
    given()
      .when(
        open(
          configured({
            routingRules: [rule('up', { raisePriorityTo: 'critical' })],
            slaPolicies: [
              {
                name: 'high',
                match: { priority: 'high' },
                firstResponseMinutes: 1,
                resolutionMinutes: 2,
              },
              {
                name: 'critical',
                match: { priority: 'critical' },
                firstResponseMinutes: 10,
                resolutionMinutes: null,
                warningPercent: 25,
              },
            ],
          }),
        ),
      )
      .records(
        opened({
          slaFirstResponseDueAt: '2026-03-02T12:10:00.000Z',
          slaResolutionDueAt: null,
          slaPolicy: 'critical',
          slaWarning: { firstResponseAt: '2026-03-02T12:02:30.000Z', resolutionAt: null },
          ruleIds: ['up'],
        }),
        { type: 'TicketEdited', changes: { priority: 'critical' }, ruleId: 'up' },
      ));

  it('counts, warns and pauses in the business hours of the policy', () => {
    const calendar = {
      timeZone: 'UTC',
      weekly: { monday: [['09:00', '13:00']], tuesday: [['09:00', '13:00']] },
      holidays: [],
    } as const;
    const policy = {
      name: 'office',
      firstResponseMinutes: 60,
      resolutionMinutes: 120,
      calendar: 'office',
      pauseWhileWaiting: true,
    };
    given()
      .when(open(configured({ slaPolicies: [policy], calendars: { office: calendar } })))
      .records(
        opened({
          slaFirstResponseDueAt: '2026-03-02T13:00:00.000Z',
          slaResolutionDueAt: '2026-03-03T10:00:00.000Z',
          slaPolicy: 'office',
          slaWarning: {
            firstResponseAt: '2026-03-02T12:48:00.000Z',
            resolutionAt: '2026-03-03T09:36:00.000Z',
          },
          slaPause: { calendar, warningPercent: 80 },
        }),
      );
  });

  it('leaves it new, with a note, where the workflow does not let it be triaged', () => {
    const { outcome } = given().when(
      open(
        configured({
          routingRules: [rule('a', { triage: true })],
          workflows: [{ requestType: 'general', transitions: { new: ['cancelled'] } }],
        }),
      ),
    );
    expect(outcome).toMatchObject([{ type: 'TicketOpened' }, { type: 'SystemNoteAdded' }]);
  });

  it('has as many ids for notes as the rules can make notes', () => {
    const routingRules = [1, 2, 3].map((n) => rule(`${n}`, { triage: true, note: `${n}` }));
    const workflows = [{ requestType: 'general', transitions: { new: [] } }];
    const configuration = configured({ routingRules, workflows });
    const ids = Array.from({ length: notesMaxOf(configuration) }, (_, n) => `${n}`);
    const { outcome } = given().when({ type: 'OpenTicket', draft, configuration, noteIds: ids });
    expect(outcome).toHaveLength(1 + ids.length);
  });

  it('is one ticket to the outside: responded to, in its team, at the last revision', () => {
    const routingRules = [rule('a', { triage: true, assignTeamId: 'plumbers', note: 'Soon.' })];
    const { outcome } = given().when(open(configured({ routingRules })));
    const events = outcome as readonly Parameters<typeof viewAfter>[0]['event'][];
    const view = events
      .map((event, revision) => ({ event: ticketEvent.parse(event), revision }))
      .reduce(
        (before: ReturnType<typeof viewAfter> | null, { event, revision }) =>
          viewAfter({ event, at: noon.at, by: noon.by, revision }, before),
        null,
      );
    expect(view).toMatchObject({
      state: 'triaged',
      assignedTeamId: 'plumbers',
      firstRespondedAt: noon.at,
      createdAt: noon.at,
      updatedAt: noon.at,
      revision: 4,
    });
  });

  it('obeys the transition graph and the workflow, and round-trips, with any rules', () => {
    const anyRule = fc.record(
      {
        match: fc.record(
          {
            priority: fc.subarray([...priorities], { minLength: 1 }),
            text: fc.constantFrom('water', 'sink', 'gas'),
          },
          { requiredKeys: [] },
        ),
        assignTeamId: fc.constantFrom('a', 'b'),
        assignUserId: fc.constantFrom('ana', 'bob'),
        raisePriorityTo: fc.constantFrom(...priorities),
        triage: fc.boolean(),
        note: fc.constantFrom('One.', 'Two.'),
        stop: fc.boolean(),
      },
      { requiredKeys: ['match'] },
    );
    const anyWorkflow = fc.subarray(['triaged' as const, 'cancelled' as const]);
    const anyPriority = fc.constantFrom(...priorities);
    fc.assert(
      fc.property(fc.array(anyRule), anyWorkflow, anyPriority, (rules, targets, priority) => {
        const workflow = { requestType: 'general', transitions: { new: targets } };
        const configuration = configured({
          routingRules: rules.map((parts, index) => rule(`${index}`, parts)),
          workflows: [workflow],
        });
        const ids = Array.from(
          { length: notesMaxOf(configuration) },
          (_, index) => `7d0c1a52-8c0e-4f0c-9d39-${String(index).padStart(12, '0')}`,
        );
        const command = { ...open(configuration, { priority }), noteIds: ids };
        const { outcome } = given().when(command);
        expect(given().when(command).outcome).toEqual(outcome);
        const events = (outcome as readonly unknown[]).map((event) => ticketEvent.parse(event));
        expect(events).toEqual(outcome);
        const [first, ...others] = events;
        expect(first).toMatchObject({ type: 'TicketOpened', priority });
        const raises = others.flatMap((event) =>
          event.type === 'TicketEdited' ? [priorities.indexOf(event.changes.priority!)] : [],
        );
        const steps = [priorities.indexOf(priority), ...raises];
        expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
        const kinds = others.map(({ type }) => type).filter((type) => type !== 'SystemNoteAdded');
        // Each once at most, in this order, and a first response with every assignment.
        expect(['', ...kinds].join(' ')).toMatch(
          /^( TicketEdited)*( TicketTransitioned)?( TicketAssigned FirstResponseMade)?$/,
        );
        const moves = others.filter((event) => event.type === 'TicketTransitioned');
        expect(moves.every(({ from, to }) => mayMove(from, to, workflow))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
