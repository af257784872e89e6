/** Affine transforms of space, as placements and mapped items of an IFC file compose them. */

export type Vector = readonly [x: number, y: number, z: number];

/** Where the three axes and the origin of a coordinate system are in the one around it. */
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

/** `null` of a vector without a direction. */
export const unit = (a: Vector): Vector | null => {
  const length = Math.hypot(...a);
  return length > 0 && Number.isFinite(length) ? times(a, 1 / length) : null;
};

/** A direction, without the origin. */
export const turned = ({ x, y, z }: Transform, [a, b, c]: Vector): Vector =>
  plus(plus(times(x, a), times(y, b)), times(z, c));

export const placed = (transform: Transform, point: Vector): Vector =>
  plus(turned(transform, point), transform.origin);

/** First the inner one, then the outer one. */
export const composed = (outer: Transform, inner: Transform): Transform => ({
  x: turned(outer, inner.x),
  y: turned(outer, inner.y),
  z: turned(outer, inner.z),
  origin: placed(outer, inner.origin),
});

/**
 * The right-handed system of these axes.
 *
 * @returns `null` where they are parallel or have no direction.
 */
export const systemOf = (origin: Vector, axis: Vector, towardsX: Vector): Transform | null => {
  const z = unit(axis);
  const x = z && unit(plus(towardsX, times(z, -dot(towardsX, z))));
  return x && { x, y: cross(z, x), z, origin };
};
