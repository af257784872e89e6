/** Reports on the table of `ticketReports`. contract.md section 5. */
import type { Pool } from 'pg';
import type { ReportInterval } from '../../../domain/reports/intervals.ts';
import { reading, type Bind } from '../../snapshot.ts';
import { REPORT_READ_MAX_MS } from '../limits.ts';
import { accumulated, largest, seriesOf, type CountedSeries } from './groups.ts';
import { slicesOf } from './slices.ts';
import {
  countsAtStart,
  countsIn,
  weightsAtStart,
  weightsIn,
  type CountedRow,
  type ElementTypes,
  type Selection,
  type Successors,
  type Weight,
} from './statements.ts';

export { openStates } from './sources.ts';
export type { Cells, CountedSeries, SeriesKind } from './groups.ts';
export type { ElementTypes, Successors } from './statements.ts';

export interface ReportQuery extends Omit<Selection, 'elementTypes' | 'successors'> {
  /** In order and without gaps. */
  readonly intervals: readonly ReportInterval[];
  /** Groups with a series of their own; all others share one. */
  readonly seriesMax: number;
}

export interface ReportQueries {
  /**
   * The series of a report: the largest groups, then tickets without a group, then all others;
   * without `groupBy` a single one. For the backlog, the cells are open tickets by state at the end
   * of each interval.
   *
   * Each statement reads the days of one slice on its own connection: an interval is counted in one
   * snapshot, a long period in several.
   *
   * @param signal Aborted: no further statement is started.
   * @throws {@link ReportTooLarge} if a statement takes too long; the signal's reason.
   */
  count(query: ReportQuery, signal?: AbortSignal): Promise<readonly CountedSeries[]>;
}

/** A statement of a report took too long. */
export class ReportTooLarge extends Error {
  override name = 'ReportTooLarge';

  constructor() {
    super('takes too long over this many tickets: add a filter, or choose a shorter interval');
  }
}

/**
 * @param elementTypes The table of element types, which tickets' events do not contain.
 * @param successors The table of places that were recreated since ended tickets named them.
 */
export const reportQueries = ({
  pool,
  elementTypes,
  successors,
}: {
  readonly pool: Pool;
  readonly elementTypes: ElementTypes;
  readonly successors: Successors;
}): ReportQueries => ({
  async count({ intervals, seriesMax, ...asked }, signal) {
    const selection = { ...asked, elementTypes, successors };
    const slices = slicesOf(intervals);
    const start = selection.report === 'backlog' ? intervals[0]?.startMs : undefined;

    const rows = async <Row>(textOf: (bind: Bind) => string): Promise<readonly Row[]> => {
      signal?.throwIfAborted();
      const found = await reading(
        pool,
        (snapshot) => snapshot.rowsInTime<Row>(textOf, REPORT_READ_MAX_MS),
        REPORT_READ_MAX_MS,
      );
      if (found === null) throw new ReportTooLarge();
      return found;
    };
    /** Runs statements sequentially: a report never has two connections. */
    const inTurn = async <Row>(texts: readonly ((bind: Bind) => string)[]) => {
      const results: (readonly Row[])[] = [];
      for (const textOf of texts) results.push(await rows<Row>(textOf));
      return results;
    };

    const ranked = async () => {
      const weights = await inTurn<Weight>([
        ...(start === undefined ? [] : [weightsAtStart(selection, start)]),
        ...slices.map((slice) => weightsIn(selection, slice)),
      ]);
      return largest(weights.flat(), seriesMax);
    };
    const keys = selection.groupBy === null ? null : await ranked();
    const counted = await inTurn<CountedRow>(
      slices.map((slice) => countsIn(selection, slice, keys ?? [])),
    );
    // Intervals are counted from 1 within a slice.
    const inAll = counted.flatMap((sliceRows, index) =>
      sliceRows.map((row) => ({ ...row, interval: row.interval + slices[index]!.at })),
    );
    if (start === undefined) {
      const fromZero = inAll.map((row) => ({ ...row, interval: row.interval - 1 }));
      return seriesOf(fromZero, keys, intervals.length);
    }
    const before = await rows<CountedRow>(countsAtStart(selection, start, keys ?? []));
    return seriesOf([...before, ...inAll], keys, intervals.length + 1).map(accumulated);
  },
});
