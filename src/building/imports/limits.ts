/** Levels of an imported JSON document; a point in a space is on the eleventh. */
export const IMPORT_DEPTH_MAX = 16;
/** Rings and positions of all outlines of an imported document. */
export const IMPORT_POSITIONS_MAX = 1_000_000;
/** Members of one object of an imported document; a storey has thirteen. */
export const IMPORT_MEMBERS_MAX = 16;
/** Bytes of one text, number or name as written; the longest member has 200 characters. */
export const IMPORT_TEXT_BYTES_MAX = 4_096;
/** Instances (`#12=…;`) of an imported IFC file; one of 64 MiB has about a million. */
export const IFC_INSTANCES_MAX = 2_000_000;
/** Nesting of lists within one IFC instance. */
export const IFC_DEPTH_MAX = 16;
/** Bytes of one IFC keyword, and of the part of a text that is checked. */
export const IFC_WORD_BYTES_MAX = 128;
/** Memory for reading an IFC file, in addition to the thread's own. */
export const IFC_MEMORY_MAX_MIB = 512;
/** Concurrent imports of the process, each in its own thread. */
export const IMPORTS = { ofCaller: 2, ofOrganisation: 3, inAll: 4 } as const;
/** Heap of one import's thread, in addition to the received bytes. */
export const IMPORT_HEAP_MAX_MIB = 768;
/** Deadline from the first byte to the commit; a late import changes nothing. */
export const IMPORT_MAX_MS = 240_000;
/** Bytes in flight to the import's thread; a faster sender is paused. */
export const IMPORT_BYTES_AHEAD_MAX = 1024 * 1024;
