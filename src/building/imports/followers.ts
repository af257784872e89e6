import type { Follower } from '../graph/followers.ts';
import { endUnwatched, followPoints, observedPoints } from '../telemetry/follow-import.ts';

/**
 * Data attached to the nodes of a building by other components. A component that stores ids of
 * nodes which an import may replace adds its follower here; every import calls them all.
 */
export const importFollowers: readonly Follower[] = [
  { observed: observedPoints, replaced: followPoints, changed: endUnwatched },
];
