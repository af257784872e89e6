import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { ask, go, to, useRoute } from '../../router.ts';
import { PageHead, Pager, Tabs } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { pageIn } from '../../ui/paged-table.tsx';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useRoomNames } from '../rooms.ts';
import { columnsIn } from './columns.tsx';
import { Filters } from './filters.tsx';
import { useForAll } from './for-all.tsx';
import { rowOf, TicketGrid } from './grid.tsx';
import { UnseenPill } from './live-notice.tsx';
import { useNames, usePeople } from './people.ts';
import { filtersIn } from './query.ts';
import { useLiveRows } from './rows.ts';
import { useSelection } from './selection.ts';
import { useTriage } from './triage.tsx';
import type { Ticket } from './words.tsx';

const LIMIT = 25;

/** The two ways to look at the same selection. */
export const Views = ({
  isBoard,
  query,
}: {
  readonly isBoard: boolean;
  readonly query: URLSearchParams;
}): JSX.Element => {
  const filters = filtersIn(query);
  return (
    <Tabs
      label="Views"
      tabs={[
        { name: 'List', href: to(['tickets'], filters), isOn: !isBoard },
        { name: 'Board', href: to(['tickets', 'board'], filters), isOn: isBoard },
      ]}
    />
  );
};

export const TicketsHead = ({ onNew }: { readonly onNew: () => void }): JSX.Element => {
  const { may } = usePortal();
  return (
    <PageHead title="Tickets">
      {may('service-desk.tickets:write') && (
        <Button kind="primary" icon="plus" onPress={onNew}>
          New ticket
        </Button>
      )}
    </PageHead>
  );
};

const NONE: readonly Ticket[] = [];

export const TicketList = (): JSX.Element => {
  const { api, may } = usePortal();
  const route = useRoute();
  const filters = filtersIn(route.query);
  const columns = columnsIn(route.query);
  const page = pageIn(route);
  const people = usePeople();
  const names = useNames(people);
  const { shown } = useQuickActions();
  const { of, newest, unseen, refresh } = useLiveRows({
    load: async (signal) => {
      const query = { ...filters, page, limit: LIMIT };
      return (await api.GET('/api/service-desk/requests', { params: { query }, signal })).data!;
    },
    asks: [api, JSON.stringify(filters), page],
    filters,
    ticketsIn: ({ items }) => items,
  });
  const rows = of.data?.items.map((ticket) => shown(newest(ticket))) ?? NONE;
  const hasPlaces = columns.some(({ key }) => key === 'place');
  const buildings = hasPlaces ? rows.filter(({ spaceId }) => spaceId !== null) : NONE;
  const places = useRoomNames([...new Set(buildings.map(({ buildingId }) => buildingId))]);
  const selection = useSelection(rows, JSON.stringify(filters));
  const active = useRef<Ticket | undefined>(undefined);
  const forAll = useForAll({
    selection,
    filters,
    sort: '',
    names,
    active: () => active.current,
  });
  const triage = useTriage({
    rows,
    elementOf: rowOf,
    people,
    selected: selection.tickets,
    onChoiceForAll: forAll.choose,
    onNoteForAll: forAll.note,
    keys: forAll.keys,
  });
  active.current = rows.find(({ id }) => id === triage.active);
  return (
    <>
      <TicketsHead onNew={triage.raise} />
      <Views isBoard={false} query={route.query} />
      <Filters query={route.query} onValue={(query) => ask(route, query)} people={people} />
      <UnseenPill count={unseen} onShow={refresh} />
      <Show of={of}>
        {({ total, totalCapped, items }) =>
          items.length === 0 ? (
            <Nothing isFiltered={Object.keys(filters).length > 0} />
          ) : (
            <>
              <TicketGrid
                rows={rows}
                columns={columns}
                names={names}
                places={places}
                sort=""
                onSort={(sort) => ask(route, { sort, page: null })}
                active={triage.active}
                onActive={triage.setActive}
                selection={selection}
                mayWrite={may('service-desk.tickets:write')}
                onPick={triage.pick}
                onOpen={({ id }) => go(['tickets', id])}
              />
              <Pager
                page={page}
                limit={LIMIT}
                total={total}
                isCapped={totalCapped === true}
                onPage={(page) => ask(route, { page })}
              />
              {forAll.bars({
                total,
                isCapped: totalCapped === true,
                onPick: (member, anchor) => triage.pick(member, null, anchor),
              })}
            </>
          )
        }
      </Show>
      {triage.opened}
    </>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element => (
  <Empty title="No tickets here">
    <p>{isFiltered ? 'None fits these filters.' : 'Nobody has asked for anything yet.'}</p>
  </Empty>
);
