import type { Backend, EventStore } from './event-store.ts';
import { comparePositions } from './eventstoredb/positions.ts';
import { compareDense } from './positions.ts';

/** How the positions of a log compare that is not open: those in an export name their backend. */
export const comparisonOf: Readonly<Record<Backend, EventStore['compare']>> = {
  memory: compareDense,
  postgres: compareDense,
  eventstoredb: comparePositions,
};
