import type { Pool } from 'pg';
import type { Queryable } from './checkpoints.ts';
import type { ConsumerId } from './consumer.ts';
import { hasEnded, processIdentity, type ProcessIdentity } from '../observe/process-identity.ts';

/** The release of a process, as registered for other processes. */
export interface RegisteredRelease {
  /** The release's name in its package. */
  readonly name: string;
  readonly roles: readonly string[];
  /** The consumers that it runs, where it holds their leases. */
  readonly runs: readonly ConsumerId[];
  readonly since: string;
  /** False: its log is refused, and it waits for an operator. Absent: an older release. */
  readonly serves?: boolean;
  /** The highest version of each type of event that it reads. */
  readonly reads: Readonly<Record<string, number>>;
}

export interface RunningRelease extends RegisteredRelease {
  readonly isThis: boolean;
}

type Row = Partial<ProcessIdentity> & { readonly release: RegisteredRelease };

/**
 * The statements on registered processes. Each has one heartbeat, whatever leases it holds. Its age
 * is measured by the database's clock, which wrote it.
 *
 * @param holder Identifies this process; generated at each start.
 */
export const releaseRows = (
  db: Pool,
  { holder, silentMaxMs }: { readonly holder: string; readonly silentMaxMs: number },
) => ({
  /** Does not wait for the disk: losing a beat in a server crash is harmless. */
  async beat(release: RegisteredRelease): Promise<void> {
    await db.query({
      name: 'release beat',
      text: `with relaxed as (select set_config('synchronous_commit', 'off', true))
             insert into consumers.heartbeat (holder, beat_at, process)
             select $1, clock_timestamp(), $2 from relaxed
             on conflict (holder) do update set beat_at = excluded.beat_at`,
      values: [holder, JSON.stringify({ ...processIdentity(), release })],
    });
  },

  /** Replaces the registration of this process. */
  async update(release: RegisteredRelease): Promise<void> {
    await db.query(
      `insert into consumers.heartbeat (holder, beat_at, process)
       values ($1, clock_timestamp(), $2)
       on conflict (holder) do update
         set beat_at = excluded.beat_at, process = excluded.process`,
      [holder, JSON.stringify({ ...processIdentity(), release })],
    );
  },

  async end(): Promise<void> {
    await db.query('delete from consumers.heartbeat where holder = $1', [holder]);
  },

  /** The live processes, oldest first. */
  running: () => releasesAlive(db, silentMaxMs, holder),
});

/** @param holder Identifies the calling process. Default: it is not registered. */
export const releasesAlive = async (
  db: Queryable,
  silentMaxMs: number,
  holder: string | null = null,
): Promise<readonly RunningRelease[]> => {
  const { rows } = await db.query<{ isThis: boolean; process: Row }>(
    `select coalesce(holder = $1, false) as "isThis", process from consumers.heartbeat
     where process -> 'release' is not null
       and beat_at > clock_timestamp() - interval '${silentMaxMs} milliseconds'
     order by process -> 'release' ->> 'since', holder`,
    [holder],
  );
  return rows
    .filter(({ process }) => !hasEnded(process))
    .map(({ isThis, process }) => ({ ...process.release, isThis }));
};
