import type { Pool } from 'pg';
import { hasEnded, processIdentity, type ProcessIdentity } from '../observe/process-identity.ts';
import type { Queryable } from './checkpoints.ts';

export type Owner = 'this' | 'other' | 'none';

export interface AcquiredLease {
  readonly name: string;
  readonly epoch: number;
}

/** The current holder of a name. */
export interface Holder {
  readonly isThis: boolean;
  /** The address of its process for other processes; `null`: unknown. */
  readonly address: string | null;
}

interface LeaseRowsOptions {
  /** Identifies this platform; generated at each start. */
  readonly holder: string;
  readonly silentMaxMs: number;
  readonly address: string | null;
}

/** The process of a heartbeat; its identity only where the operating system provides it. */
type HolderProcess = Partial<ProcessIdentity> & { readonly address?: string | null };

/**
 * The statements on heartbeats and leases. The one place outside `src/engine/log` that reads the
 * database's clock: only times of that clock are compared.
 */
export const leaseRows = (db: Pool, { holder, silentMaxMs, address }: LeaseRowsOptions) => {
  const alive = `exists (
    select from consumers.heartbeat as h
    where h.holder = l.holder and ${beatWithin(silentMaxMs)})`;
  const identity = JSON.stringify({ ...processIdentity(), address });
  /** Locked in the order in which {@link take} locks, with which it would deadlock otherwise. */
  const owned = 'select name from consumers.lease where holder = $1';
  const inOrder = 'order by name for update';
  const free = `update consumers.lease as l set holder = null
    from own where l.name = own.name and l.holder = $1`;
  let begun = false;

  /**
   * The heartbeat, and those of `held` that are still this holder's; `null` if the heartbeat was
   * removed. Does not wait for the disk: losing a beat in a server crash is harmless.
   */
  const justBeat = async (held: readonly string[]): Promise<readonly string[] | null> => {
    const { rows } = await db.query<{ beats: number; kept: readonly string[] }>({
      name: 'leases beat',
      text: `with relaxed as (select set_config('synchronous_commit', 'off', true)),
               beat as (
                 update consumers.heartbeat set beat_at = clock_timestamp()
                 from relaxed where holder = $1 returning holder)
             select (select count(*) from beat) as beats, array(
               select name from consumers.lease where holder = $1 and name = any($2)) as kept`,
      values: [holder, held],
    });
    return rows[0]!.beats === 1 ? rows[0]!.kept : null;
  };

  const begin = async () => {
    await db.query(
      `with old as (
         delete from consumers.heartbeat where beat_at < clock_timestamp() - interval '1 hour')
       insert into consumers.heartbeat (holder, beat_at, process)
       values ($1, clock_timestamp(), $2)
       on conflict (holder) do update set beat_at = excluded.beat_at`,
      [holder, identity],
    );
  };

  /** The holders of `names` whose process ran on this machine and has ended. */
  const endedAmong = async (names: readonly string[]): Promise<readonly string[]> => {
    const { rows } = await db.query<{ holder: string; process: HolderProcess | null }>({
      name: 'leases holders',
      text: `select distinct on (h.holder) h.holder, h.process
             from consumers.lease as l join consumers.heartbeat as h using (holder)
             where l.name = any($1) and h.holder <> $2`,
      values: [names, holder],
    });
    return rows.flatMap(({ holder, process }) => (isOver(process) ? [holder] : []));
  };

  /** Durable before it is acknowledged: an epoch must not be reused after a crash. */
  const take = async (names: readonly string[]): Promise<readonly AcquiredLease[]> => {
    if (names.length === 0) return [];
    const ended = await endedAmong(names);
    const { rows } = await db.query<AcquiredLease>({
      name: 'leases take',
      text: `insert into consumers.lease as l (name, holder, epoch)
             select name, $2, 1 from unnest($1::text[]) as name order by name
             on conflict (name) do update set holder = $2, epoch = l.epoch + 1
             where l.holder is null or l.holder = $2 or l.holder = any($3::uuid[]) or not ${alive}
             returning name, epoch`,
      values: [names, holder, ended],
    });
    return rows;
  };

  return {
    /** Acquires `names` from any holder, because an outer lease permits it. */
    async seize(names: readonly string[]): Promise<readonly AcquiredLease[]> {
      const { rows } = await db.query<AcquiredLease>({
        name: 'leases seize',
        text: `insert into consumers.lease as l (name, holder, epoch)
               select name, $2, 1 from unnest($1::text[]) as name order by name
               on conflict (name) do update set holder = $2, epoch = l.epoch + 1
               returning name, epoch`,
        values: [names, holder],
      });
      return rows;
    },

    async holderOf(name: string): Promise<Holder | null> {
      const { rows } = await db.query<{ isThis: boolean; process: HolderProcess | null }>({
        name: 'leases holder',
        text: `select l.holder = $2 as "isThis", h.process
               from consumers.lease as l join consumers.heartbeat as h using (holder)
               where l.name = $1 and ${alive}`,
        values: [name, holder],
      });
      const [found] = rows;
      if (!found || isOver(found.process)) return null;
      return { isThis: found.isThis, address: found.process?.address ?? null };
    },

    /** Removes names that will not be used again. */
    async forget(names: readonly string[]): Promise<void> {
      await db.query('delete from consumers.lease where name = any($1)', [names]);
    },

    /** Sends the heartbeat, acquires the free ones of `names`, and confirms `held`. */
    async beat(
      names: readonly string[],
      held: readonly string[],
    ): Promise<{
      readonly acquired: readonly AcquiredLease[];
      readonly kept: ReadonlySet<string>;
    }> {
      const beaten = begun ? await justBeat(held) : null;
      if (!beaten) await begin();
      begun = true;
      const kept = new Set(beaten ?? (held.length > 0 ? await justBeat(held) : []));
      return { acquired: await take(names), kept };
    },

    async giveUp(names: readonly string[]): Promise<void> {
      await db.query(`with own as (${owned} and name = any($2) ${inOrder}) ${free}`, [
        holder,
        names,
      ]);
    },

    async owners(names: readonly string[]): Promise<ReadonlyMap<string, Owner>> {
      const { rows } = await db.query<{ name: string; owner: Owner }>({
        name: 'leases owners',
        text: `select name, case when l.holder = $2 then 'this' when ${alive} then 'other'
                 else 'none' end as owner
               from unnest($1::text[]) as name left join consumers.lease as l using (name)`,
        values: [names, holder],
      });
      return new Map(rows.map(({ name, owner }) => [name, owner]));
    },

    async end(): Promise<void> {
      if (!begun) return;
      await db.query(
        `with gone as (delete from consumers.heartbeat where holder = $1),
              own as (${owned} ${inOrder}) ${free}`,
        [holder],
      );
    },
  };
};

/** Not in the future either: the database's clock may have been set back since the beat. */
const beatWithin = (silentMaxMs: number): string => {
  const silent = `interval '${silentMaxMs} milliseconds'`;
  return `beat_at between clock_timestamp() - ${silent} and clock_timestamp() + ${silent}`;
};

/** The names of leases with live holders. */
export const holdersAlive = async (db: Queryable, silentMaxMs: number): Promise<string[]> => {
  const { rows } = await db.query<{ name: string; process: HolderProcess | null }>(
    `select name, process from consumers.lease join consumers.heartbeat using (holder)
     where ${beatWithin(silentMaxMs)} order by name`,
  );
  return rows.flatMap(({ name, process }) => (isOver(process) ? [] : [name]));
};

const isOver = (process: HolderProcess | null): boolean => process !== null && hasEnded(process);
