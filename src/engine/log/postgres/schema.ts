import { createHash } from 'node:crypto';
import { Client, type ClientBase, type ClientConfig } from 'pg';
import { endConnection } from '../../postgres/end-connection.ts';
import { clientConfig } from '../../postgres/pool.ts';
import { isRoleRefused, unlistened } from './connection.ts';

/**
 * The tables and functions of the log in Postgres. The login that prepares the log owns them; the
 * platform's sessions assume one of two roles that cannot log in and have no other rights:
 * `atrium_log` reads and appends, `atrium_log_retention` deletes whole streams. So the database,
 * and not convention, keeps the log append-only.
 */
export const LOG_ROLE = 'atrium_log';
export const RETENTION_ROLE = 'atrium_log_retention';

/** Outcomes of `append`, one per request. */
export const STORED = 0;
export const WRONG_REVISION = 1;
export const REPEATED = 2;
export const GUARD_MOVED = 3;
export const ID_TAKEN = 4;

/** The argument of `append` for an expectation or a guard without a revision. */
export const NO_STREAM = -1;
export const ANY_REVISION = -2;

/**
 * A session plans a function once, often on an empty log, and keeps the plan while the log grows:
 * so every query of the log uses an index, whatever size the planner assumes.
 */
const BY_INDEX_ALONE = `set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off`;

/** The sessions of the log's login could change stored events. */
export class LogNotSeparated extends Error {
  constructor(login: string) {
    super(
      `the event log is not protected from the login ${login}, which may not make or take its ` +
        `roles: as a superuser of the database server, create role ${LOG_ROLE} nologin; ` +
        `create role ${RETENTION_ROLE} nologin; (those that are missing) ` +
        `grant ${LOG_ROLE}, ${RETENTION_ROLE} to "${login}";`,
    );
    this.name = 'LogNotSeparated';
  }
}

/**
 * Creates the log in the database at `url`: schema, table, functions, roles and grants. Idempotent,
 * also for several processes at once. A dump that was restored where the roles were missing has
 * lost the grants: they are made again.
 *
 * @param schema Default `es`: a lower-case identifier.
 * @param deadlines Default: those of the pool, because its statements take longer than a call of
 *   the log.
 * @throws {@link LogNotSeparated} if the sessions of this login could write past `append`.
 * @throws Errors of Postgres, such as for a role that may not create a schema; and one that
 *   `isUnreachable` knows, if Postgres does not answer in time.
 */
