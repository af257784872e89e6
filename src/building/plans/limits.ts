/** Outlines per statement; one has at most 200 positions. */
export const SHAPES_AT_ONCE_MAX = 500;
/** How near a label is to the best place for it. */
export const LABEL_PRECISION_METRES = 0.1;
/** Squares along a room that are tried for its label. */
export const LABEL_SQUARES_MAX = 1_000;
/** Rooms of one plan, by code. */
export const PLAN_SPACES_MAX = 2_000;
/** Values of a category that a legend names. */
export const COLOUR_CATEGORIES_MAX = 50;
/** Points of one storey whose past is read by one statement. */
export const COLOUR_POINTS_MAX = 500;
/** Data layers, and point classes, that a storey is offered to be coloured by. */
export const COLOURINGS_MAX = 100;
