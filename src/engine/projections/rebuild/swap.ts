import type { Client } from 'pg';
import { CheckpointMoved } from '../../consumers/checkpoints.ts';
import { projectionId } from '../../consumers/consumer.ts';
import { isBusy } from '../../postgres/errors.ts';
import { schemaOf, type AnyProjection } from '../projection.ts';
import type { Shadow } from './shadow-build.ts';
import { statementsOf } from '../apply/table-sql.ts';

/** Streams that are parked in the shadow and not in the live read model, or earlier than there. */
export const newlyParked = async (
  { client, consumer }: Shadow,
  projection: AnyProjection,
): Promise<readonly string[]> => {
  const { rows } = await client.query<{ stream: string }>(
    `select shadow.stream from consumers.parked as shadow
     left join consumers.parked as live on live.consumer = $1 and live.lane = shadow.lane
     where shadow.consumer = $2 and (live.lane is null or shadow.revision < live.revision)
     order by shadow.stream`,
    [projectionId(projection), consumer],
  );
  return rows.map(({ stream }) => stream);
};

/**
 * Replaces the live read model with its shadow, checkpoint and parked streams included, in one
 * transaction.
 *
 * The live tables are locked for it, in the order in which queries read them, so that no query sees
 * one table of the old and one of the new. Readers that come meanwhile wait, and then find the new
 * tables under the old names.
 *
 * @param waitMs How long the locks are waited for.
 * @returns Whether it was done; `false` if the locks were not granted in time.
 * @throws {@link CheckpointMoved} if `epoch` is no longer the owner's; nothing was done.
 */
export const swap = async (
  { client, consumer, statements }: Shadow,
  projection: AnyProjection,
  { epoch, at, waitMs }: { readonly epoch: number; readonly at: string; readonly waitMs: number },
): Promise<boolean> => {
  const live = projectionId(projection);
  const schema = schemaOf(projection);
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${waitMs}`);
    const { rowCount } = await client.query(
      'select from consumers.checkpoint where consumer = $1 and epoch = $2 for update',
      [live, epoch],
    );
    if (rowCount !== 1) throw new CheckpointMoved(live);
    for (const table of await present(client, projection))
      await client.query(`lock table ${table} in access exclusive mode`);
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.query(`alter schema ${statements.schema} rename to ${schema}`);
    await client.query(
      `update consumers.checkpoint as live
       set position = shadow.position, events = shadow.events, caught_up = true,
           updated_at = $3, last_error = null
       from consumers.checkpoint as shadow
       where live.consumer = $1 and shadow.consumer = $2`,
      [live, consumer, at],
    );
    await client.query('delete from consumers.checkpoint where consumer = $1', [consumer]);
    await client.query('delete from consumers.parked where consumer = $1', [live]);
    await client.query('update consumers.parked set consumer = $1 where consumer = $2', [
      live,
      consumer,
    ]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if (isBusy(error)) return false;
    throw error;
  }
};

/** Those of the live tables that exist, totals first. */
const present = async (client: Client, projection: AnyProjection): Promise<readonly string[]> => {
  const { tables } = statementsOf(projection);
  const { rows } = await client.query<{ name: string }>(
    'select name from unnest($1::text[]) as name where to_regclass(name) is not null',
    [tables],
  );
  const existing = new Set(rows.map(({ name }) => name));
  return [...tables.slice(1), tables[0]!].filter((table) => existing.has(table));
};
