import type { Graph, ImportResult } from '../building/graph/graph.ts';
import { isRefusal, type Actor, type Instant } from '../engine/aggregates/decider.ts';
import { demoBuilding } from './building.ts';

/** The organisation that the demo belongs to. */
export const DEMO_ORGANISATION = 'acme';

/** A constant import id: a changed demo building is not imported a second time. */
const DEMO_IMPORT = '0f5f7c1e-5b0a-5d43-9a6e-6a1d0c2b7e11';

/**
 * Gives {@link DEMO_ORGANISATION} the demo building, once: called again, or by two processes at
 * the same time, it finds the first one's. What was changed in the building since stays changed.
 *
 * @returns `replayed: false` for the one call that made it.
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
