/** Nesting of an imported JSON document; a point in a space is on level 11. */
export const IMPORT_DEPTH_MAX = 16;
/** Rings and positions of all outlines of an imported document. */
export const IMPORT_POSITIONS_MAX = 1_000_000;
/** Members of one object of an imported document; a storey has 13. */
export const IMPORT_MEMBERS_MAX = 16;
/** Bytes of one text, number or name as written; the longest member has 200 characters. */
export const IMPORT_TEXT_BYTES_MAX = 4_096;
/** Instances (`#12=…;`) of an imported IFC file; one of 64 MiB has about a million. */
export const IFC_INSTANCES_MAX = 2_000_000;
/** Nesting of lists within one IFC instance. */
export const IFC_DEPTH_MAX = 16;
/** Levels of wholes and containers above an IFC entity that are searched for its place. */
export const IFC_NESTING_MAX = 100;
/** Bytes of one IFC keyword, and of the part of a text that is checked. */
export const IFC_WORD_BYTES_MAX = 128;
/** Memory for reading an IFC file, in addition to the thread's own. */
export const IFC_MEMORY_MAX_MIB = 512;
/** Concurrent imports of the process, each in a thread. */
export const IMPORTS = { ofCaller: 2, ofOrganisation: 3, inAll: 4 } as const;
/** Heap of one import's thread, in addition to the received bytes. */
export const IMPORT_HEAP_MAX_MIB = 768;
/** A thread is reused after a file up to this size; the memory of a larger one is freed. */
export const IMPORT_THREAD_REUSED_BYTES_MAX = 4 * 1024 * 1024;
/** Deadline from the first byte to the commit; a late import changes nothing. */
export const IMPORT_MAX_MS = 240_000;
/** Bytes in flight to the import's thread; a faster sender is paused. */
export const IMPORT_BYTES_AHEAD_MAX = 1024 * 1024;
/** Numbers and references of an instance read for a shape, which the library reads completely. */
export const SHAPE_VALUES_MAX = 40_000;
/** Points of the curves and profiles of one product of an IFC file. */
export const SHAPE_POINTS_MAX = 10_000;
/** Instances read for the shape of one product, repeated ones included. */
export const SHAPE_READS_MAX = 100_000;
/** Instances read for the shapes of one file. */
export const SHAPES_READS_MAX = 3_000_000;
/** Time for the shapes of one file, meshes included; later ones have no outline. */
export const SHAPES_MAX_MS = 120_000;
/** Part of {@link SHAPES_MAX_MS} for shapes that need no mesh. */
export const EXACT_SHAPES_MAX_MS = 60_000;
/** Meshes per file, one per product. */
export const MESHES_MAX = 20_000;
/** Timeout of one mesh and its projection. */
export const MESH_MAX_MS = 5_000;
/** Triangles of one product that are projected. */
export const MESH_TRIANGLES_MAX = 100_000;
/** Meshing is given up after this number of threads has crashed or hung. */
export const MESH_THREADS_MAX = 5;
/** Heap of the thread that makes meshes, in addition to the library's memory. */
export const MESH_HEAP_MAX_MIB = 512;
