/**
 * A service-desk ticket, from `new` to `closed` or `cancelled`.
 *
 * Two tables. The first holds every rule: command → facts, or a refusal. The second holds the fold:
 * fact → state. Neither reads a clock, a random source or a database; identifiers, the ticket
 * number and the workflow arrive inside the command.
 */
import { mayAddress, type Authority } from '../authority.ts';
import {
  isRefusal,
  refuse,
  tableOf,
  type Decider,
  type Decision,
  type Instant,
} from '../../engine/aggregates/decider.ts';
import type { Occasion, Refusal } from '../../engine/aggregates/decider.ts';
import type { NewNote, TicketCommand } from './commands.ts';
import { slaClocks } from './events.ts';
import type { TicketEvent, TicketFact, Visibility } from './events.ts';
import { attached, filesAfter, type AttachedFile } from './attachments.ts';
import { changesBy, sameLocation, type TicketDetails } from './details.ts';
import { sizeAfter, emptySize, withinCapacity, type TicketSize } from './capacity.ts';
import {
  detailsErased,
  erasedAfter,
  fileErased,
  newlyErased,
  nothingErased,
  ratingErased,
  rewritten,
  type Erased,
} from './erasure.ts';
import { movesOn, statesWithFault, type FaultTicketCommand } from './faults.ts';
import { allowedFrom, isTerminal, mayMove, type TicketState } from './graph.ts';
import { openingOf } from './opening.ts';
import { ratingOf, type Rated } from './rating.ts';
import { requestersMoveRefusal } from './requesters.ts';
import { expires, termAfter, type Term } from './expiry.ts';
import { isWorkOver, type SlaStanding } from './sla.ts';
import { standingAtOpening, standingBy, warningsAtOpening, warningsBy } from './sla-fold.ts';
import type { SlaEvent } from './sla-fold.ts';
import { breachesOf, warningOf, type SlaWarnings } from './sla-occasions.ts';
import { duesMoved, settled, type SlaPausing } from './sla-pause.ts';
import { linkedBy, linksAfter, resolves, type WorkOrderLink } from './work-orders.ts';
import type { WorkOrderTicketCommand } from './work-orders.ts';

export type { TicketCommand } from './commands.ts';

/** Only state that later decisions need; the state for readers is in `view.ts`. */
export interface Ticket extends SlaStanding, SlaWarnings, SlaPausing, TicketDetails {
  readonly organisation: string;
  readonly assignedUserId: string | null;
  readonly assignedTeamId: string | null;
  readonly responded: boolean;
  /** `null`: it was not resolved, or was reopened. */
  readonly resolvedAt: Instant | null;
  /** A person or program has changed its state or assignment, so it no longer follows its fault. */
  readonly movedOn: boolean;
  readonly lastNote: Noted | null;
  readonly workOrderLinks: readonly WorkOrderLink[];
  readonly files: readonly AttachedFile[];
  readonly rating: Rated | null;
  readonly erased: Erased;
  readonly term: Term;
  readonly held: TicketSize;
}

/** The ids of notes as a linked list, newest first: a fold over many notes copies none of them. */
interface Noted {
  readonly noteId: string;
  readonly before: Noted | null;
}

type Rule<Command> = (command: Command, ticket: Ticket, on: Occasion) => Decision<TicketEvent>;

