// Telemetry (contract.md section 6)
/** Whether a fault is due sooner than was known is looked at so often. */
export const STALE_LOOK_MS = 5_000;
/** How often it is looked for days to seal, and for what is older than its term. */
export const TELEMETRY_UPKEEP_MS = 600_000;
