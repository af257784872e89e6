/** Buildings and their storeys, looked at. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import type { Invocation } from '../../invocation.ts';
import { record } from '../../terminal/text.ts';
import { collected, pageOf, printList, type Columns, type LimitOptions } from '../list.ts';
import { isId, oneNamed, type Kind } from '../named.ts';
import { buildingOf, platformOf, type SandboxOption } from '../platform.ts';

type Schemas = components['schemas'];
type Storey = Schemas['Storey'];

const PAGE_MAX = 1_000;

const COLUMNS: Columns<Schemas['Building']> = {
  id: ({ id }) => id,
  code: ({ code }) => code,
  name: ({ name }) => name,
  site: ({ site }) => site.name,
  models: ({ models }) => models.join(' '),
};

export const listBuildings = async (
  invocation: Invocation<SandboxOption & LimitOptions>,
): Promise<void> => {
  const { client } = await platformOf(invocation);
  const query = pageOf(invocation.options, PAGE_MAX);
  const buildings = client.items('/api/v1/buildings', { params: { query } });
  await printList(invocation, buildings, COLUMNS, 'There are no buildings.');
};

export const getBuilding = async (invocation: Invocation<SandboxOption>): Promise<void> => {
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, invocation.words[0]);
  const { data: building } = await client.GET('/api/v1/buildings/{buildingId}', {
    params: { path: { buildingId } },
  });
  const storeys = await storeysOf(client, buildingId);
  invocation.terminal.print({ ...building, storeys }, () => {
    const { id, code, name, site, externalId, models } = building;
    return record({
      id,
      code,
      name,
      site: site.name,
      'external id': externalId,
      models: models.join(' ') || null,
      ...Object.fromEntries(
        storeys.map((one) => [`storey ${one.code}`, `${one.name} (${one.id})`]),
      ),
    });
  });
};

const STOREYS: Kind<Storey> = {
  one: 'storey',
  many: 'storeys',
  list: 'atrium buildings get',
  names: ({ id, code, name, externalId }) => [id, code, name, externalId],
  label: ({ code, id }) => `${code} (${id})`,
};

/** @throws {@link CommandFailed} if there is none of this name, or several. */
export const storeyNamed = async (
  client: Atrium,
  buildingId: string,
  word: string,
): Promise<string> =>
  isId(word) ? word : oneNamed(word, await storeysOf(client, buildingId), STOREYS).id;

const storeysOf = (client: Atrium, buildingId: string): Promise<readonly Storey[]> =>
  collected(
    client.items('/api/v1/buildings/{buildingId}/storeys', {
      params: { path: { buildingId }, query: { limit: PAGE_MAX } },
    }),
  );
