import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LEASE_SILENT_MAX_MS, RELEASE_BEAT_MS } from '../limits.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { Clock } from '../time/clock.ts';
import type { Logger } from '../observe/logging.ts';
import type { NewerReleaseNeeded } from '../log/codec.ts';
import type { ConsumerId } from './consumer.ts';
import { releaseRows, type RunningRelease, type RegisteredRelease } from './release-rows.ts';

export type { RunningRelease } from './release-rows.ts';

/** The type and version of an event that needs a newer release. */
export type NeededFor = Pick<NewerReleaseNeeded, 'type' | 'version'>;

/**
 * The releases that run on one database, and which events each process reads, so that an older one
 * leaves unreadable events to a newer one, and operators see when the last old one has ended.
 * decision 0050.
 */
export interface Releases {
  /** Registers this process. @throws Errors of the database. */
  register(): Promise<void>;
  /**
   * Records that this process has compared the log and serves it.
   *
   * @throws Errors of the database.
   */
  serves(): Promise<void>;
  /** Renews the registration until `signal` aborts, then removes it. */
  keepRegistered(signal: AbortSignal): Promise<void>;
  /** The live processes, this one included. @throws Errors of the database. */
  running(): Promise<readonly RunningRelease[]>;
  /** Whether this release reads the event. */
  reads(needed: NeededFor): boolean;
  /**
   * Whether a live process runs `consumer` and reads the event, which this one does not.
   *
   * @throws Errors of the database.
   */
  isReadElsewhere(needed: NeededFor, consumer: ConsumerId): Promise<boolean>;
}

export interface ReleasesParts extends Omit<RegisteredRelease, 'since' | 'serves'> {
  readonly db: { readonly pool: Pool };
  readonly clock: Clock;
  readonly logger: Logger;
}

export const releases = (parts: ReleasesParts): Releases => {
  const { db, clock, logger, name, roles, runs, reads } = parts;
  const rows = releaseRows(db.pool, { holder: randomUUID(), silentMaxMs: LEASE_SILENT_MAX_MS });
  const since = clock.now();
  let registered: RegisteredRelease = { name, roles, runs, reads, since, serves: false };

  const isReadHere = (needed: NeededFor) => isReadBy(reads, needed);

  return {
    register: () => rows.beat(registered),

    async serves() {
      if (registered.serves) return;
      registered = { ...registered, serves: true };
      await rows.update(registered);
    },

    async keepRegistered(signal) {
      const beat = async () => {
        await rows.beat(registered);
        return RELEASE_BEAT_MS;
      };
      const failed = (error: unknown) =>
        logger.debug({ err: error }, 'this process could not be registered for the other releases');
      await repeat(beat, { signal, failed, pauseMaxMs: RELEASE_BEAT_MS });
      await rows.end().catch((error: unknown) => {
        // If that fails, the registration expires.
        logger.debug({ err: error }, 'the registration was left behind');
      });
    },

    running: () => rows.running(),
    reads: isReadHere,

    async isReadElsewhere(needed, consumer) {
      if (isReadHere(needed)) return false;
      const others = (await rows.running()).filter(({ isThis }) => !isThis);
      return others.some(
        (release) => release.runs.includes(consumer) && isReadBy(release.reads, needed),
      );
    },
  };
};

/** Without registered releases, each platform is the only one. */
export const onlyThisRelease: Pick<Releases, 'reads' | 'isReadElsewhere'> = {
  reads: () => true,
  isReadElsewhere: async () => false,
};

/** The event in a recorded reason, if it needs a newer release; else `null`. */
export const neededIn = (reason: string | null): NeededFor | null => {
  const parts = /does not know the event (\S+) in version (\d+)$/.exec(reason ?? '');
  return parts && { type: parts[1]!, version: Number(parts[2]) };
};

export const isReadBy = (
  reads: Readonly<Record<string, number>>,
  { type, version }: NeededFor,
): boolean => Object.hasOwn(reads, type) && reads[type]! >= version;
