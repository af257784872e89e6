import type { Pool } from 'pg';
import { checkpoints, type Queryable } from '../../consumers/checkpoints.ts';
import { projectionId, type ConsumerId } from '../../consumers/consumer.ts';
import { schemaOf, type AnyProjection } from '../projection.ts';

/**
 * The name of a read model's shadow, by the epoch of its builder: a former owner that has not
 * noticed can only meet its own shadow.
 */
export const shadowOf = (projection: AnyProjection, epoch: number) => {
  const schema = `${schemaOf(projection)}_shadow_${epoch}`;
  const consumer: ConsumerId = `${projectionId(projection)}+shadow-${epoch}`;
  return {
    schema,
    consumer,
    /** Drops those parts of it that exist. */
    async drop(db: Queryable): Promise<void> {
      await db.query(`drop schema if exists ${schema} cascade`);
      await checkpoints(db).forget(consumer);
    },
  };
};

/**
 * Drops what owners up to `epoch` have left behind. Their connections are ended first: a server may
 * still be building an index for a process that is gone.
 *
 * @returns How many builds were left.
 */
export const sweepShadows = async (
  db: Pool,
  projection: AnyProjection,
  epoch: number,
): Promise<number> => {
  const schemas = `${schemaOf(projection)}_shadow_`;
  const ids = `${projectionId(projection)}+shadow-`;
  const { rows } = await db.query<{ kind: string; name: string; pid: number }>(
    `select 'connection' as kind, application_name as name, pid from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)
     union all
     select 'schema', nspname, 0 from pg_namespace where starts_with(nspname, $2)
     union all
     select 'checkpoint', consumer, 0 from consumers.checkpoint where starts_with(consumer, $3)`,
    [`atrium ${schemas}`, schemas, ids],
  );
  const left = new Set<number>();
  for (const { kind, name, pid } of rows) {
    const builtAt = Number(/[_-](\d+)$/.exec(name)?.[1] ?? Number.NaN);
    if (!(builtAt <= epoch)) continue;
    left.add(builtAt);
    if (kind === 'connection') await db.query('select pg_terminate_backend($1)', [pid]);
  }
  for (const builtAt of left) await shadowOf(projection, builtAt).drop(db);
  return left.size;
};
