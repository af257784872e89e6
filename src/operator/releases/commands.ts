/** `atrium releases …`. docs/operating/releases.md. */
import { release } from '../../compose.ts';
import { isReadBy, type RunningRelease } from '../../engine/consumers/releases.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Env } from '../command-logger.ts';
import { onConsumers } from '../open-consumers.ts';
import { OperatorError } from '../operator-error.ts';
import { tableOf } from '../tables.ts';

export interface ReleasesCommand {
  readonly action: 'status' | 'raise';
  /** `raise` only prints the changes that it would make. */
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * Lists the running releases, or raises the written event versions to those of this release.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} if a running release could not read them, and `BadConfiguration`,
 *   each with one line.
 */
export const releasesCommand = ({ action, dryRun, json, env }: ReleasesCommand): Promise<number> =>
  onConsumers(env, async (opened) => {
    const say = (value: unknown, lines: () => string) =>
      process.stdout.write(`${json ? JSON.stringify(value) : lines()}\n`);
    const { releases, versions } = opened;
    const running = await releases.running();
    const toRaise = await versions.toRaise();
    if (action === 'status') {
      say({ items: running, toRaise }, () => statusLines(running, toRaise));
      return 0;
    }
    const behind = running.filter(({ reads }) =>
      Object.entries(toRaise).some(([type, version]) => !isReadBy(reads, { type, version })),
    );
    if (behind.length > 0) throw new OperatorError(stillRunning(behind, toRaise));
    if (!dryRun) await versions.raise(OPERATOR, systemClock.now());
    say({ raised: toRaise, dryRun: dryRun === true }, () => raisedLine(toRaise, dryRun === true));
    return 0;
  });

const statusLines = (
  running: readonly RunningRelease[],
  toRaise: Readonly<Record<string, number>>,
): string => {
  const rows = running.map(({ name, since, roles, reads }) => {
    const unread = Object.entries(release.versionsRead)
      .filter(([type, version]) => !isReadBy(reads, { type, version }))
      .map(([type, version]) => `${type} ${version}`);
    return [name, since, roles.join(', '), unread.join(', ') || '-'];
  });
  const table =
    rows.length === 0
      ? 'no release runs'
      : tableOf([['release', 'since', 'roles', 'cannot read'], ...rows]);
  const waiting = named(toRaise);
  return waiting === ''
    ? table
    : `${table}\nwritten in an older version until "atrium releases raise": ${waiting}`;
};

const raisedLine = (versions: Readonly<Record<string, number>>, dryRun: boolean): string => {
  const raised = named(versions);
  if (raised === '') return 'all events are written in the versions of this release';
  return dryRun ? `would be written from now on: ${raised}` : `written from now on: ${raised}`;
};

const stillRunning = (
  behind: readonly RunningRelease[],
  versions: Readonly<Record<string, number>>,
): string => {
  const names = behind.map(({ name, since }) => `${name} since ${since}`).join('; ');
  return `a release runs that cannot read ${named(versions)}: ${names}; stop it first`;
};

const named = (versions: Readonly<Record<string, number>>): string =>
  Object.entries(versions)
    .map(([type, version]) => `${type} ${version}`)
    .join(', ');

const OPERATOR = { kind: 'system', id: 'atrium releases' } as const;
