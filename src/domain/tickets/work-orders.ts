/**
 * Work orders of an external system on a ticket: the link, the notes on progress, the resolution.
 * One external event is one command here, and its note's id is derived from the event, so that a
 * repeat has no effect. contract.md section 5.
 */
import { z } from 'zod';
import type { Authority } from '../authority.ts';
import { compareText } from '../compare-text.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { instant, text } from '../../engine/log/event-fields.ts';
import { mayMove, type TicketState, type Workflow } from './graph.ts';

/** Common to all events of a work order. */
interface OfWorkOrder {
  /** A ticket outside its authority does not exist for it. */
  readonly authority: Authority;
  readonly workOrderId: string;
  /** By the work-order system's clock. */
  readonly occurredAt: Instant;
  /** The event names the ticket, and so links the two. */
  readonly links: boolean;
  /** Derived from the event: a ticket that has this note has processed the event. */
  readonly noteId: string;
  readonly body: string;
}

export type WorkOrderTicketCommand =
  | (OfWorkOrder & { readonly type: 'LinkWorkOrder' })
  | (OfWorkOrder & { readonly type: 'NoteWorkOrderProgress' })
  | (OfWorkOrder & {
      readonly type: 'CompleteWorkOrder';
      /** The workflow of the ticket's request type. Absent: the whole graph. */
      readonly workflow?: Workflow;
    });

export const workOrderTicketSchemas = {
  /** Recorded again if an earlier event of the same order arrives later. */
  WorkOrderLinked: z.strictObject({
    type: z.literal('WorkOrderLinked'),
    workOrderId: text,
    occurredAt: instant,
  }),
};

export type WorkOrderLinked = z.infer<typeof workOrderTicketSchemas.WorkOrderLinked>;

/** A linked order, and its first link by its own system's clock. */
export interface WorkOrderLink {
  readonly workOrderId: string;
  readonly occurredAt: Instant;
}

/**
 * The links after one more, ordered by (`occurredAt`, `workOrderId`) whatever the order of arrival.
 */
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

/** A ticket's links as its members show them. */
export const linksShown = (links: readonly WorkOrderLink[]) => ({
  workOrderLinks: links,
  workOrderIds: links.map(({ workOrderId }) => workOrderId),
  workOrderId: links.at(-1)?.workOrderId ?? null,
});

/** The link of an event; `[]` if it names no ticket, or adds nothing. */
export const linkedBy = (
  { links, workOrderId, occurredAt }: OfWorkOrder,
  before: readonly WorkOrderLink[],
): readonly WorkOrderLinked[] =>
  links && linksAfter({ workOrderId, occurredAt }, before) !== before
    ? [{ type: 'WorkOrderLinked', workOrderId, occurredAt }]
    : [];

/**
 * Whether the completion of an order resolves a ticket: in any other state a person has acted
 * before.
 */
export const resolves = (state: TicketState, workflow?: Workflow): boolean =>
  awaitsWork.includes(state) && mayMove(state, 'resolved', workflow);

const awaitsWork: readonly TicketState[] = ['triaged', 'in_progress', 'waiting'];
