/**
 * The plans of an IFC file: outlines of rooms and storeys, walls, doors and windows. A room's
 * outline is its footprint, else its extruded profile, else that of its mesh; without readable
 * geometry there is none. contract.md section 6 «Outlines».
 */
import type { Drawing, Outline } from '../../../domain/buildings/outline.ts';
import type { StoreyDocument } from '../../../domain/buildings/document.ts';
import type { PlanReference } from '../../../domain/buildings/plan-reference.ts';
import { EXACT_SHAPES_MAX_MS, SHAPES_MAX_MS } from '../limits.ts';
import { drawnProducts, type DrawnProducts } from './ifc-drawings.ts';
import type { ExpressId, IfcEntity, IfcModel } from './ifc-model.ts';
import { findRegions } from './ifc-regions.ts';
import { placeOf, type IfcRelations } from './ifc-relations.ts';
import { angleUnitOf, lengthUnitOf } from './ifc-units.ts';
import { boundedMetres, storeyHeights } from './ifc-storeys.ts';
import { positionsOf, type ElementPosition } from './ifc-positions.ts';
import { planFrame, type PlanFrame } from './plan-frame.ts';
import { drawnRegion } from './shapes/outline-of-region.ts';
import { placementsIn, type Placements } from './shapes/placements.ts';
import { productRegions } from './shapes/product-regions.ts';
import type { Region } from './shapes/regions.ts';
import { shapeSource, type ShapeSource } from './shapes/shape-source.ts';
import { boundedDrawing, drawnParts, filledRegion, storeyOutline } from './storey-plan.ts';

export interface BuildingPlans {
  /** Degrees clockwise from +y; `null` if the file does not define it. */
  readonly north: number | null;
  readonly spaces: ReadonlyMap<ExpressId, Outline>;
  /** Positions of equipment. */
  readonly positions: ReadonlyMap<ExpressId, ElementPosition>;
  readonly reference: PlanReference;
  /** Plans by storey, as far as they are known. */
  readonly storeys: ReadonlyMap<ExpressId, StoreyPlan>;
  /** Shapes that were omitted or over-simplified. */
  readonly warnings: readonly string[];
}

type StoreyPlan = Pick<StoreyDocument, 'elevation' | 'height' | 'outline' | 'drawing'>;

export interface PlannedBuilding {
  readonly building: IfcEntity;
  readonly site: IfcEntity | null;
  readonly storeys: readonly IfcEntity[];
  /** In metres, as far as they are known. */
  readonly elevations: ReadonlyMap<ExpressId, number>;
  /** The plans of all storeys have the coordinates of this storey. */
  readonly ground: IfcEntity | null;
  readonly spaces: readonly IfcEntity[];
  readonly elements: readonly IfcEntity[];
  readonly relations: IfcRelations;
}

