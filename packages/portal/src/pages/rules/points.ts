/** The points of a building, for selection and for the names of rules. */
import { usePortal } from '../../context.ts';
import { useLoaded, type Loaded } from '../../loading.ts';
import type { Point } from '../buildings/readings.ts';
import type { Measure } from './words.ts';

/** Points that can be searched; others have a link of their own to the form. */
export const POINTS_MAX = 5_000;
const PAGE = 1_000;

export interface BuildingPoints {
  readonly points: readonly Point[];
  readonly byId: ReadonlyMap<string, Point>;
  readonly byClass: ReadonlyMap<string, readonly Point[]>;
  readonly total: number;
}

/** @param pointId A point that is included in any case. */
export const usePoints = (
  buildingId: string,
  pointId: string | null = null,
): Loaded<BuildingPoints> => {
  const { api } = usePortal();
  return useLoaded<BuildingPoints>(
    async (signal) => {
      const points: Point[] = [];
      const path = '/api/v1/buildings/{buildingId}/points';
      let total = 0;
      do {
        const query = { limit: PAGE, offset: points.length };
        const params = { path: { buildingId }, query };
        const page = (await api.GET(path, { params, signal })).data;
        points.push(...page.items);
        total = page.items.length === 0 ? points.length : page.total;
      } while (points.length < Math.min(total, POINTS_MAX));
      if (pointId !== null && !points.some(({ id }) => id === pointId)) {
        const params = { path: { buildingId, pointId } };
        const path = '/api/v1/buildings/{buildingId}/points/{pointId}';
        points.push((await api.GET(path, { params, signal })).data);
      }
      return {
        points,
        byId: new Map(points.map((point) => [point.id, point])),
        byClass: Map.groupBy(points, ({ pointClass }) => pointClass),
        total,
      };
    },
    [api, buildingId, pointId],
  );
};

/** The value type and unit that all points share. Default: a number without a unit. */
export const measureOf = (points: readonly Measure[]): Measure => {
  const [first] = points;
  const isShared = points.every(
    ({ unit, valueType }) => unit === first?.unit && valueType === first.valueType,
  );
  return first !== undefined && isShared ? first : { valueType: 'number', unit: null };
};
