/**
 * The releases that have run on a database, so that an older one that is started afterwards can
 * report which is needed, and why. decision 0050.
 */
import type { Pool } from 'pg';
import { isMissingTable } from './errors.ts';

/** A release, as recorded in the databases that it runs on. */
export interface NotedRelease {
  readonly version: string;
  /** The commit of its source; `null`: unknown. */
  readonly commit: string | null;
  /** The first release that can run on a database after this one. */
  readonly backTo: string;
}

/** Records that `release` runs on the database since `at`. Idempotent. */
export const noteRelease = async (
  db: Pool,
  { version, commit, backTo }: NotedRelease,
  at: string,
): Promise<void> => {
  await db.query(
    `insert into migration.release (version, commit, back_to, first_started_at)
     values ($1, coalesce($2, ''), $3, $4) on conflict do nothing`,
    [version, commit, backTo, at],
  );
};

/** The newest release that has run on the database; `null`: none that records itself. */
export const newestRelease = async (db: Pool): Promise<NotedRelease | null> => {
  const noted = await notedReleases(db);
  return noted.reduce<NotedRelease | null>(
    (newest, one) => (newest === null || isBefore(newest.version, one.version) ? one : newest),
    null,
  );
};

const notedReleases = async (db: Pool): Promise<readonly NotedRelease[]> => {
  try {
    const { rows } = await db.query<NotedRelease>(
      `select version, nullif(commit, '') as commit, back_to as "backTo"
       from migration.release order by first_started_at`,
    );
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
};

/** Whether `version` precedes `other`: numbers with dots between them, a missing one is 0. */
export const isBefore = (version: string, other: string): boolean => {
  const [own, others] = [version, other].map((text) => text.split('.').map(Number));
  const at = others!.findIndex((part, index) => (own![index] ?? 0) !== part);
  return at >= 0 && (own![at] ?? 0) < others![at]!;
};
