import type { Client } from 'pg';
import { LOCK_OF_NAME } from './locks.ts';

/**
 * Watches how owners beat, by this process's own clock, and ends the connection of one that has
 * not for `silentMaxMs`. Whom to end is read from the lock itself, not from what its holder wrote.
 */
export const silences = (silentMaxMs: number) => {
  const watched = new Map<string, Seen>();
  return {
    /** Looks at the owners of `names` once. Returns the names whose owner was ended. */
    async endSilent(db: Client, names: readonly string[]): Promise<readonly string[]> {
      for (const name of watched.keys()) if (!names.includes(name)) watched.delete(name);
      if (names.length === 0) return [];
      const { rows } = await db.query<Omit<Seen, 'since'>>(
        `select name, pid, epoch, beat
         from unnest($1::text[]) as name
         join pg_locks on ${LOCK_OF_NAME}
         left join ownership.holder using (name)`,
        [names],
      );
      const ended: string[] = [];
      for (const row of rows) {
        const seen = watched.get(row.name);
        if (seen?.pid !== row.pid || seen.epoch !== row.epoch || seen.beat !== row.beat)
          watched.set(row.name, { ...row, since: performance.now() });
        else if (performance.now() - seen.since > silentMaxMs && (await endedOnce(db, seen)))
          ended.push(row.name);
      }
      return ended;
    },
  };
};

interface Seen {
  readonly name: string;
  readonly pid: number;
  readonly epoch: number | null;
  readonly beat: number | null;
  /** Of the monotonic clock of this process. */
  readonly since: number;
}

/** Only if it has still not beaten: it may be this process that slept. */
const endedOnce = async (db: Client, { name, pid, epoch, beat }: Seen): Promise<boolean> => {
  const { rowCount } = await db.query(
    `select pg_terminate_backend(pid)
     from (select $1::text as name) as silent
     join pg_locks on ${LOCK_OF_NAME}
     left join ownership.holder using (name)
     where pid = $2 and epoch is not distinct from $3::bigint
       and beat is not distinct from $4::bigint`,
    [name, pid, epoch, beat],
  );
  return rowCount === 1;
};
