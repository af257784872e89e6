/** The file of a release: `releases/<version>.json`. docs/operating/releases.md, decision 0050. */
import { release } from '../../src/compose.ts';
import { isContracting } from '../../src/engine/postgres/migrate.ts';
import type { EventType } from '../../src/engine/log/codec.ts';
import { migrations } from '../../src/migrations/migrations.ts';
import { isBefore } from '../../src/engine/postgres/release-history.ts';
import { filesOf, text } from './sources.ts';

export interface ReleaseFile {
  readonly version: string;
  /** Written once the next release begins. */
  readonly commit?: string;
  /** The first release that can run on what this one has written, until `releases raise`. */
  readonly backTo: string;
  readonly migrations: readonly string[];
  /** The version in which each type of event is written. */
  readonly events: Readonly<Record<string, number>>;
  /** Where older readers can read it: the oldest version that they may know. */
  readonly readableAs: Readonly<Record<string, number>>;
  /** Where it is written in an older version until `releases raise`: that one. */
  readonly writtenBefore: Readonly<Record<string, number>>;
  readonly readModels: Readonly<Record<string, number>>;
}

type Contents = Omit<ReleaseFile, 'version' | 'commit' | 'backTo'>;

/** The releases there are files of, the oldest first. */
export const releaseFiles = (): readonly ReleaseFile[] =>
  filesOf('releases/*.json')
    .map((path) => JSON.parse(text(path)) as ReleaseFile)
    .toSorted((a, b) => (isBefore(a.version, b.version) ? -1 : 1));

/** The release file as derived from the code. */
export const presentContents = (): Contents => ({
  migrations: Object.keys(migrations),
  events: versionsOf(({ version = 1 }) => version),
  readableAs: versionsOf(({ readableAs }) => readableAs),
  writtenBefore: versionsOf(({ writtenBefore }) => writtenBefore?.version),
  readModels: sorted(release.projections.map(({ name, version }) => [name, version])),
});

/** The oldest of the earlier releases, without a gap, that can run on what `next` writes. */
export const firstToGoBackTo = (
  version: string,
  next: Contents,
  earlier: readonly ReleaseFile[],
): string => {
  const newestFirst = earlier.toReversed();
  const end = newestFirst.findIndex((one) => !canGoBack(one, next));
  const reached = end < 0 ? newestFirst : newestFirst.slice(0, end);
  return reached.at(-1)?.version ?? version;
};

/** A type unknown to the earlier release is refused event by event, and permits the rollback. */
const canGoBack = (earlier: ReleaseFile, next: Contents): boolean => {
  const isReadable = ([type, version]: readonly [string, number]): boolean => {
    const known = earlier.events[type] ?? Infinity;
    const oldest = Math.min(
      version,
      ...[next.readableAs[type], next.writtenBefore[type]].filter(isNumber),
    );
    return oldest <= known;
  };
  const removes = (name: string) => isContracting(name) && !earlier.migrations.includes(name);
  return Object.entries(next.events).every(isReadable) && !next.migrations.some(removes);
};

const isNumber = (value: number | undefined): value is number => value !== undefined;

const versionsOf = (of: (type: EventType) => number | undefined) =>
  sorted(
    [...release.eventTypes].flatMap(([name, type]) => {
      const version = of(type);
      return version === undefined ? [] : [[name, version] as const];
    }),
  );

const sorted = (pairs: readonly (readonly [string, number])[]): Readonly<Record<string, number>> =>
  Object.fromEntries(pairs.toSorted(([a], [b]) => (a < b ? -1 : 1)));
