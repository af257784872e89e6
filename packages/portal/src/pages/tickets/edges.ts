/** The states of a ticket and the transitions between them. interface.md, «Ticket state». */
import type { components } from '../../../../sdk/src/index.ts';

type State = components['schemas']['Ticket']['state'];

/** A copy of the server's graph; `test/portal-graph.spec.ts` compares them. */
export const edges: Readonly<Record<State, readonly State[]>> = {
  new: ['triaged', 'cancelled'],
  triaged: ['in_progress', 'waiting', 'resolved', 'cancelled'],
  in_progress: ['waiting', 'resolved', 'cancelled'],
  waiting: ['in_progress', 'resolved', 'cancelled'],
  resolved: ['closed', 'reopened'],
  reopened: ['in_progress', 'resolved'],
  closed: [],
  cancelled: [],
};
