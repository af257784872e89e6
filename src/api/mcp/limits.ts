/** Bytes of a tool call; texts of tickets have 20,000 characters. */
export const MCP_BODY_BYTES_MAX = 256 * 1024;
/** Members and items of the JSON of a call. */
export const MCP_BODY_VALUES_MAX = 2_000;
/** Concurrent calls. */
export const MCP_CALLS = { ofCaller: 4, ofOrganisation: 16, inAll: 32, waitMs: 1_000 } as const;
/** Characters of the client's `User-Agent` in the audit of its calls. */
export const MCP_USER_AGENT_CHARACTERS_MAX = 200;
