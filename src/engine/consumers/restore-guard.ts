/**
 * Compares the log with the state that was fed from it, at start and while the process runs. A log
 * that was restored from a backup must not reissue what was acknowledged, and another
 * installation's log must not be read or written at all.
 */
import type { Pool } from 'pg';
import { transaction } from '../postgres/transaction.ts';
import { LOG_CHECKED_MS, LOG_WITNESS_NOTED_MS } from '../limits.ts';
import { pause } from '../concurrency/backoff.ts';
import type { Logger } from '../observe/logging.ts';
import { readinessError, readinessErrorOf, type Ready } from '../observe/readiness-error.ts';
import { singleFlight } from '../concurrency/single-flight.ts';
import { LogUnavailable, type Appended, type EventStore } from '../log/event-store.ts';
import { currentTimelineId, logTimelines, type Timeline } from '../log/log-identity.ts';
import { channelWith, logWith } from '../log/log-with.ts';
import { adoptLog, lockLog } from './log-change.ts';
import { notedLog, compareLog, type CompareLogOptions, type Witness } from './restore-detection.ts';
import { LogRefused, LogRestored, WrongLog } from '../log/log-refused.ts';

export interface RestoreGuard {
  /** The same log; every read and append is refused with {@link LogRefused} once it is another. */
  readonly log: EventStore;
  /** Aborts when the log turns out to be another while this process runs. */
  readonly changed: AbortSignal;
  /** `true`, or why all work is stopped. */
  ready(): Ready;
  /** Compares the log now. @throws {@link LogRefused}; errors of log and database. */
  check(): Promise<void>;
  /**
   * The timelines of the log that this process started with.
   *
   * @throws {@link LogRefused} in another.
   */
  timelines(): Promise<readonly Timeline[]>;
  /** As `adoptLog`; appends are refused with its error until it succeeds. */
  adopt(): Promise<boolean>;
  /** Compares every {@link LOG_CHECKED_MS} until `signal` aborts or the log is another. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RestoreGuardParts extends CompareLogOptions {
  readonly log: EventStore;
  readonly pool: Pool;
  readonly logger: Logger;
  /** Whether the stream may be deleted: none of its events is evidence of what the log held. */
  readonly isJournal: (stream: string) => boolean;
  /** No other process uses log and database: they are compared only at the start. Default false. */
  readonly isAlone?: boolean;
  /** Whether a restore into the database is unfinished. Default: never. */
  readonly isBeingRestored?: () => Promise<boolean>;
}

