export const CODE_CHARACTERS_MAX = 100;
export const NODE_NAME_CHARACTERS_MAX = 200;
export const SLUG_CHARACTERS_MAX = 64;
export const EXTERNAL_ID_CHARACTERS_MAX = 200;
export const SOURCE_SYSTEM_CHARACTERS_MAX = 64;
export const UNIT_CHARACTERS_MAX = 32;
export const AREA_SQM_MAX = 10_000_000;
export const LEVEL_MAX = 1_000;
/** Storeys, spaces, elements and points of one import together. */
export const IMPORT_NODES_MAX = 200_000;
/** Values per upload to a data layer. */
export const LAYER_VALUES_MAX = 10_000;
