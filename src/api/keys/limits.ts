export const KEY_LIFETIME_DAYS_DEFAULT = 90;
export const KEY_LABEL_CHARACTERS_MAX = 100;
export const AUDIT_PAGE_DEFAULT = 100;
export const AUDIT_PAGE_MAX = 500;
/** Concurrent exports. */
export const AUDIT_EXPORTS = { ofCaller: 2, ofOrganisation: 4, inAll: 32 } as const;
/** Upper bound of `wait`. */
export const AUDIT_WAIT_MAX_S = 25;
