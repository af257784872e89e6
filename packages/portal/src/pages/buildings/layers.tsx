import type { JSX } from 'preact';
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import { ask, useRoute } from '../../router.ts';
import type { Schemas } from '../../session/requests.ts';
import { SelectField } from '../../ui/fields.tsx';
import { Empty, Show } from '../../ui/notices.tsx';
import type { OfBuilding } from './detail.tsx';

type Space = Schemas['Space'];
type Value = Schemas['LayerValue']['value'];

const PAGE = 100;

/** One data layer of the spaces as a table: the higher the value, the warmer the cell. */
export const DataLayers = ({ buildingId }: OfBuilding): JSX.Element => {
  const { api } = usePortal();
  const route = useRoute();
  const layers = useLoaded(
    async (signal) => {
      const params = { path: { buildingId }, query: { limit: PAGE } };
      const path = '/api/v1/buildings/{buildingId}/data-layers';
      return (await api.GET(path, { params, signal })).data.items;
    },
    [api, buildingId],
  );
  return (
    <Show of={layers}>
      {(found) => {
        const slug = route.query.get('layer') ?? found[0]?.slug;
        return slug === undefined ? (
          <Empty title="No data layers yet">
            <p>
              The first upload creates a layer: <code>PUT …/data-layers/NAME/values</code>.
            </p>
          </Empty>
        ) : (
          <>
            <div class="toolbar">
              <SelectField
                label="Layer"
                value={slug}
                choices={found.map(({ slug, values }) => [slug, `${slug} (${values})`])}
                onValue={(layer) => ask(route, { layer })}
              />
            </div>
            <Heat key={slug} buildingId={buildingId} layerSlug={slug} />
          </>
        );
      }}
    </Show>
  );
};

const Heat = ({
  buildingId,
  layerSlug,
}: OfBuilding & { readonly layerSlug: string }): JSX.Element => {
  const { api } = usePortal();
  const layer = useLoaded(
    async (signal) => {
      const values = new Map<string, Value>();
      const ofLayer = { path: { buildingId, layerSlug }, query: { limit: PAGE } };
      const valuesPath = '/api/v1/buildings/{buildingId}/data-layers/{layerSlug}/values';
      for await (const item of api.items(valuesPath, { params: ofLayer, signal }))
        values.set(item.spaceId, item.value);
      const spaces: Space[] = [];
      const params = { path: { buildingId }, query: { limit: PAGE } };
      const spacesPath = '/api/v1/buildings/{buildingId}/spaces';
      for await (const space of api.items(spacesPath, { params, signal })) spaces.push(space);
      return { values, spaces: spaces.filter(({ id }) => values.has(id)) };
    },
    [api, buildingId, layerSlug],
  );
  return (
    <Show of={layer}>
      {({ values, spaces }) => {
        const numbers = [...values.values()].filter((value) => typeof value === 'number');
        const lowest = Math.min(...numbers);
        const highest = Math.max(...numbers);
        const heat = (value: Value): number =>
          typeof value === 'number' && highest > lowest
            ? Math.round(((value - lowest) / (highest - lowest)) * 100)
            : 0;
        const storeys = Map.groupBy(spaces, ({ storey }) => storey.name);
        return (
          <div class="stack">
            {[...storeys].map(([storey, on]) => (
              <section key={storey}>
                <h2>{storey}</h2>
                <ul class="heat">
                  {on.map(({ id, code, name }) => (
                    <li key={id} style={{ '--heat': `${heat(values.get(id) ?? null)}%` }}>
                      <span class="small">
                        {code} {name}
                      </span>
                      <strong>{shown(values.get(id) ?? null)}</strong>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            {numbers.length > 0 && (
              <p class="faint small">
                From {lowest.toLocaleString('en')} to {highest.toLocaleString('en')}: the higher,
                the warmer.
              </p>
            )}
          </div>
        );
      }}
    </Show>
  );
};

const shown = (value: Value): string => {
  if (value === null) return '–';
  return typeof value === 'number' ? value.toLocaleString('en') : String(value);
};
