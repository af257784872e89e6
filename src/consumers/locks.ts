import type { Client } from 'pg';

/** An advisory lock is named by a number: that of the column `name`. */
const KEY_OF_NAME = `hashtextextended('atrium/' || name, 0)`;

/** Postgres shows the number of a lock in two halves. For a join of `pg_locks` with `name`. */
export const LOCK_OF_NAME = `
  locktype = 'advisory' and objsubid = 1 and granted
  and database = (select oid from pg_database where datname = current_database())
  and ((classid::bigint << 32) | objid::bigint) = ${KEY_OF_NAME}`;

/** On which those who wait hear that a name was given up. */
export const FREED_CHANNEL = 'atrium_ownership';

/** Takes those of `names` that are free, and raises their epochs. */
export const take = async (
  db: Client,
  names: readonly string[],
): Promise<readonly { name: string; epoch: number }[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select name from (
       select name, pg_try_advisory_lock(${KEY_OF_NAME}) as taken
       from unnest($1::text[]) as name offset 0) as tried
     where taken`,
    [names],
  );
  if (rows.length === 0) return [];
  const raised = await db.query<{ name: string; epoch: number }>(
    `insert into ownership.holder as h (name, epoch, backend, beat)
     select name, 1, pg_backend_pid(), 0 from unnest($1::text[]) as name order by name
     on conflict (name) do update
       set epoch = h.epoch + 1, backend = excluded.backend, beat = 0
     returning name, epoch`,
    [rows.map(({ name }) => name)],
  );
  return raised.rows;
};

/** Shows those who watch that the owner of `names` lives. */
export const beat = async (db: Client, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  await db.query(
    `update ownership.holder set beat = beat + 1
     where name = any($1) and backend = pg_backend_pid()`,
    [names],
  );
};

/** Gives `names` up, and tells those who wait, so that they need not wait for their next look. */
export const giveUp = async (db: Client, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return;
  await db.query(`select pg_advisory_unlock(${KEY_OF_NAME}) from unnest($1::text[]) as name`, [
    names,
  ]);
  await db.query(`select pg_notify('${FREED_CHANNEL}', '')`);
};

/** The names among `names` that are owned, and whether by this connection. */
export const owned = async (
  db: Client,
  names: readonly string[],
): Promise<ReadonlyMap<string, { readonly here: boolean }>> => {
  const { rows } = await db.query<{ name: string; here: boolean }>(
    `select name, bool_or(pid = pg_backend_pid()) as here
     from unnest($1::text[]) as name join pg_locks on ${LOCK_OF_NAME}
     group by name`,
    [names],
  );
  return new Map(rows.map(({ name, here }) => [name, { here }]));
};
