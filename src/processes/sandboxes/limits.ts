/** Attempts at a phase that fails for an unknown reason. */
export const SANDBOX_PHASE_ATTEMPTS_MAX = 3;
