/** Bytes of a message's `data` as JSON; its members are bounded as those of `metadata`. */
export const BUS_DATA_BYTES_MAX = 64 * 1024;
/** Characters of a message's type, without prefix and building. */
export const BUS_TYPE_CHARACTERS_MAX = 100;
