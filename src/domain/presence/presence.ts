/** The users who are viewing a ticket now. Never recorded in the log. contract.md section 5. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';

export const presenceStates = ['viewing', 'editing'] as const;
export type PresenceState = (typeof presenceStates)[number];

export interface Present {
  readonly actor: Actor;
  readonly state: PresenceState;
  /** In this state without interruption since then. */
  readonly since: Instant;
}
