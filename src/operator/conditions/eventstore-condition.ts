/** The state of the EventStoreDB servers; a separate module, because the client loads slowly. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type {
  EventStoreServerState,
  ScavengeState,
} from '../../engine/log/eventstoredb/server-state.ts';

export interface EventStoreCondition {
  readonly servers: readonly EventStoreServerState[];
  /** `null`: the login may not read scavenges. */
  readonly scavenge: ScavengeState | null;
  /** Time of the log's first event; `null`: the log is empty. */
  readonly since: Instant | null;
}

export const hasLeader = (servers: readonly EventStoreServerState[]): boolean =>
  servers.some(({ state, isAlive }) => isAlive && state === 'Leader');
