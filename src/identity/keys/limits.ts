// API keys and audit (interface.md «Limits», contract.md section 3)
/** Characters of a User-Agent in a use record; longer ones are truncated. */
export const USER_AGENT_CHARACTERS_MAX = 512;
/** Characters of a source address; a longer text is ignored. */
export const SOURCE_CHARACTERS_MAX = 64;
/** Denials without a valid secret recorded individually, per source address and minute. */
export const DENIALS_SINGLE_MAX = 5;
/** Source addresses per minute with their own counter; all others share one. */
export const DENIAL_SOURCES_MAX = 100;
/** Length of a window of counted denials. */
export const DENIAL_WINDOW_MS = 60_000;
/** Interval of the check for windows that have ended or were lost. */
export const DENIAL_LOOK_MS = 10_000;
/** How long a stopping process tries to record its counts: the log may be unreachable. */
export const DENIAL_STOP_MS = 5_000;
/** A window whose counts are not recorded this long after its end counts as lost. */
export const DENIAL_WINDOW_LOST_MS = 60_000;
/** Checks of one request whose keyring keeps changing; then it is answered 503. */
export const KEY_CHECKS_MAX = 8;

// Kernel (design.md decisions 4 to 6)
/** Shared journals of a process: one is filled while the append to another is in flight. */
export const SHARED_JOURNALS_OF_PROCESS = 2;
/** Open journals of all processes, two per process; opening one more closes the oldest. */
export const SHARED_JOURNALS_OPEN_MAX = 256;
/** A stopping process tries to close its journals for this long; others close the rest. */
export const SHARED_JOURNAL_CLOSE_MS = 1_000;
/** Guard streams whose revision is cached. */
export const GUARDS_KNOWN_MAX = 10_000;
/** Guard streams whose last announced revision is cached. */
export const GUARDS_ANNOUNCED_KEPT_MAX = 10_000;
