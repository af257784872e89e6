/** Geometry of IFC files, written by hand: placements, curves, profiles and solids. */
import { quoted, set, type IfcLines, type IfcShape } from './ifc-files.ts';

/** A number as STEP writes it. */
export const real = (value: number): string =>
  Number.isInteger(value) ? `${value}.` : `${value}`.replace('e', 'E');

const list = (values: readonly number[]): string => set(...values.map(real));

export const point = (file: IfcLines, ...at: readonly number[]): string =>
  file.add('IFCCARTESIANPOINT', list(at));

export const direction = (file: IfcLines, ...to: readonly number[]): string =>
  file.add('IFCDIRECTION', list(to));

interface AxesGiven {
  readonly z?: readonly number[];
  readonly x?: readonly number[];
}

export const axes = (
  file: IfcLines,
  origin: readonly number[],
  { z, x }: AxesGiven = {},
): string => {
  const towards = (given: readonly number[] | undefined) =>
    given ? direction(file, ...given) : '$';
  return origin.length === 2
    ? file.add('IFCAXIS2PLACEMENT2D', point(file, ...origin), towards(x))
    : file.add('IFCAXIS2PLACEMENT3D', point(file, ...origin), towards(z), towards(x));
};

/** Relative to another placement, `$` for none. */
export const placement = (
  file: IfcLines,
  parent: string,
  origin: readonly number[] = [0, 0, 0],
  given: AxesGiven = {},
): string => file.add('IFCLOCALPLACEMENT', parent, axes(file, origin, given));

export const polyline = (file: IfcLines, points: readonly (readonly number[])[]): string =>
  file.add('IFCPOLYLINE', set(...points.map((each) => point(file, ...each))));

/** Closed: the first position is repeated. */
export const closedProfile = (file: IfcLines, points: readonly (readonly number[])[]): string =>
  curveProfile(file, polyline(file, [...points, points[0]!]));

export const curveProfile = (file: IfcLines, curve: string): string =>
  file.add('IFCARBITRARYCLOSEDPROFILEDEF', '.AREA.', '$', curve);

export const rectangle = (file: IfcLines, x: number, y: number, position = '$'): string =>
  file.add('IFCRECTANGLEPROFILEDEF', '.AREA.', '$', position, real(x), real(y));

export const extrusion = (
  file: IfcLines,
  profile: string,
  {
    position = '$',
    towards = [0, 0, 1],
    depth = 3,
  }: { position?: string; towards?: readonly number[]; depth?: number } = {},
): string =>
  file.add('IFCEXTRUDEDAREASOLID', profile, position, direction(file, ...towards), real(depth));

export const representation = (
  file: IfcLines,
  identifier: string,
  type: string,
  items: readonly string[],
): string =>
  file.add('IFCSHAPEREPRESENTATION', '$', quoted(identifier), quoted(type), set(...items));

export const shapeOf = (file: IfcLines, ...representations: readonly string[]): string =>
  file.add('IFCPRODUCTDEFINITIONSHAPE', '$,$', set(...representations));

/** A product at a place, with solids for a body. */
export const bodyAt = (
  file: IfcLines,
  place: string,
  solids: readonly string[],
  type = 'SweptSolid',
): IfcShape => ({
  placement: place,
  representation: shapeOf(file, representation(file, 'Body', type, solids)),
});

export const mappedItem = (file: IfcLines, items: readonly string[], target: string): string => {
  const map = file.add(
    'IFCREPRESENTATIONMAP',
    axes(file, [0, 0, 0]),
    representation(file, 'Body', 'SweptSolid', items),
  );
  return file.add('IFCMAPPEDITEM', map, target);
};
