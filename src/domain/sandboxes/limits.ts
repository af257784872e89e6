/** Bounds of what sandboxes take: provisionings at once. contract.md section 4. */

/** Sandboxes of one developer that are built at once. */
export const SANDBOX_BUILDS_OF_DEVELOPER_MAX = 1;
/** Sandboxes of one organisation that are built at once. */
export const SANDBOX_BUILDS_OF_ORGANISATION_MAX = 2;
/** A sandbox that waits longer in the queue has failed. */
export const SANDBOX_QUEUED_MAX_MS = 14_400_000;
/** Pause between two looks whether a sandbox that is being built is still wanted. */
export const SANDBOX_WANTED_LOOK_MS = 250;
