/**
 * A ticket follows the fault that it was raised for: it is resolved when the fault closes and
 * reopened when the fault reopens, until a person or program changes its state or assignment. Each
 * event of a fault is one command here, and its note's id is derived from the event, so that a
 * repeat has no effect. contract.md section 6.
 */
import type { Authority } from '../authority.ts';
import type { TicketFact } from './events.ts';
import { mayMove, type TicketState, type Workflow } from './graph.ts';

interface OfFault {
  /** A ticket outside its authority does not exist for it. */
  readonly authority: Authority;
  readonly faultId: string;
  /** Derived from the fault's event: a ticket that has this note has processed it. */
  readonly noteId: string;
  readonly body: string;
  /** The workflow of the ticket's request type. Absent: the whole graph. */
  readonly workflow?: Workflow;
}

export type FaultTicketCommand =
  | (OfFault & { readonly type: 'EndFaultOfTicket' })
  | (OfFault & { readonly type: 'ReopenFaultOfTicket' });

/**
 * Whether a person or program changed the state or assignment: neither a routing rule nor the fault
 * did.
 */
export const movesOn = (
  fact: TicketFact<'TicketTransitioned'> | TicketFact<'TicketAssigned'>,
): boolean => fact.ruleId === undefined && !('faultId' in fact);

/**
 * The states that a ticket passes through to follow its fault; `[]` if the workflow does not allow
 * all of them. A new ticket is triaged before it is resolved.
 */
export const statesWithFault = (
  { type, workflow }: FaultTicketCommand,
  from: TicketState,
): readonly TicketState[] => {
  const path =
    type === 'ReopenFaultOfTicket' ? ways.reopen[from] : (ways.end[from] ?? ['resolved']);
  if (path === undefined) return [];
  const isAllowed = path.every((to, at) => mayMove(path[at - 1] ?? from, to, workflow));
  return isAllowed ? path : [];
};

const ways: Readonly<
  Record<'end' | 'reopen', Partial<Record<TicketState, readonly TicketState[]>>>
> = {
  end: { new: ['triaged', 'resolved'] },
  reopen: { resolved: ['reopened'] },
};
