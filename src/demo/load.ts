import type { Graph, ImportResult } from '../building/graph/graph.ts';
import { isRefusal, type Actor, type Instant } from '../engine/aggregates/decider.ts';
import { demoBuilding } from './building.ts';

/** The organisation of the demo. */
export const DEMO_ORGANISATION = 'acme';

/** A constant import id: a changed demo building is not imported a second time. */
const DEMO_IMPORT = '0f5f7c1e-5b0a-5d43-9a6e-6a1d0c2b7e11';

/**
 * Imports the demo building into {@link DEMO_ORGANISATION} once. Idempotent, also between
 * concurrent processes; later changes of the building are kept.
 *
 * @returns `replayed: false` for the call that imported it.
 */
export const loadDemo = async (
  graph: Graph,
  at: Instant,
  by: Actor = { kind: 'system', id: 'demo' },
): Promise<ImportResult> => {
  const outcome = await graph.importBuilding(DEMO_ORGANISATION, demoBuilding(), {
    at,
    by,
    commandId: DEMO_IMPORT,
    bodyHash: 'demo',
  });
  if (isRefusal(outcome)) throw new Error(`the demo building was refused: ${outcome.detail}`);
  return outcome;
};
