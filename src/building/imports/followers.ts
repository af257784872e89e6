import type { FollowReplacedNodes } from '../graph/followers.ts';
import { followPoints } from '../telemetry/follow-import.ts';

/**
 * What hangs on the nodes of a building, on top of what the graph itself keeps. Whoever stores ids
 * of nodes that an import may replace adds a line here; every way to import asks them all.
 */
export const importFollowers: readonly FollowReplacedNodes[] = [followPoints];