/** @param file The model's bytes, of which a separate thread makes meshes. */
export const plansOf = async (
  model: IfcModel,
  file: Uint8Array,
  { building, site, storeys, elevations, ground, spaces, elements, relations }: PlannedBuilding,
): Promise<BuildingPlans> => {
  const startMs = performance.now();
  const isLate = () => performance.now() > startMs + SHAPES_MAX_MS;
  const source = shapeSource(model, startMs + EXACT_SHAPES_MAX_MS);
  const units = { metresPerLength: lengthUnitOf(model), radiansPerAngle: angleUnitOf(model) };
  const placements = placementsIn(source);
  const places = [ground, building, site];
  const { metresPerLength } = units;
  const frame = planFrame(model, source, placements, places, site, metresPerLength);
  const products = drawnProducts(model, source, relations);
  const { regions, left, ...found } = await findRegions(
    productRegions(source, units, placements),
    frame,
    file,
    spaces,
    shapedProducts(products),
    startMs + SHAPES_MAX_MS,
  );
  const equipment = positionsOf(elements, {
    source,
    placements,
    metresPerLength,
    planOf: frame.planOf,
    survey: found.survey,
    places: [...storeys, building, ...(site ? [site] : [])],
  });
  const rooms = spaces.map(({ id }) => ({
    id,
    drawn: isLate() ? null : drawnRegion(regions.get(id) ?? []),
  }));
  const drawn: typeof regions = isLate() ? new Map() : regions;
  const drawings = drawingsOf(products, storeys, relations, drawn, (product) =>
    headingOf(source, placements, frame, product),
  );
  const storeyOf = new Map(storeys.map(({ id }) => [id, id]));
  const heights = storeyHeights(model, relations, storeys, elevations, metresPerLength);
  const spacesOf = Map.groupBy(spaces, ({ id }) => placeOf(id, relations, storeyOf));
  const plans = storeys.map(({ id }) => {
    const own = spacesOf.get(id) ?? [];
    const { drawing, left } = boundedDrawing(drawings.get(id)!);
    const covered = own.flatMap((space) => {
      const region = regions.get(space.id);
      return region ? [region] : [];
    });
    const elevation = boundedMetres(elevations.get(id) ?? Number.NaN);
    const height = heights.get(id) ?? null;
    const outline = isLate() ? null : storeyOutline(covered, drawing.walls);
    const isDrawn = Object.values(drawing).some((list: readonly Outline[]) => list.length > 0);
    const plan: StoreyPlan = {
      ...(elevation !== null && { elevation }),
      ...(height !== null && { height }),
      ...(outline && { outline }),
      ...(isDrawn && { drawing }),
    };
    return { id, plan, left };
  });
  const drawnRooms = rooms.flatMap(({ drawn }) => drawn ?? []);
  return {
    north: frame.north,
    spaces: new Map(rooms.flatMap(({ id, drawn }) => (drawn ? [[id, drawn.outline]] : []))),
    storeys: new Map(plans.map(({ id, plan }) => [id, plan])),
    positions: equipment.positions,
    reference: frame.referenceOf(equipment.survey),
    warnings: [
      warningIf(
        source.isExhausted() || isLate() ? 1 : 0,
        () => 'reading shapes took too long; the rest is left out',
      ),
      warningIf(left, (n) => `${n} shapes would need a mesh and are left out`),
      warningIf(
        drawnRooms.filter(({ isPart }) => isPart).length,
        (n) => `${n} spaces consist of several parts; the largest of each is drawn`,
      ),
      warningIf(
        drawnRooms.filter(({ isCoarse }) => isCoarse).length,
        (n) =>
          `${n} spaces have a contour too fine for a plan; it was simplified by ` +
          'more than 2 cm',
      ),
      warningIf(
        plans.reduce((sum, { left }) => sum + left, 0),
        (n) => `${n} walls, doors and windows are left out of drawings that would be too large`,
      ),
      warningIf(
        equipment.left,
        (n) => `${n} elements are more than 100 km away and have no position`,
      ),
    ].flat(),
  };
};

const warningIf = (count: number, text: (count: number) => string): readonly string[] =>
  count === 0 ? [] : [text(count)];

/** All distinct products whose region is needed: walls first, then holes in them. */
const shapedProducts = ({ walls, doors, windows }: DrawnProducts): readonly IfcEntity[] => {
  const products = [
    ...walls.map(({ product }) => product),
    ...[...doors, ...windows].map(({ opening, product }) => opening ?? product),
  ];
  return [...new Map(products.map((product) => [product.id, product])).values()];
};

const headingOf = (
  source: ShapeSource,
  placements: Placements,
  frame: PlanFrame,
  product: IfcEntity,
): number => {
  const id = product.reference('ObjectPlacement');
  const placement = source.shape(() => placements.ofProject(id));
  return typeof placement === 'string' ? 0 : frame.headingOf(placement);
};

const drawingsOf = (
  { walls, doors, windows }: DrawnProducts,
  storeys: readonly IfcEntity[],
  relations: IfcRelations,
  regions: ReadonlyMap<ExpressId, Region>,
  headingOf: (product: IfcEntity) => number,
): ReadonlyMap<ExpressId, Drawing> => {
  const drawings = new Map<ExpressId, MutableDrawing>(
    storeys.map(({ id }) => [id, { walls: [], doors: [], windows: [] }]),
  );
  const drawingOf = (id: ExpressId) => placeOf(id, relations, drawings);
  for (const { whole, product } of walls) {
    drawingOf(whole.id)?.walls.push(...drawnParts(regions.get(product.id) ?? []));
  }
  for (const kind of ['doors', 'windows'] as const) {
    for (const filled of kind === 'doors' ? doors : windows) {
      const region = filledRegion(filled, regions, headingOf);
      drawingOf(filled.product.id)?.[kind].push(...drawnParts(region));
    }
  }
  return drawings;
};

type MutableDrawing = { [Kind in keyof Drawing]: Outline[] };
