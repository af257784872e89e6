/** Affine transforms, as composed by placements and mapped items of an IFC file. */

export type Vector = readonly [x: number, y: number, z: number];

/** The axes and the origin of a coordinate system in its enclosing system. */
export interface Transform {
  readonly x: Vector;
  readonly y: Vector;
  readonly z: Vector;
  readonly origin: Vector;
}

export const IDENTITY: Transform = {
  x: [1, 0, 0],
  y: [0, 1, 0],
  z: [0, 0, 1],
  origin: [0, 0, 0],
};

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

export const times = (a: Vector, factor: number): Vector => [
  a[0] * factor,
  a[1] * factor,
  a[2] * factor,
];

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** `null` for the zero vector. */
export const unit = (a: Vector): Vector | null => {
  const length = Math.hypot(...a);
  return length > 0 && Number.isFinite(length) ? times(a, 1 / length) : null;
};

/** Transforms a direction, ignoring the origin. */
export const turned = ({ x, y, z }: Transform, [a, b, c]: Vector): Vector =>
  plus(plus(times(x, a), times(y, b)), times(z, c));

export const placed = (transform: Transform, point: Vector): Vector =>
  plus(turned(transform, point), transform.origin);

/** Applies the inner transform first, then the outer one. */
export const composed = (outer: Transform, inner: Transform): Transform => ({
  x: turned(outer, inner.x),
  y: turned(outer, inner.y),
  z: turned(outer, inner.z),
  origin: placed(outer, inner.origin),
});

/**
 * The right-handed system with these axes.
 *
 * @returns `null` if they are parallel or zero.
 */
export const systemOf = (origin: Vector, axis: Vector, towardsX: Vector): Transform | null => {
  const z = unit(axis);
  const x = z && unit(plus(towardsX, times(z, -dot(towardsX, z))));
  return x && { x, y: cross(z, x), z, origin };
};
