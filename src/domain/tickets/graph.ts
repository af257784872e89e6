/** The states of a ticket and the only ways between them. interface.md, «Ticket state». */

/** A workflow can remove edges, never add one. */
export const edges = {
  new: ['triaged', 'cancelled'],
  triaged: ['in_progress', 'waiting', 'resolved', 'cancelled'],
  in_progress: ['waiting', 'resolved', 'cancelled'],
  waiting: ['in_progress', 'resolved', 'cancelled'],
  resolved: ['closed', 'reopened'],
  reopened: ['in_progress', 'resolved'],
  closed: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>;

export type TicketState = keyof typeof edges;

export const ticketStates = Object.keys(edges) as [TicketState, ...TicketState[]];

/**
 * The transitions of one request type: the targets of each listed state. A state that is not listed
 * keeps all edges of the graph. contract.md section 5.
 */
export interface Workflow {
  readonly transitions: Readonly<Partial<Record<TicketState, readonly TicketState[]>>>;
}

/** The states a ticket may move to, in the graph's order; `[]` for a final state. */
export const allowedFrom = (from: TicketState, workflow?: Workflow): readonly TicketState[] => {
  const targets: readonly TicketState[] = edges[from];
  const kept = workflow?.transitions[from];
  return kept ? targets.filter((to) => kept.includes(to)) : targets;
};

export const mayMove = (from: TicketState, to: TicketState, workflow?: Workflow): boolean =>
  allowedFrom(from, workflow).includes(to);

/** Whether the graph has no edge from the state. A workflow makes no state terminal. */
export const isTerminal = (state: TicketState): boolean => edges[state].length === 0;