const decide = tableOf<TicketCommand, [Ticket | null, Occasion], Decision<TicketEvent>>({
  OpenTicket: (command, ticket, { at }) =>
    ticket === null ? openingOf(command, at) : refuse('CONFLICT', 'This id is in use.'),

  TransitionTicket: existing(({ to, workflow, note, byRequester = false }, ticket, { at }) => {
    const from = ticket.state;
    const refusal = byRequester ? requestersMoveRefusal(ticket, to, at, workflow) : null;
    if (refusal) return refusal;
    if (!mayMove(from, to, workflow)) {
      const allowed = allowedFrom(from, workflow);
      const detail = `A ticket that is ${from} cannot become ${to}.`;
      return refuse('TRANSITION_NOT_ALLOWED', detail, { from, to, allowed });
    }
    if (isTaken(note, ticket)) return noteTaken;
    const readers = byRequester ? 'public' : 'internal';
    return [...transitioned(to, ticket, at), ...noted(note, readers)];
  }),

  AssignTicket: existing(({ assignedUserId, assignedTeamId, note }, ticket, { at }) => {
    if (isTerminal(ticket.state)) {
      return refuse('TICKET_CLOSED', `A ticket that is ${ticket.state} cannot be assigned.`);
    }
    if (isTaken(note, ticket)) return noteTaken;
    const assignment = {
      assignedUserId: assignedUserId === undefined ? ticket.assignedUserId : assignedUserId,
      assignedTeamId: assignedTeamId === undefined ? ticket.assignedTeamId : assignedTeamId,
    };
    return [...assigned(assignment, ticket, at), ...noted(note, 'internal')];
  }),

  RaiseSlaWarning: existing(({ clock }, ticket, { at }) => warningOf(ticket, clock, at)),

  RecordSlaBreach: existing(({ clock }, ticket, { at }) => breachesOf(ticket, [clock], at)),

  EditTicket: existing(({ patch, form }, ticket) => {
    const changes = changesBy(patch, ticket, form);
    if (isRefusal(changes)) return changes;
    return Object.keys(changes).length === 0 ? [] : [{ type: 'TicketEdited', changes }];
  }),

  AddNote: existing(({ noteId, body, visibility, files = [] }, ticket) => {
    if (isTaken({ noteId }, ticket)) return noteTaken;
    const ofNote = files.map((file) => ({ ...file, visibility, noteId }));
    const added = attached(ofNote, ticket.files);
    return isRefusal(added) ? added : [...noted({ noteId, body }, visibility), ...added];
  }),

  // Given by processes, at least once: a repeat records nothing.
  AddSystemNote: existing(({ noteId, body, ruleId }, ticket) =>
    isTaken({ noteId }, ticket) ? [] : [systemNote({ noteId, body }, ruleId)],
  ),

  EndFaultOfTicket: existing(followingFault),

  ReopenFaultOfTicket: existing(followingFault),

  AddAttachment: existing(({ file }, { files }) => attached([file], files)),

  RemoveAttachment: existing(({ attachmentId }, { files }) => {
    const file = files.find((one) => one.attachmentId === attachmentId);
    return file
      ? [{ type: 'AttachmentRemoved', ...file }]
      : refuse('NOT_FOUND', 'No attachment of this ticket has this id.');
  }),

  RateTicket: existing((command, ticket) => ratingOf(command, ticket)),

  ErasePersonalData: existing(({ erasureId, erased, removed, unchangedSince }, ticket) => {
    const isExpiry = unchangedSince !== undefined;
    if (isExpiry && !expires(ticket, unchangedSince)) return [];
    const lost = newlyErased(ticket.erased, erased);
    const files = ticket.files.filter(({ attachmentId }) => removed.includes(attachmentId));
    const erasure = { type: 'TicketPersonalDataErased', erasureId } as const;
    return [
      ...(isExpiry ? [{ ...erasure, ...(lost ?? nothingErased), expired: true as const }] : []),
      ...(lost && !isExpiry ? [{ ...erasure, ...lost }] : []),
      ...files.map((file) => ({ type: 'AttachmentRemoved' as const, ...fileErased(file) })),
    ];
  }),

  // Given again with a repeated command, also long after the ticket has ended.
  RelocateTicket: existing(({ from, to, note }, ticket) => {
    if (isTerminal(ticket.state)) return [];
    if (!sameLocation(from, ticket) || sameLocation(to, ticket)) return [];
    const { storeyId, spaceId, elementId } = to;
    const relocated: TicketEvent = { type: 'TicketRelocated', storeyId, spaceId, elementId };
    return note && !isTaken(note, ticket) ? [relocated, systemNote(note)] : [relocated];
  }),

  LinkWorkOrder: existing(workedOn(() => [])),

  NoteWorkOrderProgress: existing(workedOn(() => [])),

  CompleteWorkOrder: existing(
    workedOn(({ workflow }, ticket, { at }) =>
      resolves(ticket.state, workflow) ? transitioned('resolved', ticket, at) : [],
    ),
  ),
});

