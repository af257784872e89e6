/** What rooms and the products around them cover: exact where it can be read, else by a mesh. */
import { COORDINATE_METRES_MAX } from '../../../domain/buildings/limits.ts';
import type { Position } from '../../../domain/buildings/outline.ts';
import type { ExpressId, IfcEntity } from './ifc-model.ts';
import type { PlanFrame } from './plan-frame.ts';
import { regionsByMesh } from './shapes/meshing.ts';
import type { ProductRegions } from './shapes/product-regions.ts';
import { moved, type Region } from './shapes/regions.ts';

export interface FoundRegions {
  /** In the coordinates of the plan. */
  readonly regions: ReadonlyMap<ExpressId, Region>;
  /** Metres by which the plan's coordinates were reduced: those of a survey in shapes. */
  readonly survey: Position;
  /** Products that would need a mesh, for which there was no time. */
  readonly left: number;
}

/**
 * @param file What meshes are made of.
 * @param rooms By footprint first; others by body first. Before others where time is short.
 * @param endsAtMs When making meshes ends, by `performance.now()`.
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
  const [dx, dy] = surveyOffset(planned);
  const near = ([x, y]: Position): Position => [x - dx, y - dy];
  const all = [...planned].map(([id, region]) => [id, moved(region, near)] as const);
  return {
    regions: new Map(all.filter(([, region]) => isOnSite(region))),
    survey: [dx, dy],
    left: meshes.left,
  };
};

/**
 * Some models have survey coordinates in their shapes and not in their placements. Whole
 * kilometres, so that what is a little different stays where it is.
 */
const surveyOffset = (regions: ReadonlyMap<ExpressId, Region>): Position => {
  const firsts = [...regions.values()].flatMap((region) => region[0]?.[0]?.slice(0, 1) ?? []);
  const [x, y] = [median(firsts.map(([x]) => x)), median(firsts.map(([, y]) => y))];
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

/** No building is further from the origin of its own ground floor. */
const SITE_METRES_MAX = 20_000;
