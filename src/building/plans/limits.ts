/** Rooms of one plan, the first ones by code. */
export const PLAN_SPACES_MAX = 2_000;
/** Values of a category that a legend names. */
export const COLOUR_CATEGORIES_MAX = 50;
/** Points of one storey whose past values are read by one statement. */
export const COLOUR_POINTS_MAX = 500;
/** Data layers and point classes, each, that a storey offers as colourings. */
export const COLOURINGS_MAX = 100;
