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
/**
 * Nodes of one building: an import reads all of them into the memory of its thread, and the points
 * of a building fit into the cache of points.
 */
export const BUILDING_NODES_MAX = 300_000;
/** Values per upload to a data layer. */
export const LAYER_VALUES_MAX = 10_000;
/** Positions of one outline, holes included. */
export const OUTLINE_POINTS_MAX = 200;
/** Holes of one outline. */
export const OUTLINE_HOLES_MAX = 20;
/** Positions of a storey's walls, doors and windows; below 2 MB of JSON. */
export const DRAWING_POINTS_MAX = 60_000;
/** Largest magnitude of a coordinate in the storey's system. */
export const COORDINATE_METRES_MAX = 100_000;
/** Elevation above the building's zero, and height of a storey, in metres. */
export const ELEVATION_METRES_MAX = 10_000;
/** Named models of one building. */
export const MODELS_MAX = 50;
/** Storeys of one import for which the caller gives the match. */
export const GIVEN_STOREYS_MAX = 100;
/** Difference in elevation up to which storeys of one name in two models are the same storey. */
export const STOREY_MATCH_METRES = 0.5;
/** Storeys of other models that are compared by elevation and name. */
export const STOREYS_COMPARED_MAX = 1_000;
/** An element at most this far from a room's outline, such as in its wall, belongs to the room. */
export const ROOM_EDGE_METRES = 0.1;
/** Overlapping rooms that are compared for one position. */
export const ROOMS_AT_POSITION_MAX = 16;
/** Buildings of a file that one refusal lists. */
export const BUILDINGS_NAMED_MAX = 100;
/** Storeys that the answer to an import lists. */
export const STOREYS_NAMED_MAX = 1_000;
