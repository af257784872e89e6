/** Names of the entities that events refer to by id. */
import { usePortal } from '../../context.ts';
import { useLoaded } from '../../loading.ts';
import type { Api } from '../../session/requests.ts';

/** Names per kind; the rest are shown by id. */
const NAMES_MAX = 5_000;
const PAGE = 1_000;
/** The lowest cap that an installation may set for pages of spaces. */
const SPACES_PAGE = 100;

export interface Names {
  readonly points: ReadonlyMap<string, string>;
  readonly spaces: ReadonlyMap<string, string>;
  readonly elements: ReadonlyMap<string, string>;
}

const NONE: Names = { points: new Map(), spaces: new Map(), elements: new Map() };

interface Named {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

const byId = async (
  items: AsyncIterable<Named>,
  nameOf: (item: Named) => string,
): Promise<ReadonlyMap<string, string>> => {
  const names = new Map<string, string>();
  for await (const item of items) {
    names.set(item.id, nameOf(item));
    if (names.size >= NAMES_MAX) break;
  }
  return names;
};

/** @param buildingId `null`: no names are needed yet. */
export const useNames = (buildingId: string | null, sandbox?: Api): Names => {
  const portal = usePortal();
  const api = sandbox ?? portal.api;
  const { data = NONE } = useLoaded(
    async (signal): Promise<Names> => {
      if (buildingId === null) return NONE;
      const path = { buildingId };
      const request = { params: { path, query: { limit: PAGE } }, signal };
      const askedSpaces = { params: { path, query: { limit: SPACES_PAGE } }, signal };
      const of = '/api/v1/buildings/{buildingId}' as const;
      const [points, spaces, elements] = await Promise.all([
        byId(api.items(`${of}/points`, request), ({ name }) => name),
        byId(api.items(`${of}/spaces`, askedSpaces), ({ code, name }) => `${code} ${name}`),
        byId(api.items(`${of}/elements`, request), ({ name }) => name),
      ]);
      return { points, spaces, elements };
    },
    [api, buildingId],
  );
  return data;
};
