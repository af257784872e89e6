import { CLOCK_ADVANCE_MAX_MS } from '../../engine/control/limits.ts';

/** Attempts at a phase that fails for an unknown reason. */
export const SANDBOX_PHASE_ATTEMPTS_MAX = 3;
/** Virtual time that the advances of one sandbox may cover in an hour of real time. */
export const SANDBOX_ADVANCED_MAX_MS = 2 * CLOCK_ADVANCE_MAX_MS;
/** Attempts at a snapshot that fails for an unknown reason. */
export const SNAPSHOT_ATTEMPTS_MAX = 3;
/** Pause between two attempts at a snapshot. */
export const SNAPSHOT_RETRY_MS = 1_000;
/** Longest wait, per attempt, for the list of snapshots to show the end of one. */
export const SNAPSHOT_SHOWN_WAIT_MS = 5_000;
