/** Reads an IFC file's entities for geometry, with bounds against hostile files. */
import { SHAPE_POINTS_MAX, SHAPE_READS_MAX, SHAPES_READS_MAX } from '../../limits.ts';
import {
  UnreadableInstance,
  type CurveRun,
  type ExpressId,
  type IfcEntity,
  type IfcModel,
} from '../ifc-model.ts';
import type { Vector } from './transforms.ts';

/** A shape is incomplete, contradictory or exceeds a bound: a mesh of it would be a guess. */
export class UnreadableShape extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'UnreadableShape';
  }
}

/** A shape of a kind that is not supported here; the library may make a mesh of it. */
export class UnsupportedShape extends UnreadableShape {
  constructor(kind: string) {
    super(kind);
    this.name = 'UnsupportedShape';
  }
}

export interface ShapeSource {
  /** @throws {@link UnreadableShape} if the file lacks it, and beyond the bounds. */
  entity(id: ExpressId | null): IfcEntity;
  /** The runs of a polycurve, with indices from 1; empty if it has none. */
  runsOf(curve: IfcEntity): readonly CurveRun[];
  /** @throws {@link UnreadableShape} if the shape has more than {@link SHAPE_POINTS_MAX}. */
  countPoints(points: number): void;
  /** The result of `read`, which gets its own bounds. */
  shape<Shape>(read: () => Shape): Shape | 'unsupported' | 'unreadable';
  /** Whether a bound of the whole file is reached, so that no further shape is read. */
  isExhausted(): boolean;
}

/** @param endsAtMs Deadline of reading shapes, by `performance.now()`. */
export const shapeSource = (model: IfcModel, endsAtMs: number): ShapeSource => {
  let reads = 0;
  let readsOfShape = 0;
  let points = 0;

  const isExhausted = () => reads > SHAPES_READS_MAX || performance.now() > endsAtMs;

  return {
    entity(id) {
      reads += 1;
      readsOfShape += 1;
      if (readsOfShape > SHAPE_READS_MAX) throw new UnreadableShape('too many instances');
      if (readsOfShape % CLOCK_EVERY_READS === 0 && isExhausted()) {
        throw new UnreadableShape('too late');
      }
      if (id !== null && model.isLarge(id)) throw new UnreadableShape('too many values');
      const entity = id === null ? null : model.entity(id);
      if (!entity) throw new UnreadableShape(`#${id} is missing`);
      return entity;
    },
    runsOf: (curve) => model.runsOf(curve.id),
    countPoints(added) {
      points += added;
      if (points > SHAPE_POINTS_MAX) throw new UnreadableShape('too many points');
    },
    shape(read) {
      if (isExhausted()) return 'unreadable';
      readsOfShape = 0;
      points = 0;
      try {
        return read();
      } catch (error) {
        if (error instanceof UnsupportedShape) return 'unsupported';
        if (error instanceof UnreadableShape || error instanceof UnreadableInstance) {
          return 'unreadable';
        }
        throw error;
      }
    },
    isExhausted,
  };
};

const CLOCK_EVERY_READS = 1_000;

/** The result of `read`; `null` if it throws {@link UnreadableShape}. */
export const readable = <Shape>(read: () => Shape): Shape | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableShape) return null;
    throw error;
  }
};

/** A point of two or three coordinates; the third is 0 by default. */
export const vectorOf = (coordinates: readonly number[]): Vector => {
  const [x = Number.NaN, y = Number.NaN, z = 0] = coordinates;
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(z)) {
    throw new UnreadableShape('a point without finite coordinates');
  }
  return [x, y, z];
};

export const positiveOf = (entity: IfcEntity, attribute: string): number => {
  const value = entity.number(attribute);
  if (value === null || value <= 0) throw new UnreadableShape(`#${entity.id}: ${attribute}`);
  return value;
};

/** @throws {@link UnreadableShape} beyond {@link NESTING_MAX}, which also ends cycles. */
export const deeper = (depth: number): number => {
  if (depth >= NESTING_MAX) throw new UnreadableShape('nested too deeply');
  return depth + 1;
};

/** Nesting of items, curves and operands. */
const NESTING_MAX = 24;
