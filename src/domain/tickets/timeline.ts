/**
 * The timeline of a ticket for people: one item per fact, oldest first. contract.md section 5.
 *
 * The opening is no item (`createdAt`, `createdBy` and the ticket itself show it), and neither is
 * the first response, which is the first assignment.
 */
import { tableOf, type Actor, type Instant } from '../../engine/aggregates/decider.ts';
import type { AttachedFile } from './attachments.ts';
import type { SlaClock, TicketEvent, TicketLocation, Visibility } from './events.ts';
import { sameJson, type Json, type JsonObject } from './free-form.ts';
import type { TicketState } from './graph.ts';
import type { Rated } from './rating.ts';
import { viewAfter, type RecordedTicketEvent, type TicketView } from './view.ts';
import type { WorkOrderLink } from './work-orders.ts';

interface Told {
  /** Id of the note, or of the event. */
  readonly id: string;
  readonly at: Instant;
  readonly actor: Actor;
  /** The routing rule that caused it. */
  readonly ruleId?: string;
  /** Its text was erased. */
  readonly erased?: true;
}

export type TimelineItem = Told &
  (
    | NoteItem
    | { readonly kind: 'system'; readonly body: string }
    | { readonly kind: 'state'; readonly from: TicketState; readonly to: TicketState }
    | { readonly kind: 'assignment'; readonly from: Assignment; readonly to: Assignment }
    | { readonly kind: 'fields'; readonly from: Fields; readonly to: Fields }
    | { readonly kind: 'work_order'; readonly to: WorkOrderLink }
    | (OfAttachment & { readonly to: AttachmentEntry })
    | (OfAttachment & { readonly from: AttachmentEntry })
    | { readonly kind: 'rating'; readonly to: Rated }
    | { readonly kind: 'erasure' }
    | { readonly kind: 'sla'; readonly to: Breach | Warning }
    | { readonly kind: 'sla'; readonly from: DueTimes; readonly to: DueTimes }
  );

interface NoteItem {
  readonly kind: 'note';
  readonly body: string;
  readonly visibility: Visibility;
  /** The note's files, even if they were removed since. Absent: none. */
  readonly attachments?: readonly AttachmentEntry[];
}

interface OfAttachment {
  readonly kind: 'attachment';
  readonly visibility: Visibility;
}

/** `to` of an added attachment, `from` of a removed one. */
export type AttachmentEntry = Pick<AttachedFile, 'attachmentId' | 'name' | 'mediaType' | 'bytes'>;

/** Only the changed members, before and after. */
export type Assignment = Partial<Pick<TicketView, 'assignedUserId' | 'assignedTeamId'>>;

/**
 * Only the changed members. Of `formData` and `metadata` only their own changed members: an added
 * one is missing in `from`, a removed one is missing in `to`.
 */
export type Fields = Partial<
  Pick<TicketView, 'subject' | 'description' | 'priority' | 'category' | 'formData' | 'metadata'> &
    TicketLocation
>;

export interface Breach {
  readonly clock: SlaClock;
  readonly dueAt: Instant;
  readonly breached: true;
}

export interface Warning {
  readonly clock: SlaClock;
  readonly dueAt: Instant;
  readonly warned: true;
}

/** Only the times that a pause has moved. */
export type DueTimes = Partial<Pick<TicketView, 'slaFirstResponseDueAt' | 'slaResolutionDueAt'>>;

/** @throws Error if the first fact is not the opening: the stream is broken. */
export const timelineOf = (
  recorded: readonly (RecordedTicketEvent & { readonly id: string })[],
): readonly TimelineItem[] => {
  const items: TimelineItem[] = [];
  let view: TicketView | null = null;
  for (const fact of recorded) {
    const entries = entriesBy(fact, view);
    if (entries.item) items.push(entries.item);
    addToNote(items, fact.event);
    ({ view } = entries);
  }
  return items;
};

/**
 * The timeline items of one fact, given the ticket before it, and the ticket after it.
 *
 * @throws Error for a fact before the opening.
 */
export const entriesBy = (
  fact: RecordedTicketEvent & { readonly id: string },
  before: TicketView | null,
): { readonly item: TimelineItem | null; readonly view: TicketView } => {
  const view = viewAfter(fact, before);
  const { id, at, by: actor } = fact;
  const content = contentOf(fact.event, before ?? view, view);
  const erased = fact.erased?.includes('texts') ? { erased: true as const } : {};
  return { item: content && { id, at, actor, ...content, ...erased }, view };
};

/**
 * Adds a note's file to the last item, if that is its note. The files of a note are no separate
 * items; they are recorded right after it.
 */
