/** Bounds of what sandboxes take: provisionings at once. contract.md section 4. */

/** Sandboxes of one developer that are built at once. */
export const SANDBOX_BUILDS_OF_DEVELOPER_MAX = 1;
/** Sandboxes of one organisation that are built at once. */
export const SANDBOX_BUILDS_OF_ORGANISATION_MAX = 2;
/** A sandbox that waits longer in the queue has failed. */
export const SANDBOX_QUEUED_MAX_MS = 14_400_000;
/** Pause between two looks whether a sandbox that is being built is still wanted. */
export const SANDBOX_WANTED_LOOK_MS = 250;

// Sandboxes (interface.md «Limits», contract.md section 4)
/** `provisioning` or `ready`, of one developer. */
export const SANDBOXES_ACTIVE_MAX = 3;
/** Of one sandbox. */
export const SANDBOX_EXTENSIONS_MAX = 2;
/** From now, at create and at each extension. */
export const SANDBOX_TTL_DAYS_MAX = 30;
/** A place in the allowance that no sandbox has taken by then may be somebody else's. */
export const SANDBOX_RESERVATION_MS = 300_000;
/** Provisioning that has not ended by then has failed. */
export const SANDBOX_PROVISIONING_MAX_MS = 900_000;
/** Estimated size of one sandbox, unless `SANDBOX_BYTES_MAX` says otherwise. */
export const SANDBOX_BYTES_MAX_DEFAULT = 1024 ** 3;
/** Estimated size of all sandboxes together, unless `SANDBOX_HOST_BYTES_MAX` says otherwise. */
export const SANDBOX_HOST_BYTES_MAX_DEFAULT = 20 * 1024 ** 3;
/** So long before its end, a sandbox is marked as one that expires soon. */
export const SANDBOX_EXPIRES_SOON_MS = 86_400_000;
/** How often a caller is told to look at a sandbox that is being provisioned. */
export const SANDBOX_POLL_S = 5;
