import type { SortKey, TicketSort } from '../../../src/domain/tickets/sorts.ts';
import type { TicketView } from '../../../src/domain/tickets/view.ts';
import type {
  TicketListQuery,
  TicketPage,
  Tuning,
} from '../../../src/projections/tickets/query/queries.ts';

/** Code and name of a building, storey, space or element, by its id; none: nothing has the id. */
export type PlaceNames = ReadonlyMap<string, readonly string[]>;

/** The reference model by the interface: the list of `tickets`, unpaged, in order. */
export const listed = (
  tickets: readonly TicketView[],
  query: TicketListQuery,
  places: PlaceNames = new Map(),
): TicketView[] => {
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
        one(query.reporterUserId, createdBy(ticket)) &&
        one(query.number, ticket.number) &&
        one(query.overdue, isOverdue(ticket, query.now)) &&
        Object.entries(query.fields ?? {}).every(([key, wanted]) =>
          answersOf(ticket, key).some((answer) => wanted.includes(answer)),
        ) &&
        words.every(
          (word) =>
            isNumberOf(word, ticket) ||
            [
              ticket.number,
              ticket.subject ?? '',
              ticket.description,
              ticket.category ?? '',
              ticket.reporterName ?? '',
              ...placesOf(ticket).flatMap((id) => places.get(id) ?? []),
            ].some((part) => folded(part).includes(folded(word))),
        ),
    )
    .sort(comparing(query.sort ?? '-createdAt'));
};

/** Answers as filters write them, without invalid keys or answers too long for an option. */
const answersOf = ({ formData }: TicketView, key: string): string[] =>
  /^[A-Za-z][\w-]{0,63}$/.test(key)
    ? [formData[key]]
        .flat()
        .filter((answer) => typeof answer === 'string' || typeof answer === 'boolean')
        .map(String)
        .filter(({ length }) => length > 0 && length <= 100)
    : [];

const placesOf = ({ buildingId, storeyId, spaceId, elementId }: TicketView) =>
  [buildingId, storeyId, spaceId, elementId].filter((id) => id !== null);

/** `sr-10` is SR-000010. */
const isNumberOf = (word: string, { number }: TicketView): boolean =>
  /^sr-\d+$/i.test(word) && Number(word.slice(3)) === Number(number.slice(3));

const createdBy = ({ createdBy: { kind, id } }: TicketView) => (kind === 'user' ? id : null);

/** By the member, then by id; tickets without a due time come last in both directions. */
const comparing = (sort: TicketSort) => {
  const sign = sort.startsWith('-') ? -1 : 1;
  const valueOf = {
    createdAt: (ticket: TicketView) => Date.parse(ticket.createdAt),
    updatedAt: (ticket: TicketView) => Date.parse(ticket.updatedAt),
    dueAt: (ticket: TicketView) => Math.min(...dueTimes(ticket)),
    priority: ({ priority }: TicketView) => ['low', 'medium', 'high', 'critical'].indexOf(priority),
  }[sort.replace('-', '') as SortKey];
  return (a: TicketView, b: TicketView): number => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first === second) return a.id < b.id ? -sign : sign;
    if (first === Infinity || second === Infinity) return first === Infinity ? 1 : -1;
    return first < second ? -sign : sign;
  };
};

/** The letters of these tests as they are compared, each rule of the contract by itself. */
export const folded = (part: string): string =>
  part
    .normalize('NFKC')
    .replaceAll(/[ßẞ]/g, 'ss')
    .replaceAll(/[Iıİ]/g, 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ');

/** Of the clocks that run. */
const dueTimes = (ticket: TicketView): number[] => {
  if (['resolved', 'closed', 'cancelled'].includes(ticket.state)) return [];
  const responding = ticket.slaFirstResponseEndedAt === null;
  return [responding ? ticket.slaFirstResponseDueAt : null, ticket.slaResolutionDueAt]
    .filter((dueAt) => dueAt !== null)
    .map(Date.parse);
};

const isOverdue = (ticket: TicketView, now: string): boolean =>
  dueTimes(ticket).some((dueAt) => dueAt < Date.parse(now));

/** The expected result for one page. */
export const expected = (
  tickets: readonly TicketView[],
  query: TicketListQuery,
  { searchTotalMax = 10_000, answeredTotalMax = 5_000 }: Partial<Tuning> = {},
  places: PlaceNames = new Map(),
): TicketPage => {
  const { page, limit } = query;
  const all = listed(tickets, query, places);
  const isSearch = /\S/.test(query.search ?? '');
  const totalMax = isSearch ? searchTotalMax : query.fields ? answeredTotalMax : Infinity;
  const capped = all.length > totalMax;
  return {
    items: all.slice((page - 1) * limit, page * limit),
    page,
    limit,
    total: capped ? totalMax : all.length,
    ...(capped ? { totalCapped: true } : {}),
  };
};
