/** Outlines per statement; one has at most 200 positions. */
export const SHAPES_AT_ONCE_MAX = 500;
/** Precision of the best position of a label. */
export const LABEL_PRECISION_METRES = 0.1;
/** Squares along a room that are tested for its label. */
export const LABEL_SQUARES_MAX = 1_000;
/** Rooms of one plan, the first ones by code. */
export const PLAN_SPACES_MAX = 2_000;
/** Values of a category that a legend names. */
export const COLOUR_CATEGORIES_MAX = 50;
/** Points of one storey whose past values are read by one statement. */
export const COLOUR_POINTS_MAX = 500;
/** Data layers and point classes, each, that a storey offers as colourings. */
export const COLOURINGS_MAX = 100;
