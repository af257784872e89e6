import type { Client } from 'pg';
import { isBusy } from '../../db/errors.ts';
import { schemaOf, type AnyProjection } from '../projection.ts';
import type { Beside } from './shadow-build.ts';
import { statementsOf } from '../apply/table-sql.ts';
import { CheckpointMoved } from '../apply/writer.ts';

/** Streams that are parked beside and not in the live read model, or earlier than there. */
export const newlyParked = async (
  { client, checkpoint }: Beside,
  { name, version }: AnyProjection,
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ stream: string }>(
    `select next.stream from projections.parked as next
     left join projections.parked as live
       on live.name = $1 and live.version = $3 and live.stream = next.stream
     where next.name = $2 and next.version = $3
       and (live.stream is null or next.revision < live.revision)
     order by next.stream`,
    [name, checkpoint, version],
  );
  return rows.map(({ stream }) => stream);
};

/**
 * Puts what was built beside in the place of the live read model, checkpoint and parked streams
 * with it, in one transaction.
 *
 * The live tables are locked for it, in the order in which queries read them, so that no query sees
 * one table of the old and one of the new. Readers that come meanwhile wait, and then find the
 * new tables under the old names.
 *
 * @param waitMs How long the locks are waited for.
 * @returns Whether it was done; `false` where the locks could not be had in time.
 * @throws {@link CheckpointMoved} if `epoch` is not the owner's any more; nothing was done.
 */
export const swap = async (
  { client, checkpoint, statements }: Beside,
  projection: AnyProjection,
  { epoch, at, waitMs }: { readonly epoch: number; readonly at: string; readonly waitMs: number },
): Promise<boolean> => {
  const { name, version } = projection;
  const schema = schemaOf(projection);
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${waitMs}`);
    const { rowCount } = await client.query(
      `select from projections.checkpoint
       where name = $1 and version = $2 and epoch = $3 for update`,
      [name, version, epoch],
    );
    if (rowCount !== 1) throw new CheckpointMoved(schema);
    for (const table of await present(client, projection))
      await client.query(`lock table ${table} in access exclusive mode`);
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.query(`alter schema ${statements.schema} rename to ${schema}`);
    await client.query(
      `update projections.checkpoint as live
       set position = next.position, applied = next.applied, caught_up = true,
           updated_at = $4, last_error = null
       from projections.checkpoint as next
       where live.name = $1 and live.version = $3 and next.name = $2 and next.version = $3`,
      [name, checkpoint, version, at],
    );
    await client.query('delete from projections.checkpoint where name = $1 and version = $2', [
      checkpoint,
      version,
    ]);
    await client.query('delete from projections.parked where name = $1 and version = $2', [
      name,
      version,
    ]);
    await client.query('update projections.parked set name = $1 where name = $2 and version = $3', [
      name,
      checkpoint,
      version,
    ]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (isBusy(error)) return false;
    throw error;
  }
};

/** Those of the live tables that are there, totals first. */
const present = async (client: Client, projection: AnyProjection): Promise<readonly string[]> => {
  const { tables } = statementsOf(projection);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [tables],
  );
  const there = new Set(rows.map(({ name }) => name));
  return [...tables.slice(1), tables[0]!].filter((table) => there.has(table));
};
