import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { ask, go, to, useRoute } from '../../router.ts';
import { PageHead, Pager } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { PastTheEnd, pageIn } from '../../ui/paged-table.tsx';
import { useQuickActions } from '../../ui/quick-actions.tsx';
import { useRoomNames } from '../rooms.ts';
import { BeginWithBuilding } from './begin.tsx';
import { columnsOf } from './columns.tsx';
import { useConfiguration } from './configuration.ts';
import { Filters } from './filters.tsx';
import { useForAll } from './for-all.tsx';
import { rowOf, TicketGrid } from './grid.tsx';
import { LIST_LIMIT } from './limits.ts';
import { UnseenPill } from './live-notice.tsx';
import { useOpenedView } from './opened-view.ts';
import { useNames, usePeople } from './people.ts';
import { addressOf, askedIn, changesOf, OPEN, type Asked } from './query.ts';
import { useLiveRows } from './rows.ts';
import { useSelection } from './selection.ts';
import { useTriage } from './triage.tsx';
import { ViewBar } from './view-bar.tsx';
import { isOwn, useViews } from './views.ts';
import type { Ticket } from './words.tsx';

/** The title, and the links to the list and the board. */
export const TicketsHead = ({
  asked,
  isBoard,
  onNew,
}: {
  readonly asked: Asked;
  readonly isBoard: boolean;
  readonly onNew: () => void;
}): JSX.Element => {
  const { may } = usePortal();
  const { view, ...query } = addressOf(asked);
  const same = view === OPEN.view ? {} : { view, ...query };
  return (
    <PageHead title="Tickets">
      <nav class="switch" aria-label="List or board">
        <a href={to(['tickets'], same)} {...(!isBoard && { 'aria-current': 'page' as const })}>
          List
        </a>
        <a
          href={to(['tickets', 'board'], same)}
          {...(isBoard && { 'aria-current': 'page' as const })}
        >
          Board
        </a>
      </nav>
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
  const asked = askedIn(route.query);
  const { filters, sort } = asked;
  const page = pageIn(route);
  const people = usePeople();
  const configuration = useConfiguration();
  const columns = columnsOf(asked.columns, configuration);
  const views = useViews(people);
  const opened = useOpenedView(views, asked);
  const onAsk = (next: Asked) => {
    opened.follow(next);
    ask(route, changesOf(asked, next));
  };
  const names = useNames(people);
  const { shown } = useQuickActions();
  const { of, newest, unseen, refresh } = useLiveRows({
    load: async (signal) => {
      const query = { ...filters, sort, page, limit: LIST_LIMIT };
      return (await api.GET('/api/service-desk/requests', { params: { query }, signal })).data;
    },
    asks: [api, JSON.stringify(filters), sort, page],
    filters,
    ticketsIn: ({ items }) => items,
  });
  const rows = of.data?.items.map((ticket) => shown(newest(ticket))) ?? NONE;
  const hasPlaces = columns.some(({ key }) => key === 'place');
  const hasRooms = columns.some(({ isOfRooms }) => isOfRooms === true);
  const placed = hasPlaces ? rows.filter(({ spaceId }) => spaceId !== null) : NONE;
  const buildings = hasRooms ? rows : placed;
  const places = useRoomNames([...new Set(buildings.map(({ buildingId }) => buildingId))]);
  const selection = useSelection(of.isStale ? NONE : rows, JSON.stringify(filters));
  const active = useRef<Ticket | undefined>(undefined);
  const forAll = useForAll({
    selection,
    filters,
    sort,
    names,
    active: () => active.current,
  });
  const triage = useTriage({
    rows,
    isStale: of.isStale,
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
      <TicketsHead asked={asked} isBoard={false} onNew={triage.raise} />
      <ViewBar views={views} asked={asked} opened={opened} path={['tickets']} />
      <Filters
        asked={asked}
        onAsk={onAsk}
        people={people}
        configuration={configuration}
        isOwn={isOwn(views, asked)}
      />
      <UnseenPill count={unseen} onShow={refresh} />
      {/* A group takes the focus of rows and bars that are removed. */}
      <div role="group" aria-label="List of tickets">
        <Show of={of}>
          {({ total, totalCapped, items }) =>
            items.length === 0 ? (
              total > 0 ? (
                <PastTheEnd route={route} total={total} limit={LIST_LIMIT} />
              ) : (
                <Nothing isFiltered={Object.keys(filters).length > 0} />
              )
            ) : (
              <>
                <TicketGrid
                  rows={rows}
                  columns={columns}
                  names={names}
                  places={places}
                  sort={sort}
                  onSort={(sort) => onAsk({ ...asked, sort })}
                  active={triage.active}
                  onActive={triage.setActive}
                  selection={selection}
                  mayWrite={may('service-desk.tickets:write')}
                  onPick={triage.pick}
                  onOpen={({ id }) => go(['tickets', id])}
                />
                <Pager
                  page={page}
                  limit={LIST_LIMIT}
                  total={total}
                  isCapped={totalCapped === true}
                  onPage={(page) => ask(route, { page })}
                />
              </>
            )
          }
        </Show>
        {forAll.bars({
          total: of.data?.total ?? 0,
          isCapped: of.data?.totalCapped === true,
          onPick: (member, anchor) => triage.pick(member, null, anchor),
        })}
      </div>
      {triage.opened}
    </>
  );
};

const Nothing = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element => (
  <Empty title="No tickets here">
    <p>{isFiltered ? 'No ticket matches these filters.' : 'No ticket has been raised yet.'}</p>
    <BeginWithBuilding />
  </Empty>
);
