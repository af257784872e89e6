/** Areas of rooms and of the products around them: exact if readable, else by a mesh. */
import { COORDINATE_METRES_MAX } from '../../../domain/buildings/limits.ts';
import type { Position } from '../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity } from './ifc-model.ts';
import type { PlanFrame } from './plan-frame.ts';
import { regionsByMesh } from './shapes/meshing.ts';
import type { ProductRegions } from './shapes/product-regions.ts';
import { moved, type Region } from './shapes/regions.ts';

export interface FoundRegions {
  /** In the plan's coordinates. */
  readonly regions: ReadonlyMap<ExpressId, Region>;
  /** Survey offset that was subtracted from the plan's coordinates; `null` without regions. */
  readonly survey: Position | null;
  /** Number of products that need a mesh, for which no time was left. */
  readonly left: number;
}

/**
 * @param file The bytes of which meshes are made.
 * @param rooms Read by footprint first, unlike others, and before others if time is short.
 * @param endsAtMs Deadline of meshing, by `performance.now()`.
 */
export const findRegions = async (
  read: ProductRegions,
  frame: PlanFrame,
  file: Uint8Array,
  rooms: readonly IfcEntity[],
  others: readonly IfcEntity[],
  endsAtMs: number,
): Promise<FoundRegions> => {
  const regions = new Map<ExpressId, Region>();
  const meshed: ExpressId[] = [];
  const take = ({ id }: IfcEntity, region: Region | 'unsupported' | null) => {
    if (region === 'unsupported') meshed.push(id);
    else if (region) regions.set(id, region);
  };
  for (const room of rooms) take(room, read.footprint(room) ?? read.body(room));
  for (const other of others) take(other, read.body(other) ?? read.footprint(other));

  const meshes = await regionsByMesh(file, meshed, endsAtMs);
  for (const [id, region] of meshes.regions) regions.set(id, region);

  const planned = new Map([...regions].map(([id, region]) => [id, moved(region, frame.planOf)]));
  const firsts = [...planned.values()].flatMap((region) => region[0]?.[0]?.slice(0, 1) ?? []);
  const [dx, dy] = surveyOffset(firsts);
  const near = ([x, y]: Position): Position => [x - dx, y - dy];
  const all = [...planned].map(([id, region]) => [id, moved(region, near)] as const);
  return {
    regions: new Map(all.filter(([, region]) => isOnSite(region))),
    survey: firsts.length > 0 ? [dx, dy] : null,
    left: meshes.left,
  };
};

/**
 * In metres: some models have survey coordinates in their shapes instead of the ground floor's
 * placement. Rounded to whole kilometres, so that a slightly changed model has the same offset.
 */
export const surveyOffset = (positions: readonly Position[]): Position => {
  const [x, y] = [median(positions.map(([x]) => x)), median(positions.map(([, y]) => y))];
  return Math.hypot(x, y) > SITE_METRES_MAX ? [wholeKilometres(x), wholeKilometres(y)] : [0, 0];
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const wholeKilometres = (metres: number): number => Math.round(metres / 1_000) * 1_000;

const isOnSite = (region: Region): boolean =>
  region.every((outline) =>
    outline.every((ring) => ring.every((position) => position.every(isWithinReach))),
  );

const isWithinReach = (metres: number): boolean => Math.abs(metres) <= COORDINATE_METRES_MAX;

/** Upper bound of a building's distance from the origin of its own ground floor. */
const SITE_METRES_MAX = 20_000;
