/** Who looks at a ticket at this moment. Nothing of it is recorded. contract.md section 5. */
import type { Actor, Instant } from '../../engine/aggregates/decider.ts';

export const presenceStates = ['viewing', 'editing'] as const;
export type PresenceState = (typeof presenceStates)[number];

export interface Present {
  readonly actor: Actor;
  readonly state: PresenceState;
  /** In this state without a gap. */
  readonly since: Instant;
}
