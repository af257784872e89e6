// API keys and audit (interface.md «Limits», contract.md section 3)
/** Of a User-Agent as it goes into a use record; what is longer is cut. */
export const USER_AGENT_CHARACTERS_MAX = 512;
/** Of a source address; what is longer is none. */
export const SOURCE_CHARACTERS_MAX = 64;
/** Denials without a right secret that are recorded singly, per source address and minute. */
export const DENIALS_SINGLE_MAX = 5;
/** Source addresses a minute that are counted apart; all others share one count. */
export const DENIAL_SOURCES_MAX = 100;
/** Denials are counted in windows of this length. */
export const DENIAL_WINDOW_MS = 60_000;
/** How often it is looked at whether a window is over, or was lost. */
export const DENIAL_LOOK_MS = 10_000;
/** A window whose counts are not recorded so long after its end was lost. */
export const DENIAL_WINDOW_LOST_MS = 60_000;
/** Times a request is judged anew because its keyring has moved; then it is answered 503. */
export const KEY_CHECKS_MAX = 8;

// Kernel (design.md decisions 4 to 6)
/** Shared journals of a process, so that one is appended to while another is waited for. */
export const SHARED_JOURNALS_OF_PROCESS = 2;
/** Open journals of all processes, two each; opening one more closes the oldest. */
export const SHARED_JOURNALS_OPEN_MAX = 256;
/** A process that stops closes its own within so long, or leaves that to others. */
export const SHARED_JOURNAL_CLOSE_MS = 1_000;
/** Streams that guard shared journals whose revision is kept in memory. */
export const GUARDS_KNOWN_MAX = 10_000;
/** And those of which it is known that their last change is announced. */
export const GUARDS_ANNOUNCED_KEPT_MAX = 10_000;
