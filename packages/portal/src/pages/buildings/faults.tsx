import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import { Badge, type Column } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import { At } from '../../ui/times.tsx';
import type { OfBuilding } from './detail.tsx';
import { FaultDetail } from './fault.tsx';
import { FaultState } from './fault-state.tsx';
import { FaultTicket, useTicketsOfFaults, type Fault } from './fault-ticket.tsx';
import { reading } from './readings.ts';

const LIMIT = 25;

const OPEN = [
  ['', 'All'],
  ['true', 'Open'],
  ['false', 'Closed'],
] as const;

const columnsOf = (buildingId: string): readonly Column<Fault>[] => [
  {
    name: 'Fault',
    cell: ({ title, faultId }) => (
      <a href={to(['buildings', buildingId, 'faults', faultId])}>{title}</a>
    ),
  },
  {
    name: 'Severity',
    cell: ({ severity }) => (
      <span class="words">
        <Badge tone="warn">{severity}</Badge>
      </span>
    ),
  },
  {
    name: 'Value',
    isNumber: true,
    cell: ({ value }) => (value === null ? 'never observed' : reading(value, null)),
  },
  { name: 'Opened', cell: ({ openedAt }) => <At at={openedAt} /> },
  {
    name: 'Flapped',
    isNumber: true,
    cell: ({ flapCount = 0 }) => (flapCount === 0 ? '' : `${flapCount} times`),
  },
  { name: 'Closed', cell: (fault) => <FaultState of={fault} /> },
];

const ticketColumn = (buildingId: string): Column<Fault> => ({
  name: 'Ticket',
  cell: (fault) => <FaultTicket buildingId={buildingId} of={fault} />,
});

export const Faults = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api, may } = usePortal();
  const route = useRoute();
  const page = pageIn(route);
  const open = route.query.get('open');
  const faults = useLoaded(
    async (signal) => {
      const isOpen = open === 'true' || open === 'false' ? { open: open === 'true' } : {};
      const query = { limit: LIMIT, offset: (page - 1) * LIMIT, ...isOpen };
      const params = { path: { buildingId }, query };
      return (await api.GET('/api/v1/buildings/{buildingId}/faults', { params, signal })).data;
    },
    [api, buildingId, page, open],
  );
  useTicketsOfFaults(buildingId, faults.reload);
  const faultId = route.path[3];
  if (faultId !== undefined)
    return <FaultDetail key={faultId} buildingId={buildingId} faultId={faultId} />;
  const readsTickets = may('service-desk.tickets:read');
  return (
    <>
      <div class="toolbar">
        <SelectField
          label="Show"
          value={open ?? ''}
          choices={OPEN}
          onValue={(next) => ask(route, { open: next, page: null })}
        />
      </div>
      <PagedTable
        of={faults}
        route={route}
        limit={LIMIT}
        caption="Faults"
        columns={[...columnsOf(buildingId), ...(readsTickets ? [ticketColumn(buildingId)] : [])]}
        keyOf={({ faultId }) => faultId}
        empty={
          <Empty title="No faults">
            <p>Diagnostic rules open faults when a point leaves its range.</p>
          </Empty>
        }
      />
    </>
  );
};
