// Reports without sign-in (contract.md section 5)
/** Reports of one source address, or one /64 of IPv6, within {@link REPORT_WINDOW_MS}. */
export const REPORTS_OF_SOURCE_MAX = 5;
/** Reports on one room within {@link REPORT_WINDOW_MS}; those without a room count by building. */
export const REPORTS_OF_ROOM_MAX = 20;
/** Reports of one organisation within {@link REPORT_WINDOW_MS} that need no proof of work. */
export const REPORTS_UNPROVEN_MAX = 30;
export const REPORT_WINDOW_MS = 3_600_000;
/**
 * Leading zero bits of a proof's hash: 4,096 hashes on average, about half a second in the browser
 * of a middling phone.
 */
export const PROOF_BITS = 12;
/** Age at which a challenge is refused; below {@link REPORT_WINDOW_MS}, which keeps used ones. */
export const CHALLENGE_MAX_MS = 600_000;
/** Days after which a status link ends. */
export const STATUS_LINK_MAX_DAYS = 90;
/** Days after the ticket was closed at which it ends, if that is earlier. */
export const STATUS_LINK_AFTER_CLOSE_MAX_DAYS = 14;
