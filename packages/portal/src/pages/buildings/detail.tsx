import type { FunctionComponent, JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { to, useRoute } from '../../router.ts';
import { PageHead, Tabs } from '../../ui/content.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazyPage } from '../../ui/lazy-page.tsx';
import { Show } from '../../ui/notices.tsx';
import { Faults } from './faults.tsx';
import { DataLayers } from './layers.tsx';
import { Points } from './points.tsx';
import { Storeys } from './storeys.tsx';

export interface OfBuilding {
  readonly buildingId: string;
}

const Rules = lazyPage(async () => (await import('../rules/page.tsx')).RulesPage);

/** The parts of a building, by the segment of the path. */
const parts: readonly (readonly [path: string, name: string, FunctionComponent<OfBuilding>])[] = [
  ['spaces', 'Spaces', Storeys],
  ['points', 'Points', Points],
  ['layers', 'Data layers', DataLayers],
  ['faults', 'Faults', Faults],
  ['rules', 'Rules', Rules],
];

export const BuildingDetail = ({ id }: { readonly id: string }): JSX.Element => {
  const { api, may } = usePortal();
  const { path } = useRoute();
  const building = useLoaded(
    async (signal) => {
      const params = { path: { buildingId: id } };
      return (await api.GET('/api/v1/buildings/{buildingId}', { params, signal })).data;
    },
    [api, id],
  );
  const [part, partName, Part] = parts.find(([segment]) => segment === path[2]) ?? parts[0]!;
  return (
    <Show of={building}>
      {({ name, code, site }) => (
        <>
          <PageHead
            title={name}
            pageTitle={`${partName} of ${name}`}
            above={[to(['buildings']), 'Buildings']}
            lead={`${code} · ${site.name}`}
          >
            {may('platform.buildings:write') && (
              <a class="button" href={to(['buildings', id, 'import'])}>
                <Icon name="upload" />
                Import
              </a>
            )}
            <a class="button" href={to(['buildings', id, 'plan'])}>
              <Icon name="plan" />
              Plan
            </a>
            <a class="button" href={to(['buildings', id, 'labels'])}>
              <Icon name="label" />
              Labels
            </a>
          </PageHead>
          <Tabs
            label="Parts of the building"
            tabs={parts.map(([segment, name]) => ({
              name,
              href: to(['buildings', id, segment]),
              isOn: segment === part,
            }))}
          />
          <Part key={part} buildingId={id} />
        </>
      )}
    </Show>
  );
};
