/** How the servers of a log in EventStoreDB are. Apart, because the client takes long to load. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type {
  EventStoreServerState,
  ScavengeState,
} from '../../engine/log/eventstoredb/server-state.ts';

export interface EventStoreCondition {
  readonly servers: readonly EventStoreServerState[];
  /** `null`: the login may not see scavenges. */
  readonly scavenge: ScavengeState | null;
  /** When the log began; `null`: it is empty. */
  readonly since: Instant | null;
}

export const hasLeader = (servers: readonly EventStoreServerState[]): boolean =>
  servers.some(({ state, isAlive }) => isAlive && state === 'Leader');
