/** Bounds on saved views. contract.md section 5. */

/** Views of one organisation, shared or not. */
export const VIEWS_OF_ORGANISATION_MAX = 100;
/** Views of one author in one organisation, shared or not. */
export const VIEWS_OF_PERSON_MAX = 50;
