/**
 * A ticket follows the fault that it was raised for: it is resolved when the fault closes and
 * reopened when the fault does, until somebody moves it on. Each fact of a fault is one command
 * here, and its note's id is derived from the fact, so that a repeat has no effect. contract.md
 * section 6.
 */
import type { Authority } from '../authority.ts';
import type { TicketFact } from './events.ts';
import { mayMove, type TicketState, type Workflow } from './graph.ts';

interface OfFault {
  /** A ticket outside its authority does not exist for it. */
  readonly authority: Authority;
  readonly faultId: string;
  /** Derived from the fact: a ticket that has this note has followed it. */
  readonly noteId: string;
  readonly body: string;
  /** The workflow of the ticket's request type. Absent: the whole graph. */
  readonly workflow?: Workflow;
}

export type FaultTicketCommand =
  | (OfFault & { readonly type: 'EndFaultOfTicket' })
  | (OfFault & { readonly type: 'ReopenFaultOfTicket' });

/**
 * Whether a change of state or assignment is somebody's: neither a routing rule made it, nor the
 * fault.
 */
export const movesOn = (
  fact: TicketFact<'TicketTransitioned'> | TicketFact<'TicketAssigned'>,
): boolean => fact.ruleId === undefined && !('faultId' in fact);

/**
 * The states that a ticket goes through with its fault, the last of which it stays in; `[]` where
 * no way is allowed. A new ticket cannot be resolved without having been triaged.
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