const evolve = tableOf<TicketEvent, [Ticket | null, Instant], Ticket | null>({
  TicketOpened: (opened, _, at) => ({
    organisation: opened.organisation,
    subject: opened.subject,
    description: opened.description,
    priority: opened.priority,
    category: opened.category,
    storeyId: opened.storeyId,
    spaceId: opened.spaceId,
    elementId: opened.elementId,
    formData: opened.formData,
    metadata: opened.metadata,
    ...standingAtOpening(opened),
    ...warningsAtOpening(opened, at),
    slaPause: opened.slaPause ?? null,
    ...unworked,
    term: { changedAt: at, isExpired: false },
    held: emptySize,
  }),

  TicketTransitioned: remembering((fact, ticket, at) => ({
    ...standingBy(fact, ticket, at),
    resolvedAt: resolvedAfter(fact, ticket.resolvedAt, at),
    movedOn: ticket.movedOn || movesOn(fact),
  })),

  TicketAssigned: remembering((fact, { movedOn }) => ({
    assignedUserId: fact.assignedUserId,
    assignedTeamId: fact.assignedTeamId,
    movedOn: movedOn || movesOn(fact),
  })),

  FirstResponseMade: remembering((fact, ticket, at) => ({
    responded: true,
    ...standingBy(fact, ticket, at),
  })),

  SlaClockBreached: remembering(clocksBy),

  SlaWarningRaised: remembering(clocksBy),

  SlaDuesMoved: remembering(clocksBy),

  TicketEdited: remembering(({ changes: { location, ...details } }, { erased }) => ({
    ...details,
    ...location,
    erased: rewritten(erased, details),
  })),

  NoteAdded: remembering(({ noteId }, { lastNote }) => ({
    lastNote: { noteId, before: lastNote },
  })),

  SystemNoteAdded: remembering(({ noteId }, { lastNote }) => ({
    lastNote: { noteId, before: lastNote },
  })),

  TicketRelocated: remembering(({ storeyId, spaceId, elementId }) => ({
    storeyId,
    spaceId,
    elementId,
  })),

  WorkOrderLinked: remembering((link, { workOrderLinks }) => ({
    workOrderLinks: linksAfter(link, workOrderLinks),
  })),

  AttachmentAdded: remembering((fact, { files }) => ({ files: filesAfter(fact, files) })),

  AttachmentRemoved: remembering((fact, { files }) => ({ files: filesAfter(fact, files) })),

  TicketRated: remembering(({ score, comment }) => ({ rating: { score, comment } })),

  TicketPersonalDataErased: remembering((fact, { erased, rating }) => ({
    ...detailsErased(fact),
    rating: ratingErased(fact, rating),
    erased: erasedAfter(erased, fact),
  })),
});

/**
 * A ticket's rules. A state of `null` is a ticket that was not opened.
 *
 * Refuses `NOT_FOUND` (it was not opened, the authority may not address it, or it has no such
 * attachment), `CONFLICT` (the id of the ticket, a note or an attachment is in use),
 * `TRANSITION_NOT_ALLOWED`, `REOPEN_TOO_LATE`, `TICKET_CLOSED`, `TICKET_FULL`,
 * `ATTACHMENT_REFUSED`, `RATING_NOT_ALLOWED`, `ALREADY_RATED` and `VALIDATION_FAILED`
 * (`formData`, `metadata`).
 */
export const ticketDecider: Decider<TicketCommand, Ticket | null, TicketEvent> = {
  initial: null,
  decide: (command, ticket, occasion) =>
    withinCapacity(decide(command, ticket, occasion), ticket?.held ?? emptySize, command),
  evolve(event, ticket, at) {
    const after = evolve(event, ticket, at);
    return (
      after && {
        ...after,
        term: termAfter({ event }, ticket?.term ?? null, at),
        held: sizeAfter(ticket?.held ?? emptySize, event),
      }
    );
  },
};

/** A rule about an existing ticket that the command's authority may address. */
function existing<Command extends { readonly authority: Authority }>(rule: Rule<Command>) {
  return (command: Command, ticket: Ticket | null, on: Occasion): Decision<TicketEvent> =>
    ticket !== null && mayAddress(command.authority, ticket.organisation)
      ? rule(command, ticket, on)
      : refuse('NOT_FOUND', 'No ticket has this id.');
}

/** A fact about a ticket that was not opened has no effect. */
function remembering<Fact>(change: (fact: Fact, ticket: Ticket, at: Instant) => Partial<Ticket>) {
  return (fact: Fact, ticket: Ticket | null, at: Instant): Ticket | null =>
    ticket && { ...ticket, ...change(fact, ticket, at) };
}

