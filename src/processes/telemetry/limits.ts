/** Interval of the check for faults that became due earlier than planned. */
export const STALE_LOOK_MS = 5_000;
/** A building is searched again for silent points after this time, if no change was noticed. */
export const STALE_REMEMBERED_MAX_MS = 60_000;
/** Interval of sealing finished days and dropping expired ones. */
export const TELEMETRY_UPKEEP_MS = 600_000;
