/**
 * The coordinates of a building's plans: metres from the origin of its ground floor, along that
 * floor's axes, on all storeys, so that storeys align and north is the same direction.
 */
import { IFCGEOMETRICREPRESENTATIONCONTEXT, IFCMAPCONVERSION } from 'web-ifc';
import type { Position } from '../../../domain/buildings/outline.ts';
import {
  combined,
  type Motion,
  type PlanReference,
  wholeHundredths,
} from '../../../domain/buildings/plan-reference.ts';
import type { IfcEntity, IfcModel } from './ifc-model.ts';
import { entitiesOf } from './ifc-relations.ts';
import { statedUnitOf } from './ifc-units.ts';
import type { Placements } from './shapes/placements.ts';
import type { ShapeSource } from './shapes/shape-source.ts';
import { IDENTITY, type Transform } from './shapes/transforms.ts';

export interface PlanFrame {
  /** Converts from the project's coordinates in metres. */
  planOf(position: Position): Position;
  /** Degrees counter-clockwise from the plan's x axis to that of a placement. */
  headingOf(placement: Transform): number;
  /** @param survey Survey offset in metres, which was subtracted from plans. */
  referenceOf(survey: Position): PlanReference;
  /** Degrees clockwise from +y, 0 to below 360; `null` if the file does not define it. */
  readonly north: number | null;
}

/** @param places The first one with a placement defines the plan's. */
export const planFrame = (
  model: IfcModel,
  source: ShapeSource,
  placements: Placements,
  places: readonly (IfcEntity | null)[],
  site: IfcEntity | null,
  metresPerLength: number,
): PlanFrame => {
  const placement = places.map((place) => place?.reference('ObjectPlacement') ?? null);
  const found = source.shape(() =>
    placements.ofProject(placement.find((id) => id !== null) ?? null),
  );
  const { x, origin } = typeof found === 'string' ? IDENTITY : found;
  const turn = Math.hypot(x[0], x[1]) > 0 ? Math.atan2(x[1], x[0]) : 0;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const [originX, originY] = [origin[0] * metresPerLength, origin[1] * metresPerLength];
  const turned = ([x, y]: Position): Position => [x * cos + y * sin, y * cos - x * sin];
  const north = trueNorth(model, source);
  const project: Motion = { turn, shift: [originX, originY] };
  return {
    planOf: ([px, py]) => turned([px - originX, py - originY]),
    headingOf: ({ x: [hx, hy] }) => degrees(Math.atan2(hy, hx) - turn),
    referenceOf: (survey) => ({
      project: combined(project, { turn: 0, shift: survey }),
      site: siteMotion(source, placements, site, metresPerLength),
      crs: mapMotion(model, source, metresPerLength),
    }),
    north: north && clockwise(turned(north)),
  };
};

/** `null` for an unreadable placement; an absent one is the project's. */
const siteMotion = (
  source: ShapeSource,
  placements: Placements,
  site: IfcEntity | null,
  metresPerLength: number,
): Motion | null => {
  const id = site?.reference('ObjectPlacement') ?? null;
  const placement = source.shape(() => placements.ofProject(id));
  if (typeof placement === 'string') return null;
  const { x, origin } = placement;
  const shift = [origin[0] * metresPerLength, origin[1] * metresPerLength] as const;
  return { turn: Math.atan2(x[1], x[0]), shift };
};

/** By the file's `IfcMapConversion`; `null` if it has none. */
const mapMotion = (
  model: IfcModel,
  source: ShapeSource,
  metresPerLength: number,
): PlanReference['crs'] => {
  const read = source.shape(() => {
    const [id = null] = model.idsOf(IFCMAPCONVERSION);
    const conversion = source.entity(id);
    const target = source.entity(conversion.reference('TargetCRS'));
    const system = target.text('Name');
    const east = conversion.number('Eastings');
    const north = conversion.number('Northings');
    if (system === null || east === null || north === null) return null;
    const metresPerUnit =
      statedUnitOf(model, target, 'LENGTHUNIT', 'MapUnit') ??
      mapUnitByScale(metresPerLength, conversion.number('Scale') ?? 1);
    const turn = Math.atan2(
      conversion.number('XAxisOrdinate') ?? 0,
      conversion.number('XAxisAbscissa') ?? 1,
    );
    const shift = [east * metresPerUnit, north * metresPerUnit] as const;
    return { system, turn, shift };
  });
  return typeof read === 'string' || !read?.shift.every(Number.isFinite) ? null : read;
};

/**
 * Metres in the unit of a map that does not state it: map lengths are the project's lengths times
 * the scale, which includes the scale of the map's grid.
 */
const mapUnitByScale = (metresPerLength: number, scale: number): number => {
  const metres = metresPerLength / scale;
  const isGridScale = (factor: number) => Math.abs(factor - 1) <= GRID_SCALE_MAX;
  return [metresPerLength, 1].find((unit) => isGridScale(metres / unit)) ?? metres;
};

/** Far above that of national grids, 0.0004, and of heights up to 10 km, 0.0016. */
const GRID_SCALE_MAX = 0.01;

/** A direction in the project's coordinates. */
const trueNorth = (model: IfcModel, source: ShapeSource): Position | null => {
  const contexts = entitiesOf(model, model.idsOf(IFCGEOMETRICREPRESENTATIONCONTEXT));
  for (const context of contexts) {
    const id = context.reference('TrueNorth');
    const ratios =
      id === null ? 'unreadable' : source.shape(() => source.entity(id).numbers('DirectionRatios'));
    if (typeof ratios === 'string') continue;
    const [x = Number.NaN, y = Number.NaN] = ratios;
    if (Number.isFinite(x) && Number.isFinite(y) && Math.hypot(x, y) > 0) return [x, y];
  }
  return null;
};

const clockwise = ([x, y]: Position): number => wholeHundredths(degrees(Math.atan2(x, y)));

const degrees = (radians: number): number => (radians * 180) / Math.PI;
