export const VIEW_NAME_CHARACTERS_MAX = 100;
/** Characters of all filters of a view together. */
export const VIEW_FILTERS_CHARACTERS_MAX = 3_000;
/** Columns of one view. */
export const VIEW_COLUMNS_MAX = 30;
/** Characters of the name of a column that is a field of a form: `field.` and its key. */
export const FIELD_COLUMN_CHARACTERS_MAX = 70;
