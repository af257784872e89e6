import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { Badge, type Column } from '../../ui/content.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';
import type { OfBuilding } from './detail.tsx';

type Space = Schemas['Space'];
type Storey = Schemas['Storey'];

const LIMIT = 50;
const STOREYS_PAGE = 100;

/** The storeys, highest first, and the spaces of one. */
export const Storeys = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api } = usePortal();
  const storeys = useLoaded(
    async (signal) => {
      const found: Storey[] = [];
      const params = { path: { buildingId }, query: { limit: STOREYS_PAGE } };
      const path = '/api/v1/buildings/{buildingId}/storeys';
      for await (const storey of api.items(path, { params, signal })) found.push(storey);
      return found.toSorted((a, b) => b.level - a.level);
    },
    [api, buildingId],
  );
  const route = useRoute();
  return (
    <Show of={storeys}>
      {(found) => {
        const chosen = route.path[3] ?? found.at(-1)?.id;
        return found.length === 0 || chosen === undefined ? (
          <Empty title="This building has no storeys" />
        ) : (
          <div class="with-tree">
            <nav class="tree" aria-label="Storeys">
              <ul>
                {found.map(({ id, code, name }) => (
                  <li key={id}>
                    <a
                      href={to(['buildings', buildingId, 'spaces', id])}
                      {...(id === chosen && { 'aria-current': 'page' as const })}
                    >
                      <span class="faint small">{code}</span> {name}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <Spaces key={chosen} buildingId={buildingId} storeyId={chosen} />
          </div>
        );
      }}
    </Show>
  );
};

const columnsOf = (buildingId: string): readonly Column<Space>[] => [
  { name: 'Code', cell: ({ code }) => <span class="words">{code}</span> },
  {
    name: 'Name',
    cell: ({ id, name, storey }) => (
      <a href={to(['buildings', buildingId, 'plan'], { storey: storey.id, space: id })}>{name}</a>
    ),
  },
  { name: 'Type', cell: ({ spaceType }) => spaceType.name },
  {
    name: 'Area',
    isNumber: true,
    cell: ({ areaSqm }) => areaSqm !== null && `${areaSqm.toLocaleString('en')} m²`,
  },
  {
    name: 'Status',
    cell: ({ status, isLeasable }) => (
      <span class="row">
        <Badge tone={status === 'active' ? 'good' : 'neutral'}>{status}</Badge>
        {isLeasable && <Badge tone="accent">leasable</Badge>}
      </span>
    ),
  },
  { name: 'External id', cell: ({ externalId }) => externalId && <code>{externalId}</code> },
];

const Spaces = ({
  buildingId,
  storeyId,
}: OfBuilding & { readonly storeyId: string }): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const page = pageIn(route);
  const spaces = useLoaded(
    async (signal) => {
      const query = { storeyId, limit: LIMIT, offset: (page - 1) * LIMIT };
      const params = { path: { buildingId }, query };
      return (await api.GET('/api/v1/buildings/{buildingId}/spaces', { params, signal })).data;
    },
    [api, buildingId, storeyId, page],
  );
  return (
    <PagedTable
      of={spaces}
      route={route}
      limit={LIMIT}
      caption="Spaces"
      columns={columnsOf(buildingId)}
      keyOf={({ id }) => id}
      empty={<Empty title="No spaces on this storey" />}
    />
  );
};
