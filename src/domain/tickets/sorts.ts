/** The orders of a list of tickets. contract.md section 5, «Views». */

/** By their member; `dueAt` is the earlier due time of the running clocks. */
const sortKeys = ['createdAt', 'updatedAt', 'dueAt', 'priority'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Ascending, or with `-` descending. */
export type TicketSort = SortKey | `-${SortKey}`;

export const ticketSorts: readonly TicketSort[] = sortKeys.flatMap((key): TicketSort[] => [
  key,
  `-${key}`,
]);

/** Newest first. */
export const defaultSort: TicketSort = '-createdAt';
