// Kernel (design.md decisions 4 to 6)
/**
 * A building's tickets are moved only once the list shows all of them: waited for so long at a
 * time.
 */
export const RELOCATION_SHOWN_WAIT_MS = 5_000;
