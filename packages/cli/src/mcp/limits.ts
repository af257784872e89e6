/** Characters of one text of an answer; the rest is left out, and how much is said. */
export const TEXT_CHARACTERS_MAX = 4_000;
/** Characters of `formData` or `metadata` of a ticket as JSON; a larger one is left out. */
export const STRUCTURE_CHARACTERS_MAX = 4_000;
/** Characters of the data of an answer as JSON. */
export const ANSWER_CHARACTERS_MAX = 100_000;
export const ITEMS_PAGE_DEFAULT = 20;
export const ITEMS_PAGE_MAX = 50;
export const SAMPLES_PAGE_DEFAULT = 100;
export const SAMPLES_PAGE_MAX = 500;
/** Identifiers resolved by one call. */
export const RESOLVED_AT_ONCE_MAX = 200;
/** The largest page of spaces that every server allows: one may be configured to this. */
export const SPACES_PAGE_MAX = 100;
export const POINTS_PAGE_MAX = 1_000;
/** Rows that a search by name reads at most; what follows is not searched, and that is said. */
export const NAMED_ROWS_MAX = 20_000;
