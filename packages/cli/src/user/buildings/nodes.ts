/** Spaces and points of a building. */
import type { Atrium, components } from '../../../../sdk/src/index.ts';
import { CommandFailed } from '../../failures.ts';
import type { Invocation } from '../../invocation.ts';
import { POINTS_PAGE_MAX, SPACES_PAGE_MAX } from '../../mcp/limits.ts';
import { hasWords } from '../../mcp/words.ts';
import { localTime } from '../../terminal/text.ts';
import { given } from '../given.ts';
import { pageOf, printList, type Columns, type LimitOptions } from '../list.ts';
import { isId } from '../named.ts';
import { buildingOf, platformOf, type BuildingOption } from '../platform.ts';
import { storeyNamed } from './buildings.ts';

type Schemas = components['schemas'];

interface NodeOptions extends BuildingOption, LimitOptions {
  readonly search?: string;
}

const SPACE_COLUMNS: Columns<Schemas['Space']> = {
  id: ({ id }) => id,
  code: ({ code }) => code,
  name: ({ name }) => name,
  storey: ({ storey }) => storey.code,
  type: ({ spaceType }) => spaceType.slug,
  'm²': ({ areaSqm }) => (areaSqm === null ? null : String(areaSqm)),
};

const POINT_COLUMNS: Columns<Schemas['Point']> = {
  id: ({ id }) => id,
  code: ({ code }) => code,
  class: ({ pointClass }) => pointClass,
  latest: ({ latest, unit }) =>
    latest && [latest.value, unit].filter((one) => one !== null).join(' '),
  at: ({ latest }) => latest && localTime(latest.timestamp),
};

export const listSpaces = async (
  invocation: Invocation<NodeOptions & { readonly storey?: string; readonly type?: string }>,
): Promise<void> => {
  const { options } = invocation;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { storey, type: spaceTypeSlug, search } = options;
  const storeyId = storey && (await storeyNamed(client, buildingId, storey));
  const page = search === undefined ? pageOf(options, SPACES_PAGE_MAX) : { limit: SPACES_PAGE_MAX };
  const spaces = client.items('/api/v1/buildings/{buildingId}/spaces', {
    params: { path: { buildingId }, query: { ...page, ...given({ storeyId, spaceTypeSlug }) } },
  });
  const found = matching(spaces, search, ({ code, name, externalId }) => [code, name, externalId]);
  await printList(invocation, found, SPACE_COLUMNS, 'There is no such space.');
};

export const listPoints = async (
  invocation: Invocation<NodeOptions & { readonly space?: string }>,
): Promise<void> => {
  const { options } = invocation;
  const { client } = await platformOf(invocation);
  const buildingId = await buildingOf(client, options.building);
  const { space, search } = options;
  const spaceId = space && (await nodeNamed(client, buildingId, 'space', space));
  const page = search === undefined ? pageOf(options, POINTS_PAGE_MAX) : { limit: POINTS_PAGE_MAX };
  const points = client.items('/api/v1/buildings/{buildingId}/points', {
    params: { path: { buildingId }, query: { ...page, ...given({ spaceId }) } },
  });
  const found = matching(points, search, ({ code, name, pointClass, externalId }) => [
    code,
    name,
    pointClass.replaceAll('_', ' '),
    pointClass,
    externalId,
  ]);
  await printList(invocation, found, POINT_COLUMNS, 'There is no such point.');
};

/** Those whose texts have the words. The API searches no nodes. */
async function* matching<Node>(
  nodes: AsyncIterable<Node>,
  search: string | undefined,
  texts: (node: Node) => readonly (string | null)[],
): AsyncGenerator<Node, void, undefined> {
  const isFound = hasWords(search ?? '');
  for await (const node of nodes) if (isFound(texts(node))) yield node;
}

/**
 * The internal id of the node that has this id, code or external id.
 *
 * @throws {@link CommandFailed} if there is none, or several have it: their ids are listed.
 */
export const nodeNamed = async (
  client: Atrium,
  buildingId: string,
  kind: Schemas['ResolvedNode']['kind'],
  word: string,
): Promise<string> => {
  if (isId(word)) return word;
  const { data } = await client.POST('/api/v1/buildings/{buildingId}/resolve', {
    params: { path: { buildingId } },
    body: { codes: [word], externalIds: [word] },
  });
  const ids = [...new Set(data.resolved.filter((one) => one.kind === kind).map(({ id }) => id))];
  const [found, ...others] = ids;
  if (!found)
    throw new CommandFailed(`there is no ${kind} ${word}; atrium buildings ${kind}s lists them`);
  if (others.length === 0) return found;
  throw new CommandFailed(`${ids.length} ${kind}s are called ${word}: ${ids.join(', ')}`);
};
