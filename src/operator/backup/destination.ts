/** Whether a database may be restored into: it is empty, or holds an unfinished restore. */
import type { ClientBase } from 'pg';
import { OperatorError } from '../operator-error.ts';
import { BackupRefused } from './refused.ts';
import type { Until } from './until.ts';

type Queryable = Pick<ClientBase, 'query'>;

/** A schema that exists while a restore is unfinished; its comment identifies the restore. */
const MARK = 'atrium_restore';

/** Identifies a restore: the same one may continue, another one is refused. */
export interface RestoreMark {
  readonly backup: string;
  /** An {@link Until} as JSON. */
  readonly until: string | null;
}

/**
 * @returns Whether it holds an unfinished restore of the same backup.
 * @throws {@link BackupRefused} `NOT_EMPTY`, which names what the database holds.
 */
export const isDestination = async (db: Queryable, mark: RestoreMark): Promise<boolean> => {
  const found = await markIn(db);
  if (found !== null) {
    if (found === JSON.stringify(mark)) return true;
    throw new BackupRefused(
      'NOT_EMPTY',
      `another restore into this database is unfinished: repeat ${commandOf(found)}, or create ` +
        'the database anew',
    );
  }
  const { rows } = await db.query<{ schema: string }>(
    `select distinct n.nspname as schema from pg_class as c
     join pg_namespace as n on n.oid = c.relnamespace
     where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
       and c.relkind in ('r', 'p', 'v', 'm', 'S')
       and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  );
  if (rows.length === 0) return false;
  const schemas = rows.map(({ schema }) => schema).join(', ');
  throw new BackupRefused(
    'NOT_EMPTY',
    `the database has tables (${schemas}): restore into a newly created one`,
  );
};

/** Must be called before any other write. Idempotent. */
export const markDestination = async (db: Queryable, mark: RestoreMark): Promise<void> => {
  const text = JSON.stringify(mark).replaceAll("'", "''");
  await db.query(`create schema if not exists ${MARK}; comment on schema ${MARK} is '${text}'`);
};

/** Called when the restore is finished. */
export const unmarkDestination = async (db: Queryable): Promise<void> => {
  await db.query(`drop schema if exists ${MARK}`);
};

/**
 * Called by servers and commands, which would otherwise work on a partly restored database.
 *
 * @throws {@link OperatorError} while a restore into this database is unfinished.
 */
export const refuseUnfinishedRestore = async (db: Queryable): Promise<void> => {
  const found = await markIn(db);
  if (found === null) return;
  throw new OperatorError(
    `a restore into this database was not finished: repeat ${commandOf(found)}`,
  );
};

/** Whether a restore into this database is unfinished. */
export const isBeingRestored = async (db: Queryable): Promise<boolean> =>
  (await markIn(db)) !== null;

/** The command that repeats the restore, without the place and the identity. */
const commandOf = (mark: string): string => {
  if (mark === '') return 'atrium backup restore';
  const { backup, until } = JSON.parse(mark) as RestoreMark;
  const command = `atrium backup restore ${backup}`;
  if (until === null) return command;
  const { position, instant } = JSON.parse(until) as Until;
  return `${command} --until ${position ?? instant}`;
};

const markIn = async (db: Queryable): Promise<string | null> => {
  const { rows } = await db.query<{ mark: string | null }>(
    `select obj_description(oid, 'pg_namespace') as mark from pg_namespace where nspname = $1`,
    [MARK],
  );
  return rows[0] ? (rows[0].mark ?? '') : null;
};
