import { untraced, type Tracing } from '../observe/tracing.ts';
import type { EventStore } from '../log/event-store.ts';
import { tracedLog } from '../log/traced-log.ts';
import { watchedAppends, type WatchedAppends } from '../log/watched-appends.ts';
import { writtenIn, type WrittenVersions } from '../log/written-versions.ts';
import { logWatch, type LogWatch, type LogWatchParts } from './restore-guard.ts';

/** A log that is refused while it is another installation's, or older than the database. */
export interface GuardedLog {
  readonly log: EventStore;
  /** Whether appends succeed. */
  readonly appends: Pick<WatchedAppends, 'ready'>;
  readonly watch: LogWatch;
}

/**
 * The log as every component of a platform gets it, the key check included: guarded, written in the
 * released versions, traced. design.md decision 22.
 */
export interface PlatformLog extends GuardedLog {
  readonly isFinished: true;
}

export interface PlatformLogOptions {
  /** Default: events are written in the versions of this release. */
  readonly versions?: Pick<WrittenVersions, 'asWritten'> | undefined;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing | undefined;
}

export const guardedLog = (parts: LogWatchParts): GuardedLog => {
  const appends = watchedAppends(parts.log);
  const watch = logWatch({ ...parts, log: appends.log });
  return { log: watch.log, appends, watch };
};

export const platformLog = (
  guarded: GuardedLog,
  { versions, tracing = untraced }: PlatformLogOptions = {},
): PlatformLog => {
  const written = versions ? writtenIn(guarded.log, versions) : guarded.log;
  return { ...guarded, log: tracedLog(written, tracing), isFinished: true };
};
