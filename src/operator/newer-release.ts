/** Messages of an older release after a newer one has run. docs/operating/releases.md. */
import { readFileSync } from 'node:fs';
import type { WrittenVersions } from '../engine/log/written-versions.ts';
import { newestRelease, type NotedRelease } from '../engine/postgres/release-history.ts';
import type { Pool } from 'pg';
import manifest from '../../package.json' with { type: 'json' };

/** This release, as recorded in the release history. @throws If `releases/` has no file of it. */
export const thisRelease = (commit: string | null): NotedRelease => {
  const file = new URL(`../../releases/${manifest.version}.json`, import.meta.url);
  const { backTo } = JSON.parse(readFileSync(file, 'utf8')) as { readonly backTo: string };
  return { version: manifest.version, commit, backTo };
};

/**
 * One line if an operator of a newer release has raised events to versions that this one cannot
 * read; `null`: there are none.
 *
 * @throws `LogUnavailable`, and errors of the database.
 */
export const unreadEventsLine = async (
  versions: Pick<WrittenVersions, 'unread'>,
  db: Pool,
): Promise<string | null> => {
  const unread = Object.entries(await versions.unread());
  if (unread.length === 0) return null;
  const newest = await newestRelease(db);
  const named = newest === null ? 'a newer release' : `release ${newest.version}`;
  const types = unread.map(([type, version]) => `${type} ${version}`).join(', ');
  return (
    `NEWER_RELEASE_NEEDED: ${named} writes ${types} in this log, which release ` +
    `${manifest.version} cannot read; what was written since is answered 503: start ${named} ` +
    'again, or restore a backup from before "atrium releases raise"'
  );
};
