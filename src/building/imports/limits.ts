// Building graph (contract.md section 6)
/** Levels of an imported JSON document; a point in a room is on the eleventh. */
export const IMPORT_DEPTH_MAX = 16;
/** Members of one object of it; a space has ten. */
export const IMPORT_MEMBERS_MAX = 16;
/** Of one text, number or name in it, as it is written; the longest member has 200 characters. */
export const IMPORT_TEXT_BYTES_MAX = 4_096;
/** Instances (`#12=…;`) of an imported IFC file; one of 64 MiB has about a million. */
export const IFC_INSTANCES_MAX = 2_000_000;
/** Lists within lists of one instance. */
export const IFC_DEPTH_MAX = 16;
/** Of one word of it, and of a text as far as it is looked at. */
export const IFC_WORD_BYTES_MAX = 128;
/** Memory that reading an IFC file may take besides the thread's own. */
export const IFC_MEMORY_MAX_MIB = 512;
/** Imports that one process works on at once, each in a thread of its own; */
export const IMPORTS_AT_ONCE_MAX = 4;
/** of one organisation; */
export const IMPORTS_OF_ORGANISATION_MAX = 3;
/** and of one caller. */
export const IMPORTS_OF_CALLER_MAX = 2;
/** Memory that one of them may use, besides the bytes that came. */
export const IMPORT_HEAP_MAX_MIB = 768;
/** From the first byte to the commit; what is late has changed nothing. */
export const IMPORT_MAX_MS = 240_000;
/** Bytes that are on their way to the thread; whoever sends faster waits. */
export const IMPORT_BYTES_AHEAD_MAX = 1024 * 1024;
