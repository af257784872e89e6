/**
 * Whether the log is the one that the database was fed from. A log restored from a backup has the
 * same identity and lacks the events after the backup: checkpoints are past its head, or another
 * event has replaced an acknowledged one.
 */
import type { EventStore, Position, StoredEvent } from '../log/event-store.ts';
import { logTimelines, type Timeline } from '../log/log-identity.ts';
import { importedFrom } from '../log/log-import.ts';
import { readinessError, type ReadinessError } from '../observe/readiness-error.ts';
import type { Queryable } from './checkpoints.ts';

/** An event that was acknowledged to a process as stored. */
export type Witness = Pick<StoredEvent, 'stream' | 'revision' | 'id' | 'position'>;

export type LogComparison =
  /** The database has no recorded log yet: its contents are assumed to belong to this one. */
  | { readonly kind: 'new' }
  | { readonly kind: 'same' }
  /** The events of the log that fed the database were imported into this one. */
  | { readonly kind: 'imported' }
  /** It is empty, or of another identity. */
  | { readonly kind: 'another'; readonly reason: ReadinessError }
  /** The log, or the database with it, was restored from a backup. */
  | { readonly kind: 'restored'; readonly reason: ReadinessError };

export interface CompareLogOptions {
  /**
   * Whether the log is in this database, so that a copy of it in another Postgres cluster is a copy
   * of the log. Default false.
   */
  readonly isLogInDatabase?: boolean;
}

/** The log that the database has recorded as its own. */
export interface NotedLog {
  readonly id: string;
  /** The id of the log's first timeline; `null`: recorded by an older release. */
  readonly origin: string | null;
  readonly cluster: string | null;
  readonly witness: Witness | null;
}

/** Reads only. @throws {@link LogUnavailable}, and errors of the database. */
export const compareLog = async (
  db: Queryable,
  log: EventStore,
  { isLogInDatabase = false }: CompareLogOptions = {},
): Promise<LogComparison> => {
  // In this order: a process that starts beside this one begins a timeline, then records it.
  const noted = await notedLog(db);
  const timelines = await logTimelines(log);
  const present = timelines.at(-1)?.id;
  if (noted && noted.id !== present) return earlierOrAnother(noted, timelines, log);
  const reason =
    (await pastHead(db, log)) ??
    (noted ? await missing(log, noted.witness) : null) ??
    (noted && isLogInDatabase ? await elsewhere(db, noted) : null);
  if (reason !== null) return { kind: 'restored', reason };
  return { kind: noted ? 'same' : 'new' };
};

export const notedLog = async (db: Queryable): Promise<NotedLog | null> => {
  const { rows } = await db.query<NotedLog>({
    name: 'log noted',
    text: 'select id, origin, cluster, witness from consumers.log',
  });
  return rows[0] ?? null;
};

/** Records `id` as the log of the database, and what identifies it. */
export const noteLog = async (
  db: Queryable,
  { id, origin }: Pick<NotedLog, 'id' | 'origin'>,
): Promise<void> => {
  await db.query(
    `insert into consumers.log as l (id, origin, cluster) values ($1, $2, $3)
     on conflict (single) do update
       set id = excluded.id, origin = excluded.origin, cluster = excluded.cluster,
           witness = case when l.id = excluded.id then l.witness end`,
    [id, origin, await clusterId(db)],
  );
};

/** The cluster's own id; `null` where the login may not read it. */
const clusterId = async (db: Queryable): Promise<string | null> => {
  const { rows } = await db.query<{ id: string | null }>(
    `select case when has_function_privilege('pg_control_system()', 'execute')
       then (select system_identifier::text from pg_control_system()) end as id`,
  );
  return rows[0]?.id ?? null;
};

const earlierOrAnother = async (
  noted: NotedLog,
  timelines: readonly Timeline[],
  log: EventStore,
): Promise<LogComparison> => {
  if (timelines.some(({ id }) => id === noted.id))
    return {
      kind: 'restored',
      reason: readinessError('the event log was restored since it fed this database'),
    };
  const isSameOrigin = noted.origin !== null && noted.origin === timelines[0]?.id;
  if (isSameOrigin)
    return {
      kind: 'restored',
      reason: readinessError('the event log is older than its last restore'),
    };
  if ((await importedFrom(log)) === noted.id) return { kind: 'imported' };
  const { events, end } = await log.readAll(null, { limit: 1 });
  const isEmpty = events.length === 0 && end;
  const reason = isEmpty
    ? readinessError('the event log is empty, and it was not when it was used last')
    : readinessError('the event log has another identity than that of this installation');
  return { kind: 'another', reason };
};

const pastHead = async (db: Queryable, log: EventStore): Promise<ReadinessError | null> => {
  const { rows } = await db.query<{ consumer: string; position: Position }>({
    name: 'log positions',
    text: `select consumer, position from consumers.checkpoint
           where position is not null order by consumer`,
  });
  if (rows.length === 0) return null;
  const { position: head } = await log.head();
  const past = rows.filter(({ position }) => log.compare(position, head) > 0);
  const [first] = past;
  if (!first) return null;
  const more = past.length === 1 ? '' : ` (and ${past.length - 1} more)`;
  return readinessError(
    `the event log is older than what was built from it: it ends at ${head ?? 'its beginning'}, ` +
      `and ${first.consumer} has come to ${first.position}${more}`,
  );
};

const missing = async (
  log: EventStore,
  witness: Witness | null,
): Promise<ReadinessError | null> => {
  if (witness === null) return null;
  const { stream, revision, id } = witness;
  const [event] = await log.readStream(stream, { from: revision, limit: 1 });
  // A stream that begins later was truncated, which proves nothing.
  if (event && (event.id === id || event.revision > revision)) return null;
  const found = event ? 'is another event' : 'is no event';
  return readinessError(
    'the event log is older than what was acknowledged: ' +
      `at revision ${revision} of ${stream} there ${found}`,
  );
};

const elsewhere = async (db: Queryable, { cluster }: NotedLog): Promise<ReadinessError | null> => {
  const currentCluster = cluster === null ? null : await clusterId(db);
  if (currentCluster === null || currentCluster === cluster) return null;
  return readinessError(
    'the database, and the event log in it, was restored or copied into another cluster',
  );
};
