/** Bounds of one webhook subscription. contract.md section 7. */

/** Previous secrets that sign beside the newest one at the same time. */
export const WEBHOOK_PREVIOUS_SECRETS_MAX = 5;
