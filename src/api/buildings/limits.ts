import { LAYER_VALUES_MAX, OUTLINE_POINTS_MAX } from '../../domain/buildings/limits.ts';

export const SPACES_PAGE_DEFAULT = 100;
/** For buildings, storeys, elements and points, whose pages the deployment does not cap. */
export const GRAPH_PAGE_DEFAULT = 100;
export const GRAPH_PAGE_MAX = 1_000;
/** Characters of the list of matches of storeys: `GIVEN_STOREYS_MAX` of two ids. */
export const GIVEN_STOREYS_CHARACTERS_MAX = 8_000;
export const LAYER_SLUG_CHARACTERS_MAX = 64;
/** Characters of a text value. */
export const LAYER_VALUE_CHARACTERS_MAX = 1_000;
/** Members and items on all levels of an upload or resolve body. */
export const LAYER_BODY_VALUES_MAX = 4 * LAYER_VALUES_MAX;
/** Members and items on all levels of the body of one outline. */
export const OUTLINE_BODY_VALUES_MAX = 4 * OUTLINE_POINTS_MAX;
