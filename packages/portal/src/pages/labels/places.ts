/** Rooms and elements of a building that get labels. */
import { usePortal } from '../../context.ts';
import { useLoaded, type Loaded } from '../../loading.ts';
import type { Api } from '../../session/requests.ts';
import type { LabelledPlace } from './label-address.ts';

/** Labels per print. */
export const LABELS_MAX = 1_000;
/** Elements that are searched for those of a storey. */
const READ_MAX = 10_000;
/** Valid under every `SPACES_LIMIT_CAP`. */
const SPACES_PAGE = 100;
const ELEMENTS_PAGE = 1_000;

export interface LabelPlace extends LabelledPlace {
  readonly name: string;
  /** The name of its storey. */
  readonly where: string;
}

export interface LabelChoice {
  readonly kind: LabelledPlace['kind'];
  /** `null`: all. */
  readonly storeyId: string | null;
  /** This room only, or the elements in it; `null`: all. */
  readonly spaceId: string | null;
}

export interface LabelPlaces {
  readonly places: readonly LabelPlace[];
  /** Whether further places are left out. */
  readonly isMore: boolean;
}

/** @param storeys Names of storeys by id. */
export const usePlaces = (
  buildingId: string,
  choice: LabelChoice,
  storeys: ReadonlyMap<string, string> | null,
): Loaded<LabelPlaces> => {
  const { api } = usePortal();
  const { kind, storeyId, spaceId } = choice;
  return useLoaded<LabelPlaces>(
    async (signal) => {
      if (storeys === null) return { places: [], isMore: false };
      return kind === 'space'
        ? spacesOf(api, buildingId, choice, signal)
        : elementsOf(api, buildingId, choice, storeys, signal);
    },
    [api, buildingId, kind, storeyId, spaceId, storeys],
  );
};

const spacesOf = async (
  api: Api,
  buildingId: string,
  { storeyId, spaceId }: LabelChoice,
  signal: AbortSignal,
): Promise<LabelPlaces> => {
  if (spaceId !== null) {
    const params = { path: { buildingId, spaceId } };
    const path = '/api/v1/buildings/{buildingId}/spaces/{spaceId}';
    const { data } = await api.GET(path, { params, signal });
    return { places: [labelOf(data)], isMore: false };
  }
  const query = { limit: SPACES_PAGE, ...(storeyId !== null && { storeyId }) };
  const request = { params: { path: { buildingId }, query }, signal };
  const found: LabelPlace[] = [];
  for await (const space of api.items('/api/v1/buildings/{buildingId}/spaces', request)) {
    if (found.length === LABELS_MAX) return { places: found, isMore: true };
    found.push(labelOf(space));
  }
  return { places: found, isMore: false };
};

const labelOf = (space: {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly storey: { readonly name: string };
}): LabelPlace => ({
  kind: 'space',
  id: space.id,
  code: space.code,
  name: space.name,
  where: space.storey.name,
});

const elementsOf = async (
  api: Api,
  buildingId: string,
  { storeyId, spaceId }: LabelChoice,
  storeys: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<LabelPlaces> => {
  const query = { limit: ELEMENTS_PAGE, ...(spaceId !== null && { spaceId }) };
  const request = { params: { path: { buildingId }, query }, signal };
  const found: LabelPlace[] = [];
  let read = 0;
  for await (const element of api.items('/api/v1/buildings/{buildingId}/elements', request)) {
    if (found.length === LABELS_MAX || read === READ_MAX) return { places: found, isMore: true };
    read += 1;
    if (storeyId !== null && element.storeyId !== storeyId) continue;
    const { id, code, name } = element;
    const where = storeys.get(element.storeyId) ?? '';
    found.push({ kind: 'element', id, code, name, where });
  }
  return { places: found, isMore: false };
};
