/** ISO 8601, UTC, milliseconds: `2026-03-01T09:00:00.000Z`. Sorts as text in time order. */
export type Instant = string;
