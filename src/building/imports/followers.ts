import type { FollowReplacedNodes } from '../graph/followers.ts';
import { followPoints } from '../telemetry/follow-import.ts';

/**
 * Data attached to the nodes of a building by other components. A component that stores ids of
 * nodes which an import may replace adds its follower here; every import calls them all.
 */
export const importFollowers: readonly FollowReplacedNodes[] = [followPoints];
