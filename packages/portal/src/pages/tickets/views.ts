/** Views of the list: built-in, team and saved views. contract.md section 5, «Views». */
import { useEffect, useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import type { Query } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { useChanges } from './live.ts';
import type { People } from './people.ts';
import {
  fieldFiltersIn,
  FILTERS,
  NEWEST,
  OPEN,
  OPEN_STATES,
  SORTS,
  type Asked,
  type Filters,
  type Sort,
} from './query.ts';

export type SavedView = Schemas['View'];

export interface TicketView {
  /** The value of `view` in the address. */
  readonly id: string;
  readonly name: string;
  readonly filters: Filters;
  readonly sort: Sort;
  /** Default: the columns of the list. */
  readonly columns?: readonly string[];
  readonly saved?: SavedView;
}

/** The complete query of a view: its address also works for people who do not have the view. */
export const queryOf = ({ id, filters, sort, columns }: TicketView): Query =>
  id === OPEN.view ? {} : { view: id, ...filters, sort, columns: columns?.join() };

/** A view that another release saved may have an order that the list no longer has. */
export const viewOf = (saved: SavedView): TicketView => ({
  id: saved.viewId,
  name: saved.name,
  filters: saved.filters,
  sort: SORTS.find(([key]) => key === saved.sort)?.[0] ?? OPEN.sort,
  columns: saved.columns,
  saved,
});

const builtIn = (people: People, userId: string): readonly TicketView[] => [
  { id: OPEN.view, name: 'Open', filters: OPEN.filters, sort: OPEN.sort },
  {
    id: 'mine',
    name: 'My tickets',
    filters: { assigned: 'me', state: OPEN_STATES },
    sort: OPEN.sort,
  },
  ...people.teams
    .filter(({ members }) => members.includes(userId))
    .map(({ teamId, name }) => ({
      id: `team-${teamId}`,
      name,
      filters: { assignedTeamId: teamId, state: OPEN_STATES },
      sort: OPEN.sort,
    })),
  { id: 'all', name: 'All', filters: {}, sort: NEWEST },
];

export interface Views {
  readonly items: readonly TicketView[];
  readonly reload: () => void;
}

export const useViews = (people: People): Views => {
  const { api, me } = usePortal();
  const { data = [], reload } = useLoaded(
    async (signal) => (await api.GET('/api/service-desk/views', { signal })).data.items,
    [api],
  );
  return { items: [...builtIn(people, me.actor.id), ...data.map(viewOf)], reload };
};

/** Whether the query differs from the view. */
export const differs = (view: TicketView, asked: Asked): boolean =>
  view.sort !== asked.sort ||
  [...FILTERS, ...fieldFiltersIn({ ...view.filters, ...asked.filters })].some(
    (name) => view.filters[name] !== asked.filters[name],
  ) ||
  (view.columns ?? asked.columns).join() !== asked.columns.join();

/** Whether the query differs from its view, or has none. */
export const isOwn = ({ items }: Views, asked: Asked): boolean => {
  const view = items.find(({ id }) => id === asked.view);
  return view === undefined || differs(view, asked);
};

/** Views that are counted; the others show no number. */
const COUNTED_MAX = 12;
/** The delay of a recount after a change, at random up to twice as long: many tabs recount. */
const COUNT_MS = 10_000;

/** How many tickets each view has, by its id. */
export const useCounts = (views: readonly TicketView[]): ReadonlyMap<string, string> => {
  const { api } = usePortal();
  const [counts, setCounts] = useState<ReadonlyMap<string, string>>(new Map());
  const [times, setTimes] = useState(0);
  const [isStale, setStale] = useState(false);
  const counted = views.slice(0, COUNTED_MAX);
  const key = JSON.stringify(counted.map(({ id, filters }) => [id, filters]));
  useEffect(() => {
    const leaving = new AbortController();
    const count = async () => {
      for (const { id, filters } of counted) {
        const query = { ...filters, limit: 1 };
        const { signal } = leaving;
        const { data } = await api.GET('/api/service-desk/requests', { params: { query }, signal });
        const { total, totalCapped } = data;
        const words = `${total.toLocaleString('en')}${totalCapped ? '+' : ''}`;
        setCounts((last) => new Map([...last, [id, words]]));
      }
    };
    // A view works without its count: a failed count is left out until the next one.
    count().catch(() => {});
    return () => leaving.abort();
  }, [api, key, times]);
  useChanges(() => setStale(true));
  useEffect(() => {
    if (!isStale) return;
    const timer = setTimeout(
      () => {
        setStale(false);
        if (!document.hidden) setTimes((last) => last + 1);
      },
      COUNT_MS * (1 + Math.random()),
    );
    return () => clearTimeout(timer);
  }, [isStale]);
  return counts;
};