export const addToNote = (items: TimelineItem[], event: TicketEvent): void => {
  const last = items.at(-1);
  if (event.type !== 'AttachmentAdded' || last?.kind !== 'note') return;
  if (event.noteId !== last.id) return;
  const attachments = [...(last.attachments ?? []), attachmentEntry(event)];
  items[items.length - 1] = { ...last, attachments };
};

type Content<Item = TimelineItem> = Item extends TimelineItem
  ? Omit<Item, 'id' | 'at' | 'actor'> & { readonly id?: string }
  : never;

const contentOf = tableOf<TicketEvent, [TicketView, TicketView], Content | null>({
  TicketOpened: () => null,
  TicketTransitioned: ({ from, to, ...rule }) => ({ kind: 'state', from, to, ...ruleIn(rule) }),
  TicketAssigned: (rule, before, after) => ({
    kind: 'assignment',
    ...changed(before, after, ['assignedUserId', 'assignedTeamId']),
    ...ruleIn(rule),
  }),
  FirstResponseMade: () => null,
  SlaClockBreached: ({ clock, dueAt }) => ({ kind: 'sla', to: { clock, dueAt, breached: true } }),
  SlaWarningRaised: ({ clock, dueAt }) => ({ kind: 'sla', to: { clock, dueAt, warned: true } }),
  SlaDuesMoved: (_, before, after) => ({
    kind: 'sla',
    ...changed(before, after, ['slaFirstResponseDueAt', 'slaResolutionDueAt']),
  }),
  TicketEdited: (rule, before, after) => ({
    kind: 'fields',
    ...fieldsChanged(before, after),
    ...ruleIn(rule),
  }),
  NoteAdded: ({ noteId, body, visibility }) => ({ kind: 'note', id: noteId, body, visibility }),
  SystemNoteAdded: ({ noteId, body, ...rule }) => ({
    kind: 'system',
    id: noteId,
    body,
    ...ruleIn(rule),
  }),
  TicketRelocated: (_, before, after) => ({ kind: 'fields', ...fieldsChanged(before, after) }),
  // An earlier event of a linked order corrects its time, and is no second link.
  WorkOrderLinked: ({ workOrderId, occurredAt }, { workOrderIds }) =>
    workOrderIds.includes(workOrderId)
      ? null
      : { kind: 'work_order', to: { workOrderId, occurredAt } },
  AttachmentAdded: ({ visibility, noteId, ...file }) =>
    noteId === undefined ? { kind: 'attachment', visibility, to: attachmentEntry(file) } : null,
  AttachmentRemoved: ({ visibility, ...file }) => ({
    kind: 'attachment',
    visibility,
    from: attachmentEntry(file),
  }),
  TicketRated: ({ score, comment }) => ({ kind: 'rating', to: { score, comment } }),
  TicketPersonalDataErased: () => ({ kind: 'erasure' }),
});

const attachmentEntry = ({
  attachmentId,
  name,
  mediaType,
  bytes,
}: AttachmentEntry): AttachmentEntry => ({ attachmentId, name, mediaType, bytes });

const ruleIn = ({ ruleId }: { readonly ruleId?: string }) =>
  ruleId === undefined ? {} : { ruleId };

const fieldsChanged = (before: TicketView, after: TicketView): { from: Fields; to: Fields } => {
  const plain = changed(before, after, [
    'subject',
    'description',
    'priority',
    'category',
    'storeyId',
    'spaceId',
    'elementId',
  ]);
  const formData = membersChanged(before.formData, after.formData);
  const metadata = membersChanged(before.metadata, after.metadata);
  return {
    from: {
      ...plain.from,
      ...(formData ? { formData: formData.from } : {}),
      ...(metadata ? { metadata: metadata.from } : {}),
    },
    to: {
      ...plain.to,
      ...(formData ? { formData: formData.to } : {}),
      ...(metadata ? { metadata: metadata.to } : {}),
    },
  };
};

const changed = <Name extends keyof TicketView>(
  before: TicketView,
  after: TicketView,
  names: readonly Name[],
): { from: Partial<Pick<TicketView, Name>>; to: Partial<Pick<TicketView, Name>> } => {
  const from: Partial<Pick<TicketView, Name>> = {};
  const to: Partial<Pick<TicketView, Name>> = {};
  for (const name of names) {
    if (before[name] === after[name]) continue;
    from[name] = before[name];
    to[name] = after[name];
  }
  return { from, to };
};

/** `null` if none did. */
const membersChanged = (before: JsonObject, after: JsonObject) => {
  const differing = (one: JsonObject, other: JsonObject): [string, Json][] =>
    Object.entries(one).filter(([name, value]) => !sameJson(value, ownOf(other, name)));
  const [from, to] = [differing(before, after), differing(after, before)];
  return from.length + to.length === 0
    ? null
    : { from: Object.fromEntries(from), to: Object.fromEntries(to) };
};

const ownOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