export async function prepareLog(
  url: string,
  schema = 'es',
  deadlines: Pick<ClientConfig, 'connectionTimeoutMillis' | 'query_timeout'> = {},
): Promise<void> {
  checkSchema(schema);
  const client = unlistened(new Client({ ...clientConfig(url, 'atrium prepare'), ...deadlines }));
  await client.connect();
  try {
    const version = logVersion(schema);
    const isDone = async () =>
      (await commentOf(client, schema)) === version && (await isGranted(client, schema));
    if (await isDone()) {
      await checkSeparation(client, schema);
      return;
    }
    await makeRoles(client);
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${LOCK_CLASS}, hashtext($1))`, [
      `prepare ${schema}`,
    ]);
    if (!(await isDone())) {
      await client.query(ddl(schema));
      await client.query(`comment on schema ${schema} is '${version}'`);
    }
    await client.query('commit');
    await checkSeparation(client, schema);
  } finally {
    await endConnection(client);
  }
}

/** A fingerprint of what {@link prepareLog} creates. */
export const logVersion = (schema = 'es'): string =>
  `atrium log ${createHash('sha256').update(ddl(schema)).digest('hex')}`;

/** Identifiers cannot be parameters, so only plain ones are accepted. */
export const checkSchema = (schema: string): void => {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) throw new TypeError(`not a schema name: ${schema}`);
};

/** 'atri' in ASCII: the first half of every advisory lock the log takes. */
const LOCK_CLASS = 0x61747269;

/** The {@link logVersion} that {@link prepareLog} has made in a database; `null`: none. */
export const preparedLogVersion = (
  db: Pick<ClientBase, 'query'>,
  schema = 'es',
): Promise<string | null> => commentOf(db, schema);

const commentOf = async (
  client: Pick<ClientBase, 'query'>,
  schema: string,
): Promise<string | null> => {
  const { rows } = await client.query<{ comment: string | null }>(
    `select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1`,
    [schema],
  );
  return rows[0]?.comment ?? null;
};

/** Whether the two roles exist and have their rights. */
const isGranted = async (client: Client, schema: string): Promise<boolean> => {
  const { rows } = await client.query<{ granted: boolean }>(
    `select count(*) = 2 and coalesce(bool_and(
       has_schema_privilege(r.oid, n.oid, 'usage')
       and has_function_privilege(r.oid, p.oid, 'execute')
       and (r.rolname <> $2 or has_table_privilege(r.oid, format('%I.event', $1::text), 'select'))
     ), false) as granted
     from pg_namespace as n
     join pg_roles as r on r.rolname in ($2::text, $3::text)
     join pg_proc as p on p.pronamespace = n.oid
       and p.proname = case r.rolname when $2 then 'append' else 'delete_stream' end
     where n.nspname = $1::text`,
    [schema, LOG_ROLE, RETENTION_ROLE],
  );
  return rows[0]!.granted;
};

/**
 * The reason why {@link prepareLog} would refuse the login of `db`, or `null`. Changes nothing.
 *
 * @param schema `null`: of a log that the login is to make. Default `es`.
 * @throws Errors of Postgres, such as for a login that may not use the schema.
 */
export const separationFault = async (
  db: Pick<ClientBase, 'query'>,
  schema: string | null = 'es',
): Promise<LogNotSeparated | null> => {
  const { login, writes, mayTakeRole } = await rightsOf(db, schema);
  return writes && !mayTakeRole ? new LogNotSeparated(login) : null;
};

interface Rights {
  readonly login: string;
  /** It could change stored events; also true of a log that it is to make, and will own. */
  readonly writes: boolean;
  /** It may assume the log's role, or create or grant it to itself. */
  readonly mayTakeRole: boolean;
}

/** From Postgres 16 on a role is granted by its admins, before by every login with CREATEROLE. */
const rightsOf = async (db: Pick<ClientBase, 'query'>, schema: string | null): Promise<Rights> => {
  const { rows } = await db.query<Rights>(
    `select me.rolname as login,
       coalesce(has_table_privilege(to_regclass($1), 'insert, update, delete, truncate'), true)
         as writes,
       me.rolsuper or case
         when role.oid is null then me.rolcreaterole
         when current_setting('server_version_num')::int < 160000
           then me.rolcreaterole or pg_has_role(role.oid, 'member')
         else pg_has_role(role.oid, 'set, member with admin option')
       end as "mayTakeRole"
     from pg_roles as me left join pg_roles as role on role.rolname = $2
     where me.rolname = current_user`,
    [schema === null ? null : `${schema}.event`, LOG_ROLE],
  );
  return rows[0]!;
};

/**
 * A login that may assume the log's role does so in each of its sessions. One that may not is no
 * danger if it has no more rights than the role.
 */
const checkSeparation = async (client: Client, schema: string): Promise<void> => {
  const { login, writes } = await rightsOf(client, schema);
  if (!writes) return;
  try {
    await client.query(`set role ${LOG_ROLE}`);
    await client.query('reset role');
  } catch (error) {
    if (isRoleRefused(error)) throw new LogNotSeparated(login);
    throw error;
  }
};

/**
 * Roles belong to the cluster, and its other databases may create them at the same moment: hence
 * the handlers. A login that may not create missing roles is refused.
 */
const makeRoles = (client: Client) =>
  client.query(`
    do $$
    declare name text;
    begin
      foreach name in array array['${LOG_ROLE}', '${RETENTION_ROLE}'] loop
        if not exists (select from pg_roles where rolname = name) then
          begin
            execute format('create role %I nologin', name);
          exception when duplicate_object or unique_violation or insufficient_privilege then null;
          end;
        end if;
        begin
          execute format('set local role %I', name);
          reset role;
        exception
          when insufficient_privilege then
            begin
              execute format('grant %I to current_user', name);
            exception when others then null;
            end;
          when invalid_parameter_value then null;
        end;
      end loop;
    end $$`);

const ddl = (schema: string): string => `
create schema if not exists ${schema};

-- Positions are dense from 1 in the order of commit, revisions dense from 0 in each stream.
-- json, not jsonb: it keeps the bytes, takes \\u0000 and is cheaper to read.
create table if not exists ${schema}.event (
  position bigint primary key,
  revision bigint not null,
  created timestamptz not null default clock_timestamp(),
  id uuid not null,
  stream text collate "C" not null,
  type text collate "C" not null,
  data json not null,
  meta json not null,
  constraint event_stream_revision unique (stream, revision),
  constraint event_id unique (id)
);

-- One row: nothing above up_to was ever removed, so above it the positions have no hole.
create table if not exists ${schema}.watermark (
  single boolean primary key default true check (single),
  up_to bigint not null
);
insert into ${schema}.watermark (up_to) values (0) on conflict do nothing;

-- Closed journals whose last event is still the head of the log.
create table if not exists ${schema}.closing (stream text collate "C" primary key);

-- One row an append, in the order given. See the outcomes in postgres-schema.ts.
-- p_of and p_nth say of each event to which append (from 1) it belongs and at which place (from 1).
create or replace function ${schema}.append(
  p_stream text[], p_expected bigint[], p_n int[], p_guard text[], p_guard_at bigint[],
  p_first uuid[], p_of int[], p_nth int[], p_id uuid[], p_type text[], p_data json[], p_meta json[]
) returns table (outcome int, revision bigint, "position" bigint)
language plpgsql security definer
set search_path = ${schema}, pg_temp
${BY_INDEX_ALONE}
as $append$
#variable_conflict use_column
declare
  base bigint;
  outcomes int[];
  revisions bigint[];
  positions bigint[];
  v_head bigint;
  v_guard bigint;
  v_known bigint;
  v_known_at bigint;
  v_known_stream text;
begin
  perform pg_advisory_xact_lock(${LOCK_CLASS}, hashtext('${schema}'));
  -- A statement of its own: its snapshot is taken after the lock was granted, and so shows every
  -- append that was committed before.
  base := coalesce((select max(e.position) from event e), 0);

  if cardinality(p_stream) = 1 then
    v_head := coalesce((select e.revision from event e where e.stream = p_stream[1]
                        order by e.revision desc limit 1), -1);
    if p_guard[1] is not null then
      v_guard := coalesce((select e.revision from event e where e.stream = p_guard[1]
                           order by e.revision desc limit 1), -1);
    end if;
    -- An append that names the head cannot be a repeat; one that takes any revision may be.
    if p_expected[1] <> v_head then
      select e.revision, e.position, e.stream into v_known, v_known_at, v_known_stream
        from event e where e.id = p_first[1];
    end if;
    if v_known is not null then
      if v_known_stream <> p_stream[1] then
        return query select ${ID_TAKEN}, v_head, 0::bigint;
      elsif p_expected[1] in (${ANY_REVISION}, v_known - 1) and p_n[1] = (
          select count(*) from unnest(p_nth, p_id) k(nth, id) join event e on e.id = k.id
          where e.stream = p_stream[1] and e.revision = v_known + k.nth - 1) then
        return query select ${REPEATED}, e.revision, e.position from event e
          where e.stream = p_stream[1] and e.revision = v_known + p_n[1] - 1;
      else
        return query select ${WRONG_REVISION}, v_head, 0::bigint;
      end if;
    elsif v_guard is distinct from p_guard_at[1] then
      return query select ${GUARD_MOVED}, v_guard, 0::bigint;
    elsif p_expected[1] not in (${ANY_REVISION}, v_head) then
      return query select ${WRONG_REVISION}, v_head, 0::bigint;
    else
      if p_n[1] = 1 then
        insert into event (position, revision, id, stream, type, data, meta)
        values (base + 1, v_head + 1, p_id[1], p_stream[1], p_type[1], p_data[1], p_meta[1]);
      else
        insert into event (position, revision, id, stream, type, data, meta)
        select base + a.nth, v_head + a.nth, a.id, p_stream[1], a.type, a.data, a.meta
        from unnest(p_nth, p_id, p_type, p_data, p_meta) a(nth, id, type, data, meta);
      end if;
      return query select ${STORED}, v_head + p_n[1], base + p_n[1];
    end if;
    return;
  end if;

  -- Arrays by append, so that the insert below needs no join.
  select array_agg(p.outcome order by p.i),
         array_agg(case when p.outcome = ${GUARD_MOVED} then p.guard_head
                        when p.outcome = ${REPEATED} then p.known + p.n - 1
                        when p.outcome = ${STORED} then p.head + p.before else p.head end
                   order by p.i),
         array_agg(base + p.skip order by p.i)
    into outcomes, revisions, positions
  from (
    select j.*,
      sum(case when j.outcome = ${STORED} then j.n else 0 end) over (order by j.i) - j.n as skip,
      -- Several appends to one stream stand in a batch only if all of them take any revision.
      coalesce(sum(case when j.outcome = ${STORED} then j.n else 0 end) over (
        partition by j.stream order by j.i
        rows between unbounded preceding and 1 preceding), 0) as before
    from (
      select q.*, case
        when q.known is not null and q.known_stream <> q.stream then ${ID_TAKEN}
        when q.known is not null then case
          when q.expected in (${ANY_REVISION}, q.known - 1) and (q.n = 1 or q.n = (
            select count(*) from unnest(p_of, p_nth, p_id) k("of", nth, id)
              join event e on e.id = k.id
            where k."of" = q.i and e.stream = q.stream and e.revision = q.known + k.nth - 1))
          then ${REPEATED} else ${WRONG_REVISION} end
        when q.guard_head is distinct from q.guard_at then ${GUARD_MOVED}
        when q.expected not in (${ANY_REVISION}, q.head) then ${WRONG_REVISION}
        else ${STORED} end as outcome
      from (
        select r.i::int as i, r.stream, r.expected, r.n, r.guard_at,
          coalesce(h.revision, -1) as head,
          case when r.guard is not null then coalesce(g.revision, -1) end as guard_head,
          k.revision as known, k.stream as known_stream
        from unnest(p_stream, p_expected, p_n, p_guard, p_guard_at, p_first) with ordinality
          as r(stream, expected, n, guard, guard_at, first, i)
        left join lateral (
          select e.revision from event e where e.stream = r.stream
          order by e.revision desc limit 1) h on true
        left join lateral (
          select e.revision from event e where e.stream = r.guard
          order by e.revision desc limit 1) g on true
        -- As above: what names the head is no repeat.
        left join lateral (
          select e.revision, e.stream from event e
          where e.id = r.first and r.expected <> coalesce(h.revision, -1)) k on true
      ) q
    ) j
  ) p;

  if ${STORED} = any (outcomes) then
    insert into event (position, revision, id, stream, type, data, meta)
    select positions[a."of"] + a.nth, revisions[a."of"] + a.nth,
           a.id, p_stream[a."of"], a.type, a.data, a.meta
    from unnest(p_of, p_nth, p_id, p_type, p_data, p_meta) a("of", nth, id, type, data, meta)
    where outcomes[a."of"] = ${STORED};
  end if;

  return query
    select a.outcome,
      case when a.outcome = ${STORED} then a.revision + a.n else a.revision end,
      case when a.outcome = ${STORED} then a.position + a.n
           when a.outcome = ${REPEATED} then (select e.position from event e
             where e.stream = a.stream and e.revision = a.revision)
           else 0 end
    from unnest(outcomes, revisions, positions, p_n, p_stream) with ordinality
      as a(outcome, revision, position, n, stream, i)
    order by a.i;
end $append$;

-- Appends of one event each, as nearly all are: those that hold are stored, in the order given, and
-- answered by their event. Whatever is not is asked again of append, which says why; an event that
-- is there already fails the call. So none of what is rare is looked for in each of them.
create or replace function ${schema}.append_each(
  p_stream text[], p_expected bigint[], p_guard text[], p_guard_at bigint[],
  p_id uuid[], p_type text[], p_data json[], p_meta json[]
) returns table (id uuid, revision bigint, "position" bigint)
language plpgsql security definer
set search_path = ${schema}, pg_temp
${BY_INDEX_ALONE}
as $append_each$
#variable_conflict use_column
declare
  base bigint;
begin
  perform pg_advisory_xact_lock(${LOCK_CLASS}, hashtext('${schema}'));
  -- A statement of its own, as in append.
  base := coalesce((select max(e.position) from event e), 0);
  return query
    insert into event as stored (position, revision, id, stream, type, data, meta)
    select base + row_number() over (order by q.i),
           q.head + row_number() over (partition by q.stream order by q.i),
           q.id, q.stream, q.type, q.data, q.meta
    from (
      select r.*, coalesce((select e.revision from event e where e.stream = r.stream
                            order by e.revision desc limit 1), -1) as head
      from unnest(p_stream, p_expected, p_guard, p_guard_at, p_id, p_type, p_data, p_meta)
        with ordinality as r(stream, expected, guard, guard_at, id, type, data, meta, i)
      where r.guard is null or r.guard_at =
        coalesce((select e.revision from event e where e.stream = r.guard
                  order by e.revision desc limit 1), -1)
    ) q
    where q.expected in (${ANY_REVISION}, q.head)
    returning stored.id, stored.revision, stored.position;
end $append_each$;

-- Removes below the last event of the stream. The head of the log is the last event of its own
-- stream, so it is never touched.
create or replace function ${schema}.truncate_stream(p_stream text, p_before bigint)
returns void language plpgsql security definer
set search_path = ${schema}, pg_temp
as $truncate$
begin
  with gone as (
    delete from event e where e.stream = p_stream and e.revision < least(
      p_before, (select max(l.revision) from event l where l.stream = p_stream))
    returning e.position)
  update watermark set up_to = greatest(up_to, (select max(g.position) from gone g))
  where exists (select from gone);
end $truncate$;

-- Removes the stream but for the head of the log, from which the next position is derived; that
-- one goes with a later call, once another event has followed. Answers whether any are waiting.
create or replace function ${schema}.delete_stream(p_stream text)
returns boolean language plpgsql security definer
set search_path = ${schema}, pg_temp
as $delete$
begin
  if p_stream is not null then
    insert into closing (stream) values (p_stream) on conflict do nothing;
  end if;
  with gone as (
    delete from event e using closing c where e.stream = c.stream
      and e.position < (select max(h.position) from event h)
    returning e.position)
  update watermark set up_to = greatest(up_to, (select max(g.position) from gone g))
  where exists (select from gone);
  delete from closing c where not exists (select from event e where e.stream = c.stream);
  return exists (select from closing);
end $delete$;

revoke all on schema ${schema} from public;
revoke all on all tables in schema ${schema} from public;
revoke all on all functions in schema ${schema} from public;
do $grants$
begin
  if exists (select from pg_roles where rolname = '${LOG_ROLE}') then
    grant usage on schema ${schema} to ${LOG_ROLE};
    grant select on ${schema}.event, ${schema}.watermark to ${LOG_ROLE};
    grant execute on function ${schema}.append, ${schema}.append_each to ${LOG_ROLE};
  end if;
  if exists (select from pg_roles where rolname = '${RETENTION_ROLE}') then
    grant usage on schema ${schema} to ${RETENTION_ROLE};
    grant execute on function ${schema}.truncate_stream, ${schema}.delete_stream
      to ${RETENTION_ROLE};
  end if;
end $grants$;
`;