/** An event of a work order, once: the link if it names one, its effect, and its note. */
function workedOn<Command extends WorkOrderTicketCommand>(
  also: (command: Command, ticket: Ticket, on: Occasion) => readonly TicketEvent[],
): Rule<Command> {
  return (command, ticket, on) =>
    isTaken(command, ticket)
      ? []
      : [
          ...linkedBy(command, ticket.workOrderLinks),
          ...also(command, ticket, on),
          systemNote(command),
        ];
}

/** Adds a note, and changes the state unless {@link Ticket.movedOn}. */
function followingFault(
  command: FaultTicketCommand,
  ticket: Ticket,
  { at }: Occasion,
): readonly TicketEvent[] {
  if (isTaken(command, ticket)) return [];
  const { faultId } = command;
  const path = ticket.movedOn ? [] : statesWithFault(command, ticket.state);
  const facts = path.flatMap((to, step) =>
    transitioned(to, { ...ticket, state: path[step - 1] ?? ticket.state }, at),
  );
  return [
    ...facts.map((fact) => (fact.type === 'TicketTransitioned' ? { ...fact, faultId } : fact)),
    systemNote(command),
  ];
}

const transitioned = (to: TicketState, ticket: Ticket, at: Instant): readonly TicketEvent[] => [
  ...clocksBefore(to, ticket, at),
  { type: 'TicketTransitioned', from: ticket.state, to },
];

/** The facts about the clocks before a ticket changes its state: they end, stop, or resume. */
const clocksBefore = (to: TicketState, ticket: Ticket, at: Instant): readonly TicketEvent[] => {
  if (isWorkOver(to)) return settled(ticket, slaClocks, at);
  // A clock past due by then would otherwise look as if the pause had moved it.
  if (to === 'waiting' && ticket.slaPauses) return breachesOf(ticket, slaClocks, at);
  return duesMoved(ticket, slaClocks, at);
};

/** The effect of a fact on the clocks and their warnings. */
function clocksBy(fact: SlaEvent, ticket: Ticket, at: Instant): Partial<Ticket> {
  return { ...standingBy(fact, ticket, at), ...warningsBy(fact) };
}

/** `[]` if the assignment is unchanged. The first assignment is the first response. */
const assigned = (
  { assignedUserId, assignedTeamId }: Pick<Ticket, 'assignedUserId' | 'assignedTeamId'>,
  ticket: Ticket,
  at: Instant,
): readonly TicketEvent[] => {
  if (assignedUserId === ticket.assignedUserId && assignedTeamId === ticket.assignedTeamId) {
    return [];
  }
  const fact: TicketEvent = { type: 'TicketAssigned', assignedUserId, assignedTeamId };
  const isSomebody = assignedUserId !== null || assignedTeamId !== null;
  return ticket.responded || !isSomebody
    ? [fact]
    : [...settled(ticket, ['first_response'], at), fact, { type: 'FirstResponseMade' }];
};

const noted = (note: NewNote | undefined, visibility: Visibility): readonly TicketEvent[] =>
  note ? [{ type: 'NoteAdded', noteId: note.noteId, body: note.body, visibility }] : [];

const systemNote = ({ noteId, body }: NewNote, ruleId?: string): TicketEvent => ({
  type: 'SystemNoteAdded',
  noteId,
  body,
  ...(ruleId === undefined ? {} : { ruleId }),
});

const resolvedAfter = (
  { to }: Pick<TicketFact<'TicketTransitioned'>, 'to'>,
  before: Instant | null,
  at: Instant,
): Instant | null => (to === 'resolved' ? at : to === 'reopened' ? null : before);

const isTaken = (note: Pick<NewNote, 'noteId'> | undefined, ticket: Ticket): boolean => {
  if (!note) return false;
  let noted = ticket.lastNote;
  while (noted && noted.noteId !== note.noteId) noted = noted.before;
  return noted !== null;
};

const noteTaken: Refusal = refuse('CONFLICT', 'The id of this note is in use.');

const unworked = {
  assignedUserId: null,
  assignedTeamId: null,
  responded: false,
  resolvedAt: null,
  movedOn: false,
  lastNote: null,
  workOrderLinks: [],
  files: [],
  rating: null,
  erased: nothingErased,
} as const;
