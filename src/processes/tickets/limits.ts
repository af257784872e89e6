/** How long one attempt waits for the list to show all of a building's tickets before they move. */
export const RELOCATION_SHOWN_WAIT_MS = 5_000;
