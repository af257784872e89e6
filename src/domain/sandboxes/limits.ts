/** Interface «Limits», contract.md section 4. */

/** Sandboxes of one developer that are built concurrently. */
export const SANDBOX_BUILDS_OF_DEVELOPER_MAX = 1;
/** Sandboxes of one organisation that are built concurrently. */
export const SANDBOX_BUILDS_OF_ORGANISATION_MAX = 2;
/** A sandbox that waits longer in the queue fails. */
export const SANDBOX_QUEUED_MAX_MS = 14_400_000;
/** Interval at which a build checks whether its sandbox was cancelled. */
export const SANDBOX_WANTED_LOOK_MS = 250;
/** Sandboxes of one developer that are `provisioning` or `ready`. */
export const SANDBOXES_ACTIVE_MAX = 3;
/** Extensions per sandbox. */
export const SANDBOX_EXTENSIONS_MAX = 2;
/** Days from now, at creation and at each extension. */
export const SANDBOX_TTL_DAYS_MAX = 30;
/** An unconfirmed quota slot lapses after this long. */
export const SANDBOX_RESERVATION_MS = 300_000;
/** Provisioning that takes longer fails. */
export const SANDBOX_PROVISIONING_MAX_MS = 900_000;
/** How long a seeding computes between two statements of a transaction. */
export const SANDBOX_SEEDING_IDLE_MAX_MS = 60_000;
/** Default of `SANDBOX_BYTES_MAX`, the estimated size of one sandbox. */
export const SANDBOX_BYTES_MAX_DEFAULT = 1024 ** 3;
/** Default of `SANDBOX_HOST_BYTES_MAX`, the estimated size of all sandboxes together. */
export const SANDBOX_HOST_BYTES_MAX_DEFAULT = 20 * 1024 ** 3;
/** A sandbox is marked as expiring soon this long before its end. */
export const SANDBOX_EXPIRES_SOON_MS = 86_400_000;
/** `Retry-After` while a sandbox is being provisioned. */
export const SANDBOX_POLL_S = 5;
