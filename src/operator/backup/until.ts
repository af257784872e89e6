/** The moment up to which a log is restored. */
import { z } from 'zod';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { denseLog } from '../../engine/log/positions.ts';
import { UsageError } from '../operator-error.ts';
import type { Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** Either an event of the log, or a time by the log's clock. */
export type Until =
  | { readonly position: Position; readonly instant: null }
  | { readonly position: null; readonly instant: string };

/** `2026-11-26T10:00:00Z` is a time; {@link backupFor} checks other text as a position. */
export const untilOf = (text: string): Until =>
  z.iso.datetime({ offset: true }).safeParse(text).success
    ? { position: null, instant: new Date(text).toISOString() }
    : { position: text, instant: null };

/**
 * The backup with this id. Default: the newest, or the oldest that reaches `until`, because its
 * database is nearest to that moment.
 *
 * @param manifests Newest first.
 * @param log The configured log; `null`: it is in Postgres.
 * @throws {@link BackupRefused} `NOT_FOUND`, `NOT_COVERED`; {@link UsageError} if `until` is no
 *   position of the log.
 */
export const backupFor = (
  manifests: readonly Manifest[],
  id: string | undefined,
  until: Until | null,
  log: Pick<EventStore, 'compare'> | null,
): Manifest => {
  const named = id === undefined ? manifests : manifests.filter((one) => one.id === id);
  if (named.length === 0)
    throw new BackupRefused(
      'NOT_FOUND',
      id === undefined ? 'there is no backup' : `there is no backup ${id}: see atrium backup list`,
    );
  if (until === null) return named[0]!;
  // A place has backups of both kinds after the log was moved.
  const suitable = named.filter((one) => one.log.isInDatabase === (log === null));
  // The caller refuses a backup of the other kind.
  if (suitable.length === 0) return named[0]!;
  const { compare } = log ?? denseLog;
  if (until.position !== null) checkPosition(until.position, compare);
  const starts = earliestStarts(manifests);
  const reaches = (manifest: Manifest): boolean => {
    if (until.position === null) return starts.get(manifest)! >= until.instant;
    const { position } = manifest.log;
    return position !== null && compare(position, until.position) >= 0;
  };
  const found = suitable.findLast(reaches);
  if (found) return found;
  throw new BackupRefused('NOT_COVERED', 'no backup reaches that moment: restore the newest whole');
};

/**
 * Before this time each log was copied. Where the clock was ahead of it, neither the id nor the end
 * of a backup says when it was started: certainly after the end of the one before it.
 *
 * @param manifests Newest first.
 */
const earliestStarts = (manifests: readonly Manifest[]): ReadonlyMap<Manifest, string> => {
  let next = '';
  const isEndSound = manifests.map(({ finishedAt }) => {
    const isSound = next === '' || finishedAt < next;
    if (isSound) next = finishedAt;
    return isSound;
  });
  const starts = new Map<Manifest, string>();
  let lastEnd = '';
  for (const [at, manifest] of [...manifests.entries()].toReversed()) {
    const { id, finishedAt } = manifest;
    starts.set(manifest, isEndSound[at] && id < finishedAt ? id : lastEnd);
    if (isEndSound[at]) lastEnd = finishedAt;
  }
  return starts;
};

const checkPosition = (position: Position, compare: EventStore['compare']): void => {
  try {
    compare(position, null);
  } catch (error) {
    throw new UsageError(
      `--until: ${position} is neither a time, such as 2026-11-26T10:15:00Z, nor a position of ` +
        'the log, as atrium backup list shows them',
      error,
    );
  }
};
