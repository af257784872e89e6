/** Stories of a ticket for property tests: commands one after another, with time between them. */
import * as fc from 'fast-check';
import { authorityOf, systemAuthority } from '../../../src/domain/authority.ts';
import { isRefusal, type Occasion } from '../../../src/engine/aggregates/decider.ts';
import type { TicketCommand } from '../../../src/domain/tickets/commands.ts';
import { ATTACHMENT_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { erasableTexts } from '../../../src/domain/tickets/erasure.ts';
import {
  channels,
  priorities,
  slaClocks,
  visibilities,
  type TicketEvent,
  type TicketLocation,
} from '../../../src/domain/tickets/events.ts';
import type { Json, JsonObject } from '../../../src/domain/tickets/free-form.ts';
import {
  ticketStates,
  type TicketState,
  type Workflow,
} from '../../../src/domain/tickets/graph.ts';
import { ticketDecider, type Ticket } from '../../../src/domain/tickets/ticket.ts';
import { viewAfter, type TicketView } from '../../../src/domain/tickets/view.ts';
import { afterNoon } from './specify.ts';
import { acme, draft, opened } from './tickets.ts';

/** Few places, so that commands often meet the ticket where they expect it. */
const [storeyId, otherId] = [draft.storeyId, '2b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22'];
const location = fc.constantFrom<TicketLocation>(
  { storeyId, spaceId: null, elementId: null },
  { storeyId, spaceId: otherId, elementId: null },
  { storeyId: null, spaceId: null, elementId: null },
);
const words = fc.constantFrom('Sink', 'Tap', 'Ünïcode 🛠', '__proto__', '  x');
const person = fc.constantFrom(null, 'u1', 'u2');

const json: fc.Arbitrary<Json> = fc.letrec<{ any: Json; object: JsonObject }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 1, -2.5, 'a', ''),
    tie('object'),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any')), {
      maxLength: 3,
    })
    .map((members) => Object.fromEntries(members)),
})).any;
const object = json.filter(
  (value): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
);

const note = fc.record({ noteId: fc.uuid(), body: words });
const workflow: fc.Arbitrary<Workflow> = fc
  .dictionary(fc.constantFrom(...ticketStates), fc.subarray(ticketStates))
  .map((transitions) => ({ transitions }));
/** All states, and more often those that lead on. */
const onward: readonly TicketState[] = ['triaged', 'in_progress', 'resolved', 'reopened'];
const target = fc.constantFrom(...ticketStates, ...onward, ...onward, ...onward);
const authority = fc.constantFrom(acme, acme, acme, acme, systemAuthority, authorityOf('globex'));

const workOrder = {
  authority,
  workOrderId: fc.constantFrom('4711', '4712'),
  occurredAt: fc.constantFrom('2026-03-02T11:00:00.000Z', '2026-03-02T13:00:00.000Z'),
  links: fc.boolean(),
  noteId: fc.uuid(),
  body: words,
};

const fault = { authority, faultId: fc.uuid(), noteId: fc.uuid(), body: words, workflow };

/** Few, so that some are removed. */
const attachmentId = fc.constantFrom(
  '5b1c0d0e-0000-4000-8000-000000000001',
  '5b1c0d0e-0000-4000-8000-000000000002',
);

const file = {
  attachmentId,
  name: words,
  mediaType: fc.constantFrom('image/png', 'text/plain'),
  bytes: fc.constantFrom(1, ATTACHMENT_BYTES_MAX, ATTACHMENT_BYTES_MAX + 1),
  sha256: fc.constantFrom('a'.repeat(64), 'b'.repeat(64)),
};

/** Every command to an existing ticket. */
type CommandToTicket = Exclude<TicketCommand, { type: 'OpenTicket' }>;

