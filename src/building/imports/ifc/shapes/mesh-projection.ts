/** The area of a product's mesh seen from above: the union of its triangles. */
import type { IfcAPI } from 'web-ifc';
import type { Position, Ring } from '../../../../domain/buildings/outline.ts';
import { MESH_TRIANGLES_MAX } from '../../limits.ts';
import type { ExpressId } from '../ifc-model.ts';
import { coveredBy, type Region } from './regions.ts';
import { UnreadableShape } from './shape-source.ts';

/**
 * In metres, in the project's coordinates.
 *
 * @throws {@link UnreadableShape} beyond {@link MESH_TRIANGLES_MAX}, and errors of the library.
 */
export const projectionOf = (api: IfcAPI, model: number, product: ExpressId): Region => {
  const { geometries } = api.GetFlatMesh(model, product);
  const triangles: Ring[] = [];
  for (let at = 0; at < geometries.size(); at += 1) {
    const { geometryExpressID, flatTransformation } = geometries.get(at);
    const geometry = api.GetGeometry(model, geometryExpressID);
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize());
    if (triangles.length + indices.length / 3 > MESH_TRIANGLES_MAX) {
      throw new UnreadableShape('too many triangles');
    }
    for (let corner = 0; corner + 2 < indices.length; corner += 3) {
      const triangle = [0, 1, 2].map((next) =>
        projected(flatTransformation, vertices, indices[corner + next]!),
      );
      if (sizeOf(triangle) > TRIANGLE_SQM_MIN) triangles.push(triangle);
    }
    geometry.delete();
  }
  return coveredBy(triangles);
};

/** Smaller projections, such as that of a wall's side, are ignored. */
const TRIANGLE_SQM_MIN = 1e-6;
/** Position and normal of a vertex. */
const FLOATS_PER_VERTEX = 6;

/** The library turns the y axis up; the plan's y axis is its z axis, backwards. */
const projected = (matrix: readonly number[], vertices: Float32Array, index: number): Position => {
  const at = index * FLOATS_PER_VERTEX;
  const [x, y, z] = [vertices[at]!, vertices[at + 1]!, vertices[at + 2]!];
  const row = (n: number) =>
    matrix[n]! * x + matrix[n + 4]! * y + matrix[n + 8]! * z + matrix[n + 12]!;
  return [row(0), -row(2)];
};

const sizeOf = (triangle: Ring): number => {
  const [[ax, ay], [bx, by], [cx, cy]] = triangle as [Position, Position, Position];
  return Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
};
