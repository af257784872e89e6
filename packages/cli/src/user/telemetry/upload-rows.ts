/** The observations in a file of CSV, and as many of them as one request takes. */
import { CommandFailed } from '../../failures.ts';
import { linesIn } from '../files.ts';
import { instant } from '../options.ts';
import { cellsOf, separatorOf, valueIn } from './values.ts';

export interface UploadRow {
  /** Of the file, from 1. */
  readonly line: number;
  /** What the file calls it. */
  readonly point: string;
  readonly value: number | boolean;
  readonly timestamp: string;
}

/** Of one request: a thousand at a time cost least. */
const ROWS_AT_ONCE = 1_000;
/** Of one request. */
const DAYS_AT_ONCE = 40;
const DAY_CHARACTERS = '2026-03-02'.length;

/** @throws {@link CommandFailed} for a line that is no observation, by its number. */
export async function* rowsIn(file: string): AsyncGenerator<UploadRow, void, undefined> {
  let header: Header | null = null;
  for await (const { number, text } of linesIn(file)) {
    if (header === null) header = headerIn(file, text);
    else yield rowIn(text, header, { file, line: number });
  }
}

interface Header {
  readonly separator: ',' | ';';
  readonly point: number;
  readonly value: number;
  readonly timestamp: number;
}

const headerIn = (file: string, text: string): Header => {
  const separator = separatorOf(text);
  const names = cellsOf(text.replace(/^\uFEFF/, ''), separator);
  const at = (name: string) => {
    const found = names.findIndex((one) => one.toLowerCase() === name);
    if (found >= 0) return found;
    throw new CommandFailed(`${file} has no column ${name}; its first line names the columns`);
  };
  return { separator, point: at('point'), value: at('value'), timestamp: at('timestamp') };
};

const rowIn = (
  text: string,
  header: Header,
  { file, line }: { readonly file: string; readonly line: number },
): UploadRow => {
  const cells = cellsOf(text, header.separator);
  const cell = (at: number) => cells[at] ?? '';
  const point = cell(header.point);
  const value = valueIn(cell(header.value));
  const refused = (why: string) => new CommandFailed(`${file}, line ${line}: ${why}`);
  if (point === '') throw refused('it names no point');
  if (value === null) throw refused(`${cell(header.value)} is not a value`);
  try {
    return { line, point, value, timestamp: instant(cell(header.timestamp)) };
  } catch {
    throw refused(`${cell(header.timestamp)} is not an ISO 8601 time with a zone`);
  }
};

/** In the order of the file. */
export async function* batchesOf(
  rows: AsyncIterable<UploadRow>,
): AsyncGenerator<readonly UploadRow[], void, undefined> {
  let batch: UploadRow[] = [];
  let days = new Set<string>();
  for await (const row of rows) {
    const day = row.timestamp.slice(0, DAY_CHARACTERS);
    const hasTooManyDays = days.size === DAYS_AT_ONCE && !days.has(day);
    if (batch.length === ROWS_AT_ONCE || hasTooManyDays) {
      yield batch;
      [batch, days] = [[], new Set()];
    }
    batch.push(row);
    days.add(day);
  }
  if (batch.length > 0) yield batch;
}