const commands: {
  readonly [T in CommandToTicket['type']]: fc.Arbitrary<Extract<TicketCommand, { type: T }>>;
} = {
  TransitionTicket: fc.record(
    {
      type: fc.constant('TransitionTicket' as const),
      authority,
      to: target,
      workflow,
      note,
      byRequester: fc.boolean(),
    },
    { requiredKeys: ['type', 'authority', 'to'] },
  ),
  AssignTicket: fc.record(
    {
      type: fc.constant('AssignTicket' as const),
      authority,
      assignedUserId: person,
      assignedTeamId: person,
      note,
    },
    { requiredKeys: ['type', 'authority'] },
  ),
  RaiseSlaWarning: fc.record({
    type: fc.constant('RaiseSlaWarning' as const),
    authority,
    clock: fc.constantFrom(...slaClocks),
  }),
  RecordSlaBreach: fc.record({
    type: fc.constant('RecordSlaBreach' as const),
    authority,
    clock: fc.constantFrom(...slaClocks),
  }),
  EditTicket: fc.record({
    type: fc.constant('EditTicket' as const),
    authority,
    patch: fc.record(
      {
        subject: fc.option(words),
        description: words,
        priority: fc.constantFrom(...priorities),
        category: fc.option(words),
        location,
        formData: fc.option(object),
        metadata: fc.option(object),
      },
      { requiredKeys: [] },
    ),
  }),
  AddNote: fc.record(
    {
      type: fc.constant('AddNote' as const),
      authority,
      noteId: fc.uuid(),
      body: words,
      visibility: fc.constantFrom(...visibilities),
      files: fc.array(fc.record(file), { maxLength: 2 }),
    },
    { requiredKeys: ['type', 'authority', 'noteId', 'body', 'visibility'] },
  ),
  RateTicket: fc.record({
    type: fc.constant('RateTicket' as const),
    authority,
    score: fc.integer({ min: 1, max: 5 }),
    comment: fc.option(words),
  }),
  AddSystemNote: fc.record(
    {
      type: fc.constant('AddSystemNote' as const),
      authority,
      noteId: fc.uuid(),
      body: words,
      ruleId: words,
    },
    { requiredKeys: ['type', 'authority', 'noteId', 'body'] },
  ),
  AddAttachment: fc.record({
    type: fc.constant('AddAttachment' as const),
    authority,
    file: fc.record({ ...file, visibility: fc.constantFrom(...visibilities) }),
  }),
  RemoveAttachment: fc.record({
    type: fc.constant('RemoveAttachment' as const),
    authority,
    attachmentId,
  }),
  ErasePersonalData: fc.record(
    {
      type: fc.constant('ErasePersonalData' as const),
      authority,
      erasureId: fc.uuid(),
      erased: fc.record({
        reporter: fc.boolean(),
        createdBy: fc.boolean(),
        texts: fc.subarray([...erasableTexts]),
        notes: fc.array(fc.uuid(), { maxLength: 2 }),
        attachments: fc.subarray(['5b1c0d0e-0000-4000-8000-000000000001']),
      }),
      removed: fc.array(attachmentId, { maxLength: 2 }),
      unchangedSince: fc.constantFrom('2000-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'),
    },
    { requiredKeys: ['type', 'authority', 'erasureId', 'erased', 'removed'] },
  ),
  RelocateTicket: fc.record(
    {
      type: fc.constant('RelocateTicket' as const),
      authority,
      from: location,
      to: location,
      note,
    },
    { requiredKeys: ['type', 'authority', 'from', 'to'] },
  ),
  LinkWorkOrder: fc.record({ type: fc.constant('LinkWorkOrder' as const), ...workOrder }),
  NoteWorkOrderProgress: fc.record({
    type: fc.constant('NoteWorkOrderProgress' as const),
    ...workOrder,
  }),
  CompleteWorkOrder: fc.record({ type: fc.constant('CompleteWorkOrder' as const), ...workOrder }),
  EndFaultOfTicket: fc.record(
    { type: fc.constant('EndFaultOfTicket' as const), ...fault },
    { requiredKeys: ['type', 'authority', 'faultId', 'noteId', 'body'] },
  ),
  ReopenFaultOfTicket: fc.record(
    { type: fc.constant('ReopenFaultOfTicket' as const), ...fault },
    { requiredKeys: ['type', 'authority', 'faultId', 'noteId', 'body'] },
  ),
};

export const anyCommandToTicket: fc.Arbitrary<CommandToTicket> = fc.oneof(
  ...Object.values<fc.Arbitrary<CommandToTicket>>(commands),
);

/** A ticket that moves on more often than not meets more of its rules. */
const anyCommand: fc.Arbitrary<TicketCommand> = fc.oneof(
  fc.constant<TicketCommand>({ type: 'OpenTicket', draft }),
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('TransitionTicket' as const), authority, to: target }),
  },
  { weight: 11, arbitrary: anyCommandToTicket },
);

