import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { YieldLease } from '../../consumers/yield-lease.ts';
import { SHAPE_LOOK_MS } from '../../limits.ts';
import { readinessError, type ReadinessError } from '../../observe/readiness-error.ts';
import { schemaOf, type AnyProjection } from '../projection.ts';

/**
 * The definition of a read model's tables as one text: its version, the tables, their columns and
 * keys, but nothing that only makes queries faster. It is stored as the comment of the read model's
 * schema, so that it is dropped and renamed with the tables.
 */
export const shapeOf = ({ version, table, tallies = [] }: AnyProjection): string => {
  const { name, columns, document, key, partitions = null } = table;
  const counts = tallies.map((tally) => [tally.name, Object.entries(tally.columns)]);
  const shape = [version, name, Object.entries(columns), key, partitions?.by ?? null, counts];
  if (document) shape.push(document.column);
  return `atrium:${createHash('sha256').update(JSON.stringify(shape)).digest('hex').slice(0, 32)}`;
};

/** A read model's tables differ from those that this release declares under the same version. */
export class OtherShape extends YieldLease {
  constructor(projection: AnyProjection) {
    super(otherShape([projection]), SHAPE_LOOK_MS);
    this.name = 'OtherShape';
  }
}

/** One line for operators and for readiness. */
export const otherShape = (projections: readonly AnyProjection[]): ReadinessError => {
  const names = projections.map(({ name, version }) => `${name} ${version}`).join(', ');
  return readinessError(
    'read models stand in another shape than this release declares under the same version: ' +
      `${names}; raise the version`,
  );
};

/** Tables without a recorded shape are assumed to be right. */
export const isOtherShape = (noted: string | null | undefined, projection: AnyProjection) =>
  noted?.startsWith('atrium:') === true && noted !== shapeOf(projection);

/** Those of `projections` whose tables have another shape. */
export const inOtherShape = async (
  db: Pick<Pool | PoolClient, 'query'>,
  projections: readonly AnyProjection[],
): Promise<readonly AnyProjection[]> => {
  const { rows } = await db.query<{ schema: string; shape: string | null }>({
    name: 'read model shapes',
    text: `select nspname as schema, obj_description(oid, 'pg_namespace') as shape
           from pg_namespace where nspname = any($1)`,
    values: [projections.map(schemaOf)],
  });
  const shapes = new Map(rows.map(({ schema, shape }) => [schema, shape]));
  return projections.filter((projection) =>
    isOtherShape(shapes.get(schemaOf(projection)), projection),
  );
};

/** Records the shape with the tables in `schema`. */
export const noteShape = (projection: AnyProjection, schema: string): string =>
  `comment on schema ${schema} is '${shapeOf(projection)}'`;
