/** The moment up to which a log is restored. */
import type { Position } from '../../engine/log/event-store.ts';
import type { Manifest } from './manifest.ts';
import { BackupRefused } from './refused.ts';

/** Either an event of the log, or a time by the log's clock. */
export type Until =
  | { readonly position: Position; readonly instant: null }
  | { readonly position: null; readonly instant: string };

/** `2026-11-26T10:00:00Z` is a time; any other text is a position. */
export const untilOf = (text: string): Until => {
  if (!/^\d{4}-\d\d-\d\dT/.test(text)) return { position: text, instant: null };
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new BackupRefused('NOT_COVERED', `--until: ${text} is no time`);
  return { position: null, instant: new Date(at).toISOString() };
};

/**
 * The backup with this id. Default: the newest, or the oldest that reaches `until`, because its
 * database is nearest to that moment.
 *
 * @param manifests Newest first.
 * @param compare Orders positions.
 * @throws {@link BackupRefused} `NOT_FOUND`, `NOT_COVERED`.
 */
export const backupFor = (
  manifests: readonly Manifest[],
  id: string | undefined,
  until: Until | null,
  compare: (a: Position, b: Position) => number,
): Manifest => {
  const named = id === undefined ? manifests : manifests.filter((one) => one.id === id);
  if (named.length === 0)
    throw new BackupRefused(
      'NOT_FOUND',
      id === undefined ? 'there is no backup' : `there is no backup ${id}: see atrium backup list`,
    );
  if (until === null) return named[0]!;
  const reaches = ({ log, id: begunAt }: Manifest): boolean =>
    until.position === null
      ? begunAt >= until.instant
      : log.position !== null && compare(log.position, until.position) >= 0;
  const found = named.findLast(reaches);
  if (found) return found;
  throw new BackupRefused('NOT_COVERED', 'no backup reaches that moment: restore the newest whole');
};
