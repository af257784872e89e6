/**
 * Work orders of a foreign system on a ticket: the link, the notes on progress, the resolution.
 * One event of theirs is one command here, and its note's id is the event's name: given again, it
 * changes nothing. contract.md section 5.
 */
import { z } from 'zod';
import type { Authority } from '../authority.ts';
import { compareText } from '../compare-text.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { instant, text } from '../../engine/aggregates/event-fields.ts';
import { mayMove, type TicketState, type Workflow } from './graph.ts';

/** What every event of a work order brings. */
interface OfWorkOrder {
  /** A ticket that it may not address is none to it. */
  readonly authority: Authority;
  readonly workOrderId: string;
  /** By the work-order system's clock. */
  readonly occurredAt: Instant;
  /** The event names the ticket, so that it links the two. */
  readonly links: boolean;
  /** Derived from the event: a ticket that has this note has had the event. */
  readonly noteId: string;
  readonly body: string;
}

export type WorkOrderTicketCommand =
  | (OfWorkOrder & { readonly type: 'LinkWorkOrder' })
  | (OfWorkOrder & { readonly type: 'NoteWorkOrderProgress' })
  | (OfWorkOrder & {
      readonly type: 'CompleteWorkOrder';
      /** Of the ticket's request type. Absent: the whole graph. */
      readonly workflow?: Workflow;
    });

export const workOrderTicketSchemas = {
  /** Again for the same order where an earlier event of it turns up later. */
  WorkOrderLinked: z.strictObject({
    type: z.literal('WorkOrderLinked'),
    workOrderId: text,
    occurredAt: instant,
  }),
};

export type WorkOrderLinked = z.infer<typeof workOrderTicketSchemas.WorkOrderLinked>;

/** A linked order, and when it was linked first by its own system's clock. */
export interface WorkOrderLink {
  readonly workOrderId: string;
  readonly occurredAt: Instant;
}

/** The links after one more, in the order of (`occurredAt`, `workOrderId`), however they come. */
export const linksAfter = (
  { workOrderId, occurredAt }: WorkOrderLink,
  links: readonly WorkOrderLink[],
): readonly WorkOrderLink[] => {
  const before = links.find((one) => one.workOrderId === workOrderId);
  if (before && before.occurredAt <= occurredAt) return links;
  return [...links.filter((one) => one !== before), { workOrderId, occurredAt }].toSorted(
    (a, b) => compareText(a.occurredAt, b.occurredAt) || compareText(a.workOrderId, b.workOrderId),
  );
};

/** What a ticket shows of its links. */
export const linksShown = (links: readonly WorkOrderLink[]) => ({
  workOrderLinks: links,
  workOrderIds: links.map(({ workOrderId }) => workOrderId),
  workOrderId: links.at(-1)?.workOrderId ?? null,
});

/** The link that an event makes; `[]` for one that names no ticket, or says nothing new. */
export const linkedBy = (
  { links, workOrderId, occurredAt }: OfWorkOrder,
  before: readonly WorkOrderLink[],
): readonly WorkOrderLinked[] =>
  links && linksAfter({ workOrderId, occurredAt }, before) !== before
    ? [{ type: 'WorkOrderLinked', workOrderId, occurredAt }]
    : [];

/** Whether the completion of an order resolves a ticket: in any other state somebody was faster. */
export const resolves = (state: TicketState, workflow?: Workflow): boolean =>
  awaitsWork.includes(state) && mayMove(state, 'resolved', workflow);

const awaitsWork: readonly TicketState[] = ['triaged', 'in_progress', 'waiting'];
