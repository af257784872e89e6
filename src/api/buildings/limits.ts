import { LAYER_VALUES_MAX } from '../../domain/buildings/limits.ts';

// Building graph (contract.md section 6)
export const SPACES_PAGE_DEFAULT = 100;
/** Buildings, storeys, elements and points: their pages are not capped by the deployment. */
export const GRAPH_PAGE_DEFAULT = 100;
export const GRAPH_PAGE_MAX = 1_000;
export const LAYER_SLUG_CHARACTERS_MAX = 64;
/** Of a value that is text. */
export const LAYER_VALUE_CHARACTERS_MAX = 1_000;
/** Members and items of the bodies of both, on all levels. */
export const LAYER_BODY_VALUES_MAX = 4 * LAYER_VALUES_MAX;