export const restoreGuard = (parts: RestoreGuardParts): RestoreGuard => {
  const { log, pool, logger, isJournal, isAlone = false, isBeingRestored } = parts;
  const { channel } = log;
  const changed = new AbortController();
  let refusal: LogRefused | null = null;
  /** The log must be compared before the next append. */
  let isDoubtful = true;
  /** The timeline in which this process has begun. */
  let begun: string | null = null;
  let timelines: readonly Timeline[] = [];
  let latest: Witness | null = null;
  let noted: Witness | null = null;

  const compare = async () => {
    if (changed.signal.aborted) return;
    // First: the tables may not exist yet.
    if (await isBeingRestored?.())
      return refuse(new LogRestored(readinessError('a backup is restored into the database')));
    const standing = await compareLog(pool, log, parts);
    const present = begun === null ? null : await currentTimelineId(log);
    if (standing.kind === 'restored') refuse(new LogRestored(standing.reason));
    else if (standing.kind === 'another') refuse(new WrongLog(standing.reason));
    else if (present !== begun)
      refuse(new LogRestored(readinessError('the event log was restored while this process ran')));
    else refusal = null;
    isDoubtful = false;
  };

  const look = singleFlight(compare);

  const refuse = (reason: LogRefused) => {
    if (refusal?.message !== reason.message) logger.error({}, reason.message);
    refusal = reason;
    // The memory of this process belongs to the former log: only a restart can continue.
    if (begun !== null) changed.abort();
  };

  const isAllowed = async () => {
    try {
      if (isDoubtful) await look();
    } catch (error) {
      // A started process continues while the database is away: an append itself reveals the log.
      if (begun === null) throw new LogUnavailable('not compared with the database yet', error);
      // The call would only wait for its timeout once more.
      if (error instanceof LogUnavailable) throw error;
    }
    if (refusal) throw refusal;
  };

  /** Another server may answer the next call, with an older log. */
  const failed = (error: unknown): never => {
    if (error instanceof LogUnavailable) isDoubtful = true;
    throw error;
  };

  /** Reads cost no comparison while the log is known to be the right one. */
  const allowed = <Result>(call: () => Promise<Result>): Promise<Result> =>
    refusal === null && !isDoubtful
      ? call().catch(failed)
      : isAllowed().then(() => call().catch(failed));

  const saw = (stream: string, id: string, { revision, position, repeated }: Appended) => {
    if (isAlone || repeated || isJournal(stream)) return;
    if (latest === null || log.compare(position, latest.position) > 0)
      latest = { stream, revision, id, position };
  };

  /** Does not wait for the disk: a server crash loses only the latest record. */
  const note = async () => {
    const candidate = latest;
    if (candidate === null || candidate === noted) return;
    await transaction(pool, async (client) => {
      await client.query('set local synchronous_commit = off');
      await lockLog(client);
      const before = await notedLog(client);
      if (!before || before.id !== begun) return;
      if (before.witness && log.compare(before.witness.position, candidate.position) >= 0) return;
      await client.query('update consumers.log set witness = $1', [JSON.stringify(candidate)]);
    });
    noted = candidate;
  };

  const carefully = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      logger.debug({ err: error }, 'the log and the database cannot be compared');
    }
  };

  return {
    log: logWith(log, {
      channel:
        channel &&
        channelWith(
          channel,
          async (...call) => {
            if (refusal) throw refusal;
            return channel.ask(...call).catch(failed);
          },
          isAllowed,
        ),
      async append(stream, expected, events, options) {
        await isAllowed();
        const appended = await log.append(stream, expected, events, options).catch(failed);
        saw(stream, events.at(-1)!.id, appended);
        return appended;
      },
      readStream: (...call) => allowed(() => log.readStream(...call)),
      readAll: (...call) => allowed(() => log.readAll(...call)),
      subscribe: (after, options) =>
        log.subscribe(after, {
          ...options,
          onInterrupted() {
            isDoubtful = true;
            options.onInterrupted?.();
          },
        }),
      truncateStream: (...call) => allowed(() => log.truncateStream(...call)),
      deleteStream: (...call) => allowed(() => log.deleteStream(...call)),
    }),
    changed: changed.signal,
    ready: () => (refusal ? readinessErrorOf(refusal) : true),

    async check() {
      await look();
      if (refusal) throw refusal;
    },

    async timelines() {
      if (refusal) throw refusal;
      return begun === null ? logTimelines(log) : timelines;
    },

    async adopt() {
      try {
        const isAnother = await adoptLog(pool, log, parts);
        timelines = await logTimelines(log);
        begun = timelines.at(-1)?.id ?? null;
        refusal = null;
        isDoubtful = false;
        return isAnother;
      } catch (error) {
        if (error instanceof LogRefused) refuse(error);
        throw error;
      }
    },

    async run(signal) {
      if (isAlone) return;
      const either = AbortSignal.any([signal, changed.signal]);
      for (let round = 1; !either.aborted; round += 1) {
        await pause(LOG_WITNESS_NOTED_MS, either);
        if (!either.aborted && round % ROUNDS_A_CHECK === 0) await carefully(look);
        if (!changed.signal.aborted) await carefully(note);
      }
    },
  };
};

const ROUNDS_A_CHECK = Math.round(LOG_CHECKED_MS / LOG_WITNESS_NOTED_MS);
