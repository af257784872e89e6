export const KEY_LIFETIME_DAYS_DEFAULT = 90;
export const KEY_LABEL_CHARACTERS_MAX = 100;
export const AUDIT_PAGE_DEFAULT = 100;
export const AUDIT_PAGE_MAX = 500;
/** Upper bound of `wait`. */
export const AUDIT_WAIT_MAX_S = 25;
