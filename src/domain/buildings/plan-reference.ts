/**
 * The origin of the coordinates of a building's plans, so that a second file lines up with the
 * first. Files of one building share project coordinates if their sites have the same placement, or
 * if both map their coordinates to the same coordinate reference system. Otherwise they cannot be
 * compared. contract.md section 6 «model».
 */
import type { ImportDocument, ElementDocument } from './document.ts';
import { COORDINATE_METRES_MAX } from './limits.ts';
import {
  drawingOf,
  outlineOf,
  wholeMillimetres,
  type Drawing,
  type Outline,
  type Position,
} from './outline.ts';

/** A rotation about the vertical axis, then a shift, in metres. */
export interface Motion {
  /** Radians, counter-clockwise. */
  readonly turn: number;
  readonly shift: Position;
}

export interface PlanReference {
  /** From the coordinates of plans to those of the file's project. */
  readonly project: Motion;
  /** From the coordinates of the file's site to those of its project; `null`: not known. */
  readonly site: Motion | null;
  /**
   * From the coordinates of the project to a coordinate reference system; `null`: none. Frames of
   * earlier releases lack it: they have a `map` instead, with other numbers.
   */
  readonly crs: (Motion & { readonly system: string }) | null;
}

/** Applies the inner motion, then the outer one. */
export const combined = (outer: Motion, inner: Motion): Motion => ({
  turn: outer.turn + inner.turn,
  shift: movedPosition(outer, inner.shift),
});

export const movedPosition = ({ turn, shift }: Motion, [x, y]: Position): Position => {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  return [x * cos - y * sin + shift[0], x * sin + y * cos + shift[1]];
};

const inverse = ({ turn, shift: [x, y] }: Motion): Motion => {
  const [back0, back1] = movedPosition({ turn: -turn, shift: [0, 0] }, [x, y]);
  return { turn: -turn, shift: [-back0, -back1] };
};

/**
 * From the plan coordinates of a file to those of the building.
 *
 * @returns `null` where the two cannot be compared.
 */
export const motionBetween = (file: PlanReference, building: PlanReference): Motion | null => {
  const through = (a: Motion, b: Motion) => combined(inverse(b), a);
  if (file.crs && building.crs && file.crs.system === building.crs.system) {
    return through(combined(file.crs, file.project), combined(building.crs, building.project));
  }
  const isSame = file.site && building.site && isNear(through(file.site, building.site));
  return isSame ? through(file.project, building.project) : null;
};

/** Too small to be seen on a plan. */
const isNear = ({ turn, shift }: Motion): boolean =>
  Math.hypot(...shift) <= SAME_PLACE_METRES && Math.abs(Math.sin(turn / 2)) <= SAME_TURN / 2;

const SAME_PLACE_METRES = 0.01;
/** Radians: a centimetre in fifty metres. */
const SAME_TURN = 0.0002;

export interface MovedDocument {
  readonly document: ImportDocument;
  /** Number of shapes and positions that are invalid in the new coordinates and were dropped. */
  readonly left: number;
}

/** The document with its outlines, drawings, positions and north in other coordinates. */
export const movedDocument = (document: ImportDocument, motion: Motion): MovedDocument => {
  if (Math.hypot(...motion.shift) < HALF_MILLIMETRE && Math.abs(Math.sin(motion.turn / 2)) < 1e-9) {
    return { document, left: 0 };
  }
  let left = 0;
  const position = (at: Position): Position => {
    const [x, y] = movedPosition(motion, at);
    return [wholeMillimetres(x), wholeMillimetres(y)];
  };
  const drawn = (outline: Outline): Outline => outline.map((ring) => ring.map(position));
  const checked = <Shape>(found: Shape | string): Shape | undefined => {
    if (typeof found !== 'string') return found;
    left += 1;
    return undefined;
  };
  const moved = mappedShapes(document, {
    outline: (outline) => checked(outlineOf(drawn(outline))),
    drawing: ({ walls, doors, windows }) =>
      checked(
        drawingOf({
          walls: walls.map(drawn),
          doors: doors.map(drawn),
          windows: windows.map(drawn),
        }),
      ),
    position: (at) => {
      const moved = position(at);
      if (moved.every((metres) => Math.abs(metres) <= COORDINATE_METRES_MAX)) return moved;
      left += 1;
      return null;
    },
    north: (degrees) => wholeHundredths(degrees - (motion.turn * 180) / Math.PI),
  });
  return { document: moved, left };
};

const HALF_MILLIMETRE = 0.0005;

/** In hundredths of a degree, from 0 to below 360. */
export const wholeHundredths = (degrees: number): number =>
  (((Math.round(degrees * 100) % 36_000) + 36_000) % 36_000) / 100;

/** The document without outlines, drawings, positions and north. */
export const withoutShapes = (document: ImportDocument): ImportDocument =>
  mappedShapes(document, {
    outline: () => undefined,
    drawing: () => undefined,
    position: () => null,
    north: () => null,
  });

interface ShapeMapping {
  outline(outline: Outline): Outline | undefined;
  drawing(drawing: Drawing): Drawing | undefined;
  position(position: Position): Position | null;
  north(degrees: number): number | null;
}

const mappedShapes = (document: ImportDocument, mapping: ShapeMapping): ImportDocument => {
  const element = (given: ElementDocument): ElementDocument => {
    const { x = null, y = null } = given;
    const position = x === null || y === null ? null : mapping.position([x, y]);
    return { ...given, x: position?.[0], y: position?.[1] };
  };
  const { storeys = [], north = null } = document.building;
  return {
    ...document,
    building: {
      ...document.building,
      north: north === null ? null : mapping.north(north),
      storeys: storeys.map((storey) => ({
        ...storey,
        outline: storey.outline && mapping.outline(storey.outline),
        drawing: storey.drawing && mapping.drawing(storey.drawing),
        elements: storey.elements?.map(element),
        spaces: storey.spaces?.map((space) => ({
          ...space,
          outline: space.outline && mapping.outline(space.outline),
          elements: space.elements?.map(element),
        })),
      })),
    },
  };
};