/** Commands and the minutes between them, long enough for clocks to pass their due times. */
export const anyStory = fc.array(fc.tuple(anyCommand, fc.nat({ max: 100 })), {
  maxLength: 25,
  size: 'max',
});

export interface Step {
  readonly command: TicketCommand;
  readonly occasion: Occasion;
  readonly before: Ticket | null;
  readonly events: readonly TicketEvent[];
  readonly refused: string | null;
  readonly after: Ticket | null;
}

/**
 * The history of one ticket, opened at noon, command by command.
 *
 * @param opening The opening event. Default: decided from the command.
 */
export const stepsOf = (
  story: readonly (readonly [TicketCommand, number])[],
  opening?: TicketEvent,
): readonly Step[] => {
  let ticket: Ticket | null = null;
  let minutes = 0;
  return [[{ type: 'OpenTicket', draft } as const, 0] as const, ...story].map(
    ([command, pause], index) => {
      minutes += pause;
      const occasion = afterNoon(minutes);
      const before: Ticket | null = ticket;
      const decision =
        index === 0 && opening ? [opening] : ticketDecider.decide(command, before, occasion);
      const events = isRefusal(decision) ? [] : decision;
      ticket = events.reduce<Ticket | null>(
        (state, event) => ticketDecider.evolve(event, state, occasion.at),
        before,
      );
      const refused = isRefusal(decision) ? decision.refused : null;
      return { command, occasion, before, events, refused, after: ticket };
    },
  );
};

/** The view after each step, as the runner would fold it. */
export const viewsOf = (steps: readonly Step[]): readonly TicketView[] => {
  let view: TicketView | null = null;
  let revision = -1;
  return steps.map(({ events, occasion: { at, by } }) => {
    for (const event of events)
      view = viewAfter({ event, at, by, revision: (revision += 1) }, view);
    if (!view) throw new Error('a story begins with the opening');
    return view;
  });
};

/** Any event that fits its schema, whether or not it can be recorded. */
export const anyEvent: fc.Arbitrary<TicketEvent> = fc.oneof(
  fc.record({ channel: fc.constantFrom(...channels) }).map((over) => opened(over)),
  fc.record({
    type: fc.constant('TicketTransitioned' as const),
    from: fc.constantFrom(...ticketStates),
    to: fc.constantFrom(...ticketStates),
  }),
  fc.record({
    type: fc.constant('TicketAssigned' as const),
    assignedUserId: person,
    assignedTeamId: person,
  }),
  fc.constant({ type: 'FirstResponseMade' as const }),
  fc.record({
    type: fc.constantFrom('SlaClockBreached' as const, 'SlaWarningRaised' as const),
    clock: fc.constantFrom(...slaClocks),
    dueAt: fc.constant('2026-03-02T13:00:00.000Z'),
  }),
  fc.constant({
    type: 'SlaDuesMoved' as const,
    slaFirstResponseDueAt: '2026-03-02T13:30:00.000Z',
    slaResolutionDueAt: null,
    warnings: { firstResponseAt: null, resolutionAt: '2026-03-02T13:20:00.000Z' },
  }),
  fc.record({
    type: fc.constant('TicketEdited' as const),
    changes: fc.record({ subject: words, location, metadata: object }, { requiredKeys: [] }),
  }),
  fc.record({
    type: fc.constant('NoteAdded' as const),
    noteId: fc.uuid(),
    body: words,
    visibility: fc.constantFrom(...visibilities),
  }),
  fc.record({ type: fc.constant('SystemNoteAdded' as const), noteId: fc.uuid(), body: words }),
  location.map((to) => ({ type: 'TicketRelocated' as const, ...to })),
  fc.record({
    type: fc.constant('AttachmentAdded' as const),
    attachmentId,
    name: words,
    mediaType: fc.constant('image/png'),
    bytes: fc.constant(1),
    sha256: fc.constant('a'.repeat(64)),
    visibility: fc.constantFrom(...visibilities),
  }),
  fc.record({
    type: fc.constant('TicketRated' as const),
    score: fc.integer({ min: 1, max: 5 }),
    comment: fc.option(words),
  }),
);
