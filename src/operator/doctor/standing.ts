/** Checks of the consumers of the log, from their rows in the database. */
import type { Pool } from 'pg';
import {
  compareLog,
  type LogComparison as LogStanding,
} from '../../engine/consumers/restore-detection.ts';
import type { ConsumerStatus } from '../../engine/consumers/runtime.ts';
import {
  appliedMigrations,
  isContracting,
  mustNotBeLeftBehind,
  NewerDatabase,
  newerThan,
} from '../../engine/postgres/migrate.ts';
import { release } from '../../compose.ts';
import { writtenVersions } from '../../engine/log/written-versions.ts';
import { newestRelease } from '../../engine/postgres/release-history.ts';
import { migrations } from '../../migrations/migrations.ts';
import { LAG_MAX_S } from '../../limits.ts';
import { AUDIT_CHAIN_LAG_MAX_S } from '../limits.ts';
import type { ProcessStatus } from '../../engine/control/process-control.ts';
import type { ProjectionStatus } from '../../engine/projections/read-models.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { LogRestored, WrongLog } from '../../engine/log/log-refused.ts';
import { refuseUnfinishedRestore } from '../backup/destination.ts';
import { thisRelease, unreadEventsLine } from '../newer-release.ts';
import { OperatorError } from '../operator-error.ts';
import { failed, judged, none, ok, type Finding } from './check.ts';

export const schemaFinding = async (pool: Pool): Promise<Finding> => {
  const applied = await appliedMigrations(pool);
  if (applied === null) return none('no tables yet; the server makes them when it starts');
  const newer = newerThan(migrations, applied);
  const names = Object.keys(migrations);
  const appliedCount = applied.length - newer.length;
  const pending = names.filter((name) => !applied.includes(name));
  const beside = newer.length === 0 ? '' : `; a newer release has added ${newer.join(', ')}`;
  const missing = pending.length === 0 ? '' : `; a start brings ${pending.join(', ')}`;
  return judged(
    await refusals(pool, newer),
    `${appliedCount} of ${names.length} migrations${missing}${beside}`,
  );
};

/** The reasons for which a start of this release would be refused. */
const refusals = async (pool: Pool, newer: readonly string[]): Promise<readonly string[]> => {
  const newest = await newestRelease(pool);
  const contracting = newer
    .filter(isContracting)
    .map((name) => new NewerDatabase(`migration ${name}`, newest).message);
  const unfinished = await messageOf(refuseUnfinishedRestore(pool), OperatorError);
  const leftBehind = await messageOf(
    mustNotBeLeftBehind(pool, thisRelease(null).version),
    NewerDatabase,
  );
  return [...unfinished, ...leftBehind, ...contracting];
};

/** The message of a check that throws this error; none if it passes. @throws Any other error. */
const messageOf = (
  check: Promise<unknown>,
  expected: abstract new (...given: never[]) => Error,
): Promise<readonly string[]> =>
  check.then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof expected)) throw error;
      return [error.message];
    },
  );

/** Whether the consumers were fed from this log, and this release reads all its events. */
export const sameLogFinding = async (pool: Pool, log: EventStore): Promise<Finding> => {
  const found = sameLogFindingOf(await compareLog(pool, log));
  if (found.status !== 'ok') return found;
  const unread = await unreadEventsLine(writtenVersions(log, release.eventTypes), pool);
  return unread === null ? found : failed(unread);
};

const sameLogFindingOf = (standing: LogStanding): Finding => {
  switch (standing.kind) {
    case 'new':
      return ok('the database has not been fed from a log yet');
    case 'same':
      return ok('the read models are of this log');
    case 'imported':
      return ok('the log was imported; the next start builds the read models from it');
    case 'another':
      return failed(new WrongLog(standing.reason).message);
    case 'restored':
      return failed(new LogRestored(standing.reason).message);
  }
};

export interface Standing {
  readonly projections: readonly ProjectionStatus[];
  readonly processes: readonly ProcessStatus[];
  readonly auditChain: ConsumerStatus;
  /** Tickets that block a change feed. */
  readonly blocked: number;
}

/** @param isServed Whether a server answers, which must then run all projections. */
export const projectionsFinding = (
  projections: readonly ProjectionStatus[],
  isServed: boolean,
): Finding => {
  const wrong = projections.flatMap(({ name, version, state, lagSeconds, lastError }) => {
    const which = `${name} ${version}`;
    const why = lastError === null ? '' : ` (${lastError})`;
    if (state === 'building') return [`${which} is being built${why}`];
    if (state === 'stopped') return isServed ? [`no process feeds ${which}${why}`] : [];
    return lagSeconds > LAG_MAX_S ? [`${which} is ${seconds(lagSeconds)} behind${why}`] : [];
  });
  return judged(wrong, `${projections.length} read models, ${behind(projections)}`);
};

/** @param isServed Whether a server answers, which must then run all processes. */
export const processesFinding = (
  processes: readonly ProcessStatus[],
  isServed: boolean,
): Finding => {
  const wrong = processes.flatMap(({ name, owner, position, lagSeconds, lastError }) => {
    // A consumer that never ran belongs to a role that no process has.
    if (position === null || lagSeconds <= LAG_MAX_S) return [];
    const why = lastError === null ? '' : ` (${lastError})`;
    if (owner !== 'none') return [`${name} is ${seconds(lagSeconds)} behind${why}`];
    return isServed
      ? [`no process runs ${name}, which is ${seconds(lagSeconds)} behind${why}`]
      : [];
  });
  return judged(wrong, `${processes.length} processes and timers, ${behind(processes)}`);
};

export const parkedFinding = ({
  projections,
  processes,
  blocked,
}: Omit<Standing, 'auditChain'>): Finding => {
  const wrong = [
    ...projections
      .filter(({ parked }) => parked > 0)
      .map(({ name, parked }) => `${parked} of ${name}: see atrium projections parked ${name}`),
    ...processes
      .filter(({ parked }) => parked > 0)
      .map(({ name, parked }) => `${parked} of ${name}: see atrium processes parked ${name}`),
    ...(blocked > 0 ? [`${blocked} of the change feed: see atrium feed blocked`] : []),
  ];
  return judged(wrong, 'no stream is parked, no timer is stuck');
};

/** The audit's chains are written in intervals, so that they may lag longer. */
export const auditChainFinding = (
  { checkpoint, owner, seconds: lag }: ConsumerStatus,
  isServed: boolean,
): Finding => {
  if (checkpoint === null) return none('no record has been chained yet');
  const why = checkpoint.lastError === null ? '' : ` (${checkpoint.lastError})`;
  const isStopped = owner === 'none';
  if (isStopped && !isServed) return none(`stopped, ${seconds(lag)} behind`);
  const wrong = [
    ...(isStopped ? [`no process chains the records of keys${why}`] : []),
    ...(lag > AUDIT_CHAIN_LAG_MAX_S ? [`${seconds(lag)} behind${why}`] : []),
  ];
  return judged(wrong, `at most ${seconds(lag)} behind`);
};

const behind = (all: readonly { readonly lagSeconds: number }[]): string =>
  `at most ${seconds(Math.max(0, ...all.map(({ lagSeconds }) => lagSeconds)))} behind`;

const seconds = (count: number): string => `${count.toFixed(1)} s`;
