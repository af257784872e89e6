import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, type Column } from '../../ui/content.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import { At } from '../../ui/times.tsx';
import type { OfBuilding } from './detail.tsx';
import { reading } from './readings.ts';

type Fault = Schemas['Fault'];

const LIMIT = 25;

const OPEN = [
  ['', 'All'],
  ['true', 'Open'],
  ['false', 'Closed'],
] as const;

const columnsOf = (buildingId: string): readonly Column<Fault>[] => [
  {
    name: 'Fault',
    cell: ({ title, pointId }) => (
      <a href={to(['buildings', buildingId, 'points', pointId])}>{title}</a>
    ),
  },
  { name: 'Severity', cell: ({ severity }) => <Badge tone="warn">{severity}</Badge> },
  {
    name: 'Value',
    isNumber: true,
    cell: ({ value }) => (value === null ? 'never heard' : reading(value, null)),
  },
  { name: 'Opened', cell: ({ openedAt }) => <At at={openedAt} /> },
  {
    name: 'Flapped',
    isNumber: true,
    cell: ({ flapCount = 0 }) => (flapCount === 0 ? '' : `${flapCount} times`),
  },
  {
    name: 'Closed',
    cell: ({ closedAt, flapping }) =>
      closedAt !== null ? (
        <At at={closedAt} />
      ) : (
        <Badge tone="bad">{flapping ? 'flapping' : 'open'}</Badge>
      ),
  },
];

export const Faults = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const page = pageIn(route);
  const open = route.query.get('open');
  const faults = useLoaded(
    async (signal) => {
      const isOpen = open === 'true' || open === 'false' ? { open: open === 'true' } : {};
      const query = { limit: LIMIT, offset: (page - 1) * LIMIT, ...isOpen };
      const params = { path: { buildingId }, query };
      return (await api.GET('/api/v1/buildings/{buildingId}/faults', { params, signal })).data!;
    },
    [api, buildingId, page, open],
  );
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
        columns={columnsOf(buildingId)}
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
