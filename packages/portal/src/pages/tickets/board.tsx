import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { ask, to, useRoute } from '../../router.ts';
import { Show } from '../../ui/notices.tsx';
import { Filters } from './filters.tsx';
import { UnseenPill } from './live-notice.tsx';
import { TicketsHead, Views } from './list.tsx';
import { NewTicket } from './new.tsx';
import { filtersIn } from './query.ts';
import { useLiveRows } from './rows.ts';
import { SlaHint } from './sla.tsx';
import { PriorityBadge, stateName, states, titleOf, type State, type Ticket } from './words.tsx';

/** In one column; the list shows the others. */
const CARDS_MAX = 20;

/** A column a state, each with its newest tickets. */
export const Board = (): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const [isNew, setNew] = useState(false);
  const all = filtersIn(route.query);
  const { state: chosen, ...filters } = all;
  const shown = states.filter((state) => !chosen || chosen.split(',').includes(state));
  const { of, newest, unseen, refresh } = useLiveRows({
    load: (signal) =>
      Promise.all(
        shown.map(async (state) => {
          const query = { ...filters, state: [state], limit: CARDS_MAX };
          const path = '/api/service-desk/requests';
          const { data } = await api.GET(path, { params: { query }, signal });
          return { state, ...data! };
        }),
      ),
    asks: [api, JSON.stringify(filters), shown.join()],
    filters: all,
    ticketsIn: (columns) => columns.flatMap(({ items }) => items),
  });
  const columns = { ...of, data: of.data && moved(of.data, newest) };
  return (
    <>
      <TicketsHead onNew={() => setNew(true)} />
      <Views isBoard query={route.query} />
      <Filters query={route.query} onValue={(query) => ask(route, query)} />
      <UnseenPill count={unseen} onShow={refresh} />
      <Show of={columns}>
        {(found) => (
          <div class="board" tabIndex={0} role="group" aria-label="Tickets by state">
            {found.map(({ state, items, total }) => (
              <Column key={state} state={state} items={items} total={total} filters={filters} />
            ))}
          </div>
        )}
      </Show>
      {isNew && <NewTicket onClose={() => setNew(false)} />}
    </>
  );
};

interface ColumnOf {
  readonly state: State;
  readonly items: readonly Ticket[];
  readonly total: number;
}

/** Each card in the column of its newest state, behind those that were there. */
const moved = (
  columns: readonly ColumnOf[],
  newest: (ticket: Ticket) => Ticket,
): readonly ColumnOf[] => {
  const all = columns.map(({ state, ...column }) => ({
    ...column,
    state,
    items: column.items.map(newest),
  }));
  const away = all.flatMap(({ state, items }) => items.filter((one) => one.state !== state));
  return all.map(({ state, items, total }) => {
    const stayed = items.filter((ticket) => ticket.state === state);
    const come = away.filter((ticket) => ticket.state === state);
    return {
      state,
      items: [...stayed, ...come],
      total: total - (items.length - stayed.length) + come.length,
    };
  });
};

const Column = ({
  state,
  items,
  total,
  filters,
}: {
  readonly state: State;
  readonly items: readonly Ticket[];
  readonly total: number;
  readonly filters: Readonly<Record<string, string>>;
}): JSX.Element => (
  <section class="board-column">
    <h2>
      {stateName[state]} <span class="faint">{total.toLocaleString('en')}</span>
    </h2>
    <ul>
      {items.map((ticket) => (
        <li key={ticket.id}>
          <a class="board-card" href={to(['tickets', ticket.id])}>
            <span class="faint small">{ticket.number}</span>
            <span class="subject">{titleOf(ticket)}</span>
            <span class="row small">
              <PriorityBadge of={ticket.priority} />
              <SlaHint of={ticket} />
            </span>
          </a>
        </li>
      ))}
    </ul>
    {total > items.length && (
      <a class="small" href={to(['tickets'], { ...filters, state })}>
        All {total.toLocaleString('en')}
      </a>
    )}
  </section>
);
