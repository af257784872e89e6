import { lagOf, NOTHING_PARKED, tableOf } from '../tables.ts';
import type { TableComparison } from '../../engine/projections/rebuild/comparison.ts';
import type { Progress } from '../../engine/consumers/progress.ts';
import type {
  ParkedStream,
  ProjectionRequest,
  ProjectionStatus,
} from '../../engine/projections/read-models.ts';

export const statusTable = (
  all: readonly ProjectionStatus[],
  others: readonly { name: string; version: number; owner: string; position: string | null }[],
): string => {
  const rows = all.map((one) => {
    const { name, version, state, parked, position, work, lastError } = one;
    const note = work ? `${work.kind}: ${rebuildProgress(work.progress)}` : (lastError ?? '');
    return [name, version, state, lagOf(one), parked, position ?? '-', note].map(String);
  });
  const beside = others.map(({ name, version, owner, position }) => {
    const state = owner === 'none' ? 'other release, stopped' : 'other release';
    return [name, String(version), state, '-', '-', position ?? '-', ''];
  });
  const head = ['name', 'version', 'state', 'behind', 'parked', 'position', ''];
  return tableOf([head, ...rows, ...beside]);
};

/** `reading 61 % of 1,000,000, 212,000/s, 2 s left`. */
export const rebuildProgress = (progress: Progress | null): string => {
  if (progress === null) return 'waiting for its turn';
  const { phase, done, total, perSecond, secondsLeft } = progress;
  const counted =
    total === null || total === 0
      ? done.toLocaleString('en')
      : `${Math.floor((done / total) * 100)} % of ${total.toLocaleString('en')}`;
  const left = secondsLeft === null ? '' : `, ${Math.ceil(secondsLeft)} s left`;
  return `${phase} ${counted}, ${perSecond.toLocaleString('en')}/s${left}`;
};

/** The completed share, as a bar of `width` characters. */
export const bar = ({ done, total }: Progress, width: number): string => {
  const filled = total === null || total === 0 ? 0 : Math.min(width, (done / total) * width);
  return `[${'#'.repeat(Math.floor(filled)).padEnd(width, '.')}]`;
};

export const parkedTable = (streams: readonly ParkedStream[]): string =>
  streams.length === 0
    ? NOTHING_PARKED
    : tableOf([
        ['name', 'version', 'stream', 'revision', 'later', 'since', 'why'],
        ...streams.map(({ name, version, stream, revision, skipped, parkedAt, error }) =>
          [name, version, stream, revision, skipped, parkedAt, error].map(String),
        ),
      ]);

/** The outcome of a request, in one or more lines. */
export const outcomeOf = ({ kind, name, stream, state, error, result }: ProjectionRequest) => {
  if (state !== 'done') return `${kind} of ${name}: ${state}${error ? `: ${error}` : ''}`;
  if (kind === 'verify') return verdictOf(name, result as Verdict | null);
  if (kind === 'rebuild') return `${name} was rebuilt, up to ${String(result?.['position'])}`;
  const again = result?.['parkedAgain'] as { revision: number; error: string } | null;
  return again
    ? `${stream} is parked again, at revision ${again.revision}: ${again.error}`
    : `${stream} is not parked any more`;
};

/** The result of a verification. */
export interface Verdict {
  readonly equal: boolean;
  readonly position: string | null;
  readonly tables: readonly TableComparison[];
  readonly parked: { readonly live: number; readonly rebuilt: number };
}

const verdictOf = (name: string, verdict: Verdict | null): string => {
  if (!verdict) return `${name}: unknown`;
  const { equal, tables } = verdict;
  const lines = [...tables.map(tableLine), ...parkedLine(verdict)].map((line) => `  ${line}`);
  return [`${name} ${equal ? 'is' : 'is not'} what the log says`, ...lines].join('\n');
};

/** The differences from the log, one line each. */
export const differencesIn = (verdict: Verdict): readonly string[] => [
  ...verdict.tables.filter(({ different }) => different > 0).map(tableLine),
  ...parkedLine(verdict),
];

const tableLine = ({ table, live, rebuilt, different, first }: TableComparison): string => {
  if (different === 0) return `${table}: ${live.rows} rows, equal`;
  const named = first.map(({ key, what }) => `${what} ${key}`).join('; ');
  return `${table}: ${different} keys differ of ${live.rows} and ${rebuilt.rows}: ${named}`;
};

const parkedLine = ({ parked: { live, rebuilt } }: Verdict): readonly string[] =>
  live === rebuilt ? [] : [`parked: ${live} streams live, ${rebuilt} rebuilt`];
