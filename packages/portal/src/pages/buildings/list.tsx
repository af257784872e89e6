import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { PageHead, type Column } from '../../ui/content.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/notices.tsx';
import { PagedTable, pageIn } from '../../ui/paged-table.tsx';

export type Building = Schemas['Building'];

const LIMIT = 50;

const columns: readonly Column<Building>[] = [
  { name: 'Name', cell: ({ id, name }) => <a href={to(['buildings', id])}>{name}</a> },
  { name: 'Code', cell: ({ code }) => code },
  { name: 'Site', cell: ({ site }) => site.name },
  {
    name: 'External id',
    cell: ({ externalId, sourceSystem }) =>
      externalId !== null && (
        <>
          <code>{externalId}</code> <span class="faint small">{sourceSystem}</span>
        </>
      ),
  },
];

export const BuildingList = (): JSX.Element => {
  const { api, may } = usePortal();
  const mayImport = may('platform.buildings:write');
  const route = useRoute();
  const page = pageIn(route);
  const buildings = useLoaded(
    async (signal) => {
      const query = { limit: LIMIT, offset: (page - 1) * LIMIT };
      return (await api.GET('/api/v1/buildings', { params: { query }, signal })).data;
    },
    [api, page],
  );
  return (
    <>
      <PageHead title="Buildings" lead="The graph that tickets, values and telemetry refer to.">
        {mayImport && (
          <a class="button" href={to(['buildings', 'import'])}>
            <Icon name="upload" />
            Import a building
          </a>
        )}
      </PageHead>
      <PagedTable
        of={buildings}
        route={route}
        limit={LIMIT}
        caption="Buildings"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          mayImport ? (
            <Empty title="Start with a building">
              <p>
                Tickets, plans and telemetry belong to its rooms, which you import from an IFC or
                JSON file.
              </p>
              <p>
                <a class="button primary" href={to(['buildings', 'import'])}>
                  <Icon name="upload" />
                  Import a building
                </a>
              </p>
            </Empty>
          ) : (
            <Empty title="No buildings">
              <p>A manager of your organisation can import buildings from IFC or JSON files.</p>
            </Empty>
          )
        }
      />
    </>
  );
};
