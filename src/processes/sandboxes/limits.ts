// Sandboxes (interface.md «Limits», contract.md section 4)
/** A phase that fails for a reason nobody has a name for is tried so often. */
export const SANDBOX_PHASE_ATTEMPTS_MAX = 3;
