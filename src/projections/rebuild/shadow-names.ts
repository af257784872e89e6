import type { Pool } from 'pg';
import { schemaOf, type AnyProjection } from '../projection.ts';
import type { Queryable } from '../apply/writer.ts';

/**
 * What stands beside a read model, by the epoch of the owner that builds it: whoever was owner
 * before, and has not noticed, can only meet what it has made itself.
 */
export const besideNames = (projection: AnyProjection, epoch: number) => {
  const { name, version } = projection;
  const schema = `${schemaOf(projection)}_next_${epoch}`;
  const checkpoint = `${name}+next-${epoch}`;
  return {
    schema,
    checkpoint,
    /** Drops all of it that there is. */
    async drop(db: Queryable) {
      await db.query(`drop schema if exists ${schema} cascade`);
      await forget(db, checkpoint, version);
    },
  };
};

const forget = async (db: Queryable, checkpoint: string, version: number) => {
  for (const table of ['checkpoint', 'parked'])
    await db.query(`delete from projections.${table} where name = $1 and version = $2`, [
      checkpoint,
      version,
    ]);
};

/**
 * Drops what owners up to `epoch` have left behind beside `projection`. Their connections are ended
 * first: a server may still be building an index for a process that is gone.
 */
export const sweepBeside = async (
  db: Pool,
  projection: AnyProjection,
  epoch: number,
): Promise<number> => {
  const prefix = `${schemaOf(projection)}_next_`;
  const mine = `${projection.name}+next-`;
  const { rows } = await db.query<{ kind: string; name: string; pid: number }>(
    `select 'connection' as kind, application_name as name, pid from pg_stat_activity
     where datname = current_database() and starts_with(application_name, $1)
     union all
     select 'schema', nspname, 0 from pg_namespace where starts_with(nspname, $2)
     union all
     select 'checkpoint', name, 0 from projections.checkpoint
     where starts_with(name, $3) and version = $4`,
    [`atrium ${prefix}`, prefix, mine, projection.version],
  );
  const left = new Set<number>();
  for (const { kind, name, pid } of rows) {
    const its = Number(/[_-](\d+)$/.exec(name)?.[1] ?? Number.NaN);
    if (!(its <= epoch)) continue;
    left.add(its);
    if (kind === 'connection') await db.query('select pg_terminate_backend($1)', [pid]);
  }
  for (const its of left) await besideNames(projection, its).drop(db);
  return left.size;
};
