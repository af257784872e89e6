/** The plans of storeys, as the server returns them. contract.md section 6 «Outlines». */
import { usePortal } from '../../context.ts';
import { useLoaded, type Loaded } from '../../loading.ts';
import type { Api, Schemas } from '../../session/requests.ts';
import type { Outline, Position } from './geometry.ts';

export type Storey = Schemas['Storey'];

export interface Space {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly areaSqm: number | null;
  readonly outline: Outline | null;
  readonly labelAt: Position | null;
}

/** The OpenAPI types declare a position as `number[]`. */
export interface StoreyPlan extends Pick<
  Schemas['StoreyPlan'],
  'storey' | 'north' | 'spacesTotal' | 'schematic'
> {
  readonly bounds: { readonly min: Position; readonly max: Position } | null;
  readonly outline: Outline | null;
  readonly walls: Outline[];
  readonly doors: Outline[];
  readonly windows: Outline[];
  /** Sorted by code. */
  readonly spaces: Space[];
}

const STOREYS_PAGE = 100;

export const loadPlan = async (
  api: Api,
  buildingId: string,
  storeyId: string | null,
  signal: AbortSignal,
): Promise<StoreyPlan> => {
  const query = storeyId === null ? {} : { storeyId };
  const params = { path: { buildingId }, query };
  const { data } = await api.GET('/api/v1/buildings/{buildingId}/plan', { params, signal });
  return data as StoreyPlan;
};

/** @param storeyId `null`: the ground floor. */
export const usePlan = (buildingId: string, storeyId: string | null): Loaded<StoreyPlan> => {
  const { api } = usePortal();
  return useLoaded(
    (signal) => loadPlan(api, buildingId, storeyId, signal),
    [api, buildingId, storeyId],
  );
};

interface BuildingStoreys {
  readonly name: string;
  /** Highest first. */
  readonly storeys: readonly Storey[];
}

export const useStoreysOf = (buildingId: string): Loaded<BuildingStoreys> => {
  const { api } = usePortal();
  return useLoaded<BuildingStoreys>(
    async (signal) => {
      const path = { buildingId };
      const building = api.GET('/api/v1/buildings/{buildingId}', { params: { path }, signal });
      const storeys: Storey[] = [];
      const request = { params: { path, query: { limit: STOREYS_PAGE } }, signal };
      for await (const storey of api.items('/api/v1/buildings/{buildingId}/storeys', request))
        storeys.push(storey);
      return {
        name: (await building).data.name,
        storeys: storeys.toSorted((a, b) => b.level - a.level),
      };
    },
    [api, buildingId],
  );
};
