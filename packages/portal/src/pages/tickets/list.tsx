import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { usePortal } from '../../context.ts';
import { ask, to, useRoute } from '../../router.ts';
import { PageHead, Tabs, type Column } from '../../ui/content.tsx';
import { Button } from '../../ui/controls.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import { Ago } from '../../ui/times.tsx';
import { Filters } from './filters.tsx';
import { UnseenPill } from './live-notice.tsx';
import { NewTicket } from './new.tsx';
import { filtersIn } from './query.ts';
import { useLiveRows } from './rows.ts';
import { SlaHint } from './sla.tsx';
import { PriorityBadge, StateBadge, titleOf, type Ticket } from './words.tsx';

const LIMIT = 25;

const columns: readonly Column<Ticket>[] = [
  { name: 'Number', cell: ({ number }) => <span class="faint nowrap">{number}</span> },
  {
    name: 'Subject',
    cell: (ticket) => (
      <a class="subject" href={to(['tickets', ticket.id])}>
        {titleOf(ticket)}
      </a>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge of={state} /> },
  { name: 'Priority', cell: ({ priority }) => <PriorityBadge of={priority} /> },
  {
    name: 'Assigned',
    cell: ({ assignedUserId, assignedTeamId }) =>
      assignedUserId ?? assignedTeamId ?? <span class="faint">nobody</span>,
  },
  { name: 'SLA', cell: (ticket) => <SlaHint of={ticket} /> },
  { name: 'Changed', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
];

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
    <PageHead title="Tickets" lead="What people and systems have asked the service desk for.">
      {may('service-desk.tickets:write') && (
        <Button kind="primary" icon="plus" onPress={onNew}>
          New ticket
        </Button>
      )}
    </PageHead>
  );
};

export const TicketList = (): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const [isNew, setNew] = useState(false);
  const filters = filtersIn(route.query);
  const page = pageIn(route);
  const { of, newest, unseen, refresh } = useLiveRows({
    load: async (signal) => {
      const query = { ...filters, page, limit: LIMIT };
      return (await api.GET('/api/service-desk/requests', { params: { query }, signal })).data!;
    },
    asks: [api, JSON.stringify(filters), page],
    filters,
    ticketsIn: ({ items }) => items,
  });
  const tickets = { ...of, data: of.data && { ...of.data, items: of.data.items.map(newest) } };
  return (
    <>
      <TicketsHead onNew={() => setNew(true)} />
      <Views isBoard={false} query={route.query} />
      <Filters query={route.query} onValue={(query) => ask(route, query)} />
      <UnseenPill count={unseen} onShow={refresh} />
      <PagedTable
        of={tickets}
        route={route}
        limit={LIMIT}
        caption="Tickets"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No tickets here">
            <p>
              {Object.keys(filters).length > 0
                ? 'None fits these filters.'
                : 'Nobody has asked for anything yet.'}
            </p>
          </Empty>
        }
      />
      {isNew && <NewTicket onClose={() => setNew(false)} />}
    </>
  );
};
