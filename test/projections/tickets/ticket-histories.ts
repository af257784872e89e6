/** Tickets of any kind, as histories, for properties of the read side. */
import * as fc from 'fast-check';
import type { Actor } from '../../../src/engine/aggregates/decider.ts';
import type { TicketEvent } from '../../../src/domain/tickets/events.ts';
import { priorities } from '../../../src/domain/tickets/events.ts';
import { ticketStates } from '../../../src/domain/tickets/graph.ts';
import { viewOf, type Fact } from './ticket-tables.ts';

const named = (kind: number, n: number) =>
  `00000000-0000-4000-8${kind}00-${String(n).padStart(12, '0')}`;
const some = <T>(...values: readonly T[]) => fc.constantFrom(...values);

export const organisations = ['acme', 'globex'];
export const buildings = [named(1, 1), named(1, 2), named(1, 3)];
export const storeys = [named(2, 1), named(2, 2)];
export const spaces = [named(3, 1), named(3, 2)];
export const elements = [named(4, 1), named(4, 2)];
export const people = ['ana', 'bo', 'Ana', "o'neil"];
/** A program may be called as a person is. */
const bo: Actor = { kind: 'user', id: 'bo' };
export const teams = ['hvac', 'lifts'];
export const categories = ['hvac', 'HVAC', 'a,b', 'lift%', 'ü', "'; drop table x; --"];

/** Few characters, so that words meet; awkward ones, so that they meet for the wrong reason. */
export const letters = [
  ...'aAbBiIıİsSßẞΣσς01%_\\\'"-$'.split(''),
  ' ',
  '\n',
  '\u00a0',
  '😀',
  '😁',
  '漏',
  'é',
  'ﬃ',
  'ｆ',
  'e\u0301',
];
export const text = fc
  .array(some(...letters), { minLength: 0, maxLength: 12 })
  .map((units) => units.join(''));
const solid = text.map((some) => `x${some}`);

/** Across two months, with many ties. */
const instant = fc
  .tuple(some(0, 1, 2, 26, 27, 28), some(0, 1))
  .map(([days, ms]) => new Date(Date.UTC(2026, 0, 20) + days * 86_400_000 + ms).toISOString());

const minutes = fc.option(some(30, 1_440, 60_000), { nil: null });
const later = (at: string, by: number) => new Date(Date.parse(at) + by).toISOString();
const due = (at: string, after: number | null) => (after === null ? null : later(at, after * 6e4));

const place = fc.record({
  storeyId: fc.option(some(...storeys), { nil: null }),
  spaceId: fc.option(some(...spaces), { nil: null }),
  elementId: fc.option(some(...elements), { nil: null }),
});
const assignment = fc.record({
  assignedUserId: fc.option(some(...people), { nil: null }),
  assignedTeamId: fc.option(some(...teams), { nil: null }),
});
/** Answers to few fields, some of a kind by which no list is filtered. */
export const formData = fc.record(
  {
    wet: fc.boolean(),
    size: some('small', 'large', '', 'x'.repeat(101), 'true'),
    parts: fc.subarray(['door', 'lock', 'hinge']),
    count: some(1, 2),
    '1st': some('small'),
  },
  { requiredKeys: [] },
);
const changes = fc
  .record({
    subject: fc.option(text, { nil: null }),
    description: solid,
    category: some('hvac'),
    formData,
  })
  .chain((whole) =>
    fc
      .subarray(['subject', 'description', 'category', 'formData'] as const)
      .map((names) => Object.fromEntries(names.map((name) => [name, whole[name]]))),
  );

const change: fc.Arbitrary<TicketEvent> = fc.oneof<fc.Arbitrary<TicketEvent>[]>(
  assignment.map((to) => ({ type: 'TicketAssigned' as const, ...to })),
  some(...ticketStates).map((to) => ({ type: 'TicketTransitioned' as const, from: 'new', to })),
  changes.map((changes) => ({ type: 'TicketEdited' as const, changes })),
  place.map((to) => ({ type: 'TicketRelocated' as const, ...to })),
  fc.constant<TicketEvent>({ type: 'FirstResponseMade' }),
  fc.record({
    type: fc.constant('NoteAdded' as const),
    noteId: fc.uuid(),
    body: solid,
    visibility: some('public' as const, 'internal' as const),
  }),
);

const history: fc.Arbitrary<Fact[]> = fc
  .record({
    at: instant,
    ticketId: fc.uuid(),
    number: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 9_999_999 })),
    organisation: some(...organisations),
    buildingId: some(...buildings),
    place,
    subject: fc.option(text, { nil: null }),
    description: solid,
    reporterName: fc.option(text, { nil: null }),
    priority: some(...priorities),
    category: fc.option(some(...categories), { nil: null }),
    first: minutes,
    resolution: minutes,
    metadata: fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { maxKeys: 2 }),
    formData,
    changes: fc.array(change, { maxLength: 4 }),
    by: fc.option(some<Actor>(bo, { kind: 'client', id: 'bo' }), { nil: undefined }),
  })
  .map(({ at, by, place, number, first, resolution, metadata, changes, ...ticket }) => [
    {
      at,
      by,
      event: {
        type: 'TicketOpened',
        ...ticket,
        ...place,
        number: `SR-${String(number).padStart(6, '0')}`,
        requestType: 'general',
        channel: 'portal',
        reporterEmail: null,
        reporterPhone: null,
        // As the log would hand it back: JSON knows no negative zero, and no U+0000 gets in.
        metadata: JSON.parse(JSON.stringify(metadata).replaceAll('\\u0000', '')),
        slaFirstResponseDueAt: due(at, first),
        slaResolutionDueAt: due(at, resolution),
      },
    },
    ...changes.map((event, index) => ({ at: later(at, (index + 1) * 1_000), event })),
  ]);

/** Of so many tickets at least, no two of one id. */
export const histories = (minLength: number): fc.Arbitrary<Fact[][]> =>
  fc.uniqueArray(history, { minLength, maxLength: 60, selector: (facts) => viewOf(facts).id });

/** A plain opening in the first building, unassigned, with the given overrides. */
export const openedPlainly = (
  at: string,
  ticketId: string,
  number: string,
  changes: object = {},
): Fact => ({
  at,
  event: {
    type: 'TicketOpened',
    ticketId,
    number,
    organisation: 'acme',
    requestType: 'general',
    buildingId: buildings[0]!,
    storeyId: null,
    spaceId: null,
    elementId: null,
    subject: null,
    description: 'It drips.',
    priority: 'low',
    category: null,
    channel: 'portal',
    reporterName: null,
    reporterEmail: null,
    reporterPhone: null,
    formData: {},
    metadata: {},
    slaFirstResponseDueAt: null,
    slaResolutionDueAt: null,
    ...changes,
  },
});
