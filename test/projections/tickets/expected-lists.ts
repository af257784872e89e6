import type { TicketView } from '../../../src/domain/tickets/view.ts';
import type {
  TicketListQuery,
  TicketPage,
} from '../../../src/projections/tickets/query/queries.ts';

/** Written from the interface: what a list of `tickets` holds, without pages, in its order. */
export const listed = (tickets: readonly TicketView[], query: TicketListQuery): TicketView[] => {
  const one = <T>(wanted: T | undefined, value: T | null) =>
    wanted === undefined || wanted === value;
  const among = (wanted: readonly string[] | undefined, value: string | null) =>
    wanted === undefined || (value !== null && wanted.includes(value));
  const words = (query.search ?? '').split(/\s+/).filter((word) => word !== '');
  return tickets
    .filter(
      (ticket) =>
        ticket.organisationId === query.organisation &&
        one(query.buildingId, ticket.buildingId) &&
        among(query.state, ticket.state) &&
        among(query.priority, ticket.priority) &&
        among(query.category, ticket.category) &&
        one(query.assignedUserId, ticket.assignedUserId) &&
        one(query.assignedTeamId, ticket.assignedTeamId) &&
        one(query.spaceId, ticket.spaceId) &&
        one(query.storeyId, ticket.storeyId) &&
        one(query.elementId, ticket.elementId) &&
        one(query.overdue, isOverdue(ticket, query.now)) &&
        words.every((word) =>
          [ticket.number, ticket.subject ?? '', ticket.description].some((part) =>
            folded(part).includes(folded(word)),
          ),
        ),
    )
    .sort((a, b) =>
      a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1,
    );
};

/** The letters of these tests as they are compared, each rule of the contract by itself. */
export const folded = (part: string): string =>
  part
    .normalize('NFKC')
    .replaceAll(/[ßẞ]/g, 'ss')
    .replaceAll(/[Iıİ]/g, 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ');

const isOverdue = (ticket: TicketView, now: string): boolean => {
  const worked = ['resolved', 'closed', 'cancelled'].includes(ticket.state);
  const past = (dueAt: string | null) => dueAt !== null && Date.parse(dueAt) < Date.parse(now);
  const responding = ticket.slaFirstResponseEndedAt === null && !worked;
  return (
    (responding && past(ticket.slaFirstResponseDueAt)) ||
    (!worked && past(ticket.slaResolutionDueAt))
  );
};

/** What must come back for one page. */
export const expected = (
  tickets: readonly TicketView[],
  query: TicketListQuery,
  searchTotalMax = 10_000,
): TicketPage => {
  const { page, limit } = query;
  const all = listed(tickets, query);
  const capped = /\S/.test(query.search ?? '') && all.length > searchTotalMax;
  return {
    items: all.slice((page - 1) * limit, page * limit),
    page,
    limit,
    total: capped ? searchTotalMax : all.length,
    ...(capped ? { totalCapped: true } : {}),
  };
};
