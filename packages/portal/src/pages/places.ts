/** Buildings and their contents, as choices. */
import { usePortal } from '../context.ts';
import { useLoaded, type Loaded } from '../loading.ts';
import type { Choice } from '../ui/fields.tsx';

const PAGE = 100;
const CHOICES_MAX = 1_000;
/** Rows that are loaded as choices; the rest is not offered. */
const READ_MAX = 5_000;

/** Requesters may read the names of places, and no other data of a building. */
export const useReadsPlaces = (): boolean => {
  const { may } = usePortal();
  return may('platform.buildings:read') || may('service-desk.own:read');
};

const collected = async <Item>(
  items: AsyncIterable<Item>,
  fits: (item: Item) => boolean = () => true,
): Promise<readonly Item[]> => {
  const found: Item[] = [];
  let read = 0;
  for await (const item of items) {
    if (fits(item)) found.push(item);
    read += 1;
    if (found.length >= CHOICES_MAX || read >= READ_MAX) break;
  }
  return found;
};

export const useBuildings = (): readonly Choice[] => useLoadedBuildings().buildings;

export const useLoadedBuildings = (): Pick<Loaded<unknown>, 'isLoading' | 'error' | 'reload'> & {
  readonly buildings: readonly Choice[];
} => {
  const { api } = usePortal();
  const isShown = useReadsPlaces();
  const { data = [], ...loaded } = useLoaded(
    async (signal) => {
      if (!isShown) return [];
      const params = { query: { limit: PAGE } };
      return collected(api.items('/api/v1/buildings', { params, signal }));
    },
    [api],
  );
  return { ...loaded, buildings: data.map(({ id, name }) => [id, name]) };
};

export const useStoreys = (buildingId: string): readonly Choice[] => {
  const { api } = usePortal();
  const isShown = useReadsPlaces() && buildingId !== '';
  const { data = [] } = useLoaded(
    async (signal) => {
      if (!isShown) return [];
      const params = { path: { buildingId }, query: { limit: PAGE } };
      return collected(api.items('/api/v1/buildings/{buildingId}/storeys', { params, signal }));
    },
    [api, buildingId],
  );
  return data.map(({ id, name }) => [id, name]);
};

/** The spaces of one storey: a whole building may have thousands. */
export const useSpaces = (buildingId: string, storeyId: string): readonly Choice[] => {
  const { api } = usePortal();
  const isShown = useReadsPlaces() && buildingId !== '' && storeyId !== '';
  const { data = [] } = useLoaded(
    async (signal) => {
      if (!isShown) return [];
      const params = { path: { buildingId }, query: { limit: PAGE, storeyId } };
      return collected(api.items('/api/v1/buildings/{buildingId}/spaces', { params, signal }));
    },
    [api, buildingId, storeyId],
  );
  return data.map(({ id, code, name }) => [id, `${code} ${name}`]);
};

/** The elements of one room, or else of one storey: a whole building may have thousands. */
export const useElements = (
  buildingId: string,
  { storeyId, spaceId }: { readonly storeyId: string; readonly spaceId: string },
): readonly Choice[] => {
  const { api, may } = usePortal();
  const isShown = may('platform.buildings:read') && buildingId !== '' && storeyId !== '';
  const { data = [] } = useLoaded(
    async (signal) => {
      if (!isShown) return [];
      const query = { limit: PAGE, ...(spaceId !== '' && { spaceId }) };
      const params = { path: { buildingId }, query };
      return collected(
        api.items('/api/v1/buildings/{buildingId}/elements', { params, signal }),
        (element) => (spaceId === '' ? element.storeyId === storeyId : element.spaceId === spaceId),
      );
    },
    [api, buildingId, storeyId, spaceId],
  );
  return data.map(({ id, code, name }) => [id, `${code} ${name}`]);
};

export const nameIn = (choices: readonly Choice[], id: string | null): string | null =>
  id === null ? null : (choices.find(([value]) => value === id)?.[1] ?? id);
