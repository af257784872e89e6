/** Interval of the check for faults that became due earlier than planned. */
export const STALE_LOOK_MS = 5_000;
/** Interval of sealing finished days and dropping expired ones. */
export const TELEMETRY_UPKEEP_MS = 600_000;
