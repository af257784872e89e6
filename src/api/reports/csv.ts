/** A report as CSV: a row per interval and series. contract.md sections 1 and 5. */
import type { Cell, Columns } from '../http/csv.ts';
import { csvHead, csvLine } from '../http/csv.ts';
import type { ReportKind, ReportValue } from './values.ts';

export interface ReportTable {
  readonly intervals: readonly { readonly from: string; readonly to: string }[];
  readonly series: readonly {
    readonly kind: string;
    readonly key: string | null;
    readonly label: string | null;
    readonly values: readonly ReportValue[];
  }[];
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly key: string | null;
  readonly label: string | null;
  readonly value: Readonly<Record<string, Cell>>;
}

/** A nested figure has its own column: `resolution.met` is `resolutionMet`. */
export const reportCsv = (
  { valueOf }: Pick<ReportKind, 'valueOf'>,
  { intervals, series }: ReportTable,
): string => {
  const columns: Columns<Row> = {
    from: (row) => row.from,
    to: (row) => row.to,
    kind: (row) => row.kind,
    key: (row) => row.key,
    label: (row) => row.label,
    ...Object.fromEntries(
      Object.keys(flat(valueOf(null))).map((name) => [name, (row: Row) => row.value[name] ?? null]),
    ),
  };
  const line = csvLine(columns);
  const rows = intervals.flatMap(({ from, to }, at) =>
    series.map(({ kind, key, label, values }) =>
      line({ from, to, kind, key, label, value: flat(values[at]!) }),
    ),
  );
  return csvHead(columns) + rows.join('');
};

const flat = (value: ReportValue): Readonly<Record<string, Cell>> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, figure]): (readonly [string, Cell])[] =>
      figure === null || typeof figure === 'number'
        ? [[name, figure]]
        : Object.entries(figure).map(([member, one]) => [`${name}${capital(member)}`, one]),
    ),
  );

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
