/** The log compared with the ids acknowledged to writers and seen by readers. */
import type { EventStore, Position } from '../../src/engine/log/event-store.ts';
import { categoriesOf } from './log.ts';
import { allEvents } from '../support/log/all-events.ts';

export interface Verdict {
  readonly round: string;
  readonly acknowledged: number;
  readonly stored: number;
  /** By each reader. */
  readonly read: readonly number[];
  /** Acknowledged and not stored. */
  readonly lost: number;
  /** Stored and never acknowledged: only when a writer was killed before its report. */
  readonly unanswered: number;
  readonly twice: number;
  /** The streams that hold an event twice. */
  readonly twiceIn: readonly string[];
  /** Missing revisions of streams, and events that a reader has missed or has seen out of order. */
  readonly holes: number;
  readonly holds: boolean;
}

/** The verdict on one round, after `after`. `killed`: killed writers may lack a final report. */
export const verdictOf = async (
  log: EventStore,
  {
    name,
    round,
    after,
    killed,
  }: {
    readonly name: string;
    readonly round: string;
    readonly after: Position | null;
    readonly killed: boolean;
  },
  acknowledged: readonly string[],
  readers: readonly (readonly string[])[],
): Promise<Verdict> => {
  const stored: string[] = [];
  const seen = new Set<string>();
  const twiceIn: string[] = [];
  const revisions = new Map<string, number>();
  let holes = 0;
  const events = await allEvents(log, { categories: categoriesOf(round) }, after);
  for (const { id, stream, revision } of events) {
    stored.push(id);
    if (seen.has(id)) twiceIn.push(`${stream} at ${revision}`);
    seen.add(id);
    if (revision !== (revisions.get(stream) ?? -1) + 1) holes += 1;
    revisions.set(stream, revision);
  }
  const answered = new Set(acknowledged);
  for (const ids of readers) {
    for (let place = 0; place < Math.max(ids.length, stored.length); place += 1)
      if (ids[place] !== stored[place]) holes += 1;
  }
  const lost = acknowledged.filter((id) => !seen.has(id)).length;
  const unanswered = stored.filter((id) => !answered.has(id)).length;
  const twice = stored.length - seen.size + (acknowledged.length - answered.size);
  return {
    round: name,
    acknowledged: answered.size,
    stored: stored.length,
    read: readers.map(({ length }) => length),
    lost,
    unanswered,
    twice,
    twiceIn,
    holes,
    holds:
      stored.length > 0 && lost === 0 && twice === 0 && holes === 0 && (killed || unanswered === 0),
  };
};

const columns = ['acknowledged', 'stored', 'read', 'lost', 'unanswered', 'twice', 'holes'] as const;

/** One line a round. */
export const tableOf = (verdicts: readonly Verdict[]): string => {
  const rows = [
    ['round', ...columns, 'verdict'],
    ...verdicts.map((verdict) => [
      verdict.round,
      ...columns.map((column) => String(verdict[column])),
      verdict.holds ? 'holds' : 'BROKEN',
    ]),
  ];
  const widths = rows[0]!.map((_, place) => Math.max(...rows.map((row) => row[place]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place]!))
      .join('  ')
      .trimEnd(),
  );
  const twice = verdicts.flatMap(({ twiceIn }) => twiceIn.map((where) => `twice: ${where}`));
  return [...lines, ...twice].join('\n');
};
