// API keys and audit (interface.md «Limits», contract.md section 3)
/** The links of records that were followed are stored at most so often. docs/decisions/0048. */
export const AUDIT_CHAIN_DELAY_MS = 10_000;
/** Links that are stored as one event, of 64 characters each. */
export const AUDIT_CHAIN_BLOCK_RECORDS_MAX = 1_000;
/** So many of these events in one append: well below the 1 MiB that EventStoreDB takes. */
export const AUDIT_CHAIN_APPEND_BLOCKS_MAX = 8;
/** Chains that are written at once. */
export const AUDIT_CHAIN_APPENDS_AT_ONCE = 64;
/** Records that wait to be chained: more would hold up requests when their turn comes. */
export const AUDIT_CHAIN_WAITING_RECORDS_MAX = 1_000;
/** Ends of chains kept in memory. */
export const AUDIT_CHAINS_KEPT_MAX = 10_000;

// Kernel (design.md decisions 4 to 6)
/** A change of a keyring is announced a second time for so long: a shared journal is of a month. */
export const KEYRING_CHANGE_ANNOUNCED_DAYS = 62;
/** Uses of an organisation that lie no further apart are read together, with what is between. */
export const USE_INDEX_GAP_RECORDS = 50;
