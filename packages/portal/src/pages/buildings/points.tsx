import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import { type Column } from '../../ui/content.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import { Ago } from '../../ui/times.tsx';
import type { OfBuilding } from './detail.tsx';
import { PointHistory } from './point.tsx';
import { reading, type Point } from './readings.ts';

const LIMIT = 25;

const columnsOf = (buildingId: string): readonly Column<Point>[] => [
  {
    name: 'Point',
    cell: ({ id, name }) => <a href={to(['buildings', buildingId, 'points', id])}>{name}</a>,
  },
  { name: 'Code', cell: ({ code }) => <code>{code}</code> },
  { name: 'Class', cell: ({ pointClass }) => pointClass.replaceAll('_', ' ') },
  {
    name: 'Latest',
    isNumber: true,
    cell: ({ latest, unit }) =>
      latest === null ? (
        <span class="faint">none</span>
      ) : (
        <strong>{reading(latest.value, unit)}</strong>
      ),
  },
  { name: 'At', cell: ({ latest }) => latest && <Ago at={latest.timestamp} /> },
];

/** The points of a building with their latest values; one of them with its history. */
export const Points = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const page = pageIn(route);
  const points = useLoaded(
    async (signal) => {
      const query = { limit: LIMIT, offset: (page - 1) * LIMIT };
      const params = { path: { buildingId }, query };
      return (await api.GET('/api/v1/buildings/{buildingId}/points', { params, signal })).data;
    },
    [api, buildingId, page],
  );
  if (route.path[3] !== undefined)
    return <PointHistory key={route.path[3]} buildingId={buildingId} pointId={route.path[3]} />;
  return (
    <PagedTable
      of={points}
      route={route}
      limit={LIMIT}
      caption="Points"
      columns={columnsOf(buildingId)}
      keyOf={({ id }) => id}
      empty={<Empty title="This building has no points" />}
    />
  );
};
