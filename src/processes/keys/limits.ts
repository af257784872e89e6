// API keys and audit (interface.md «Limits», contract.md section 3)
/** Shortest interval between writes of new links. docs/decisions/0048. */
export const AUDIT_CHAIN_DELAY_MS = 10_000;
/** Links per event, 64 characters each. */
export const AUDIT_CHAIN_BLOCK_RECORDS_MAX = 1_000;
/** Events per append: well below the 1 MiB limit of EventStoreDB. */
export const AUDIT_CHAIN_APPEND_BLOCKS_MAX = 8;
/** Chains written concurrently. */
export const AUDIT_CHAIN_APPENDS_AT_ONCE = 64;
/** Buffered records to be chained: more would hold up requests. */
export const AUDIT_CHAIN_WAITING_RECORDS_MAX = 1_000;
/** Heads of chains kept in memory. */
export const AUDIT_CHAINS_KEPT_MAX = 10_000;

// Kernel (design.md decisions 4 to 6)
/** How long a keyring change is announced a second time: a shared journal covers a month. */
export const KEYRING_CHANGE_ANNOUNCED_DAYS = 62;
/** Uses of an organisation that are at most this far apart are read together. */
export const USE_INDEX_GAP_RECORDS = 50;
