/** Bounds on saved views. contract.md section 5. */

/** Shared views of one organisation: everybody is shown them. */
export const SHARED_VIEWS_OF_ORGANISATION_MAX = 100;
/** Views of one organisation, shared or not: its stream is folded as a whole. */
export const VIEWS_OF_ORGANISATION_MAX = 500;
/** Views of one author in one organisation, shared or not. */
export const VIEWS_OF_PERSON_MAX = 50;
