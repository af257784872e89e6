import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopyTarget } from '../apply/table-sql.ts';
import { UnwritableRow } from '../apply/writer.ts';

/**
 * Fills a table by COPY.
 *
 * The result is the same as a batch's statement, which passes rows as JSON; values that the
 * statement would refuse are refused here, because a rebuild must park the same streams.
 *
 * @param onRows Called occasionally with the number of copied rows.
 * @throws {@link UnwritableRow}, or Postgres's error for a value.
 */
export const copyInto = async (
  client: Client,
  { statement, columns }: CopyTarget,
  rows: Iterable<object>,
  { signal, onRows }: { readonly signal: AbortSignal; readonly onRows: (rows: number) => void },
): Promise<void> => {
  const encoders = columns.map(({ member, type, of }) => ({
    member,
    of,
    encode: encoderOf(of ? 'json' : type),
  }));
  const lineOf = (row: object) => {
    const values = row as Readonly<Record<string, unknown>>;
    let line = '';
    for (const { member, of, encode } of encoders) {
      const value = of ? of(row) : values[member];
      line += isNull(value) ? `${NULL}\t` : `${encode(value)}\t`;
    }
    return line.slice(0, -1);
  };
  const into = client.query(copyFrom(statement));
  await pipeline(Readable.from(chunksOf(rows, lineOf, onRows), { highWaterMark: 2 }), into, {
    signal,
  });
};

/** Values that JSON writes as `null`, such as NaN. */
const isNull = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value));

const NULL = String.raw`\N`;
const CHUNK_CHARACTERS = 128 * 1024;

function* chunksOf(
  rows: Iterable<object>,
  lineOf: (row: object) => string,
  onRows: (rows: number) => void,
): Generator<Buffer> {
  let chunk = '';
  let count = 0;
  for (const row of rows) {
    chunk += `${lineOf(row)}\n`;
    count += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    onRows(count);
    yield Buffer.from(chunk);
    chunk = '';
  }
  onRows(count);
  if (chunk !== '') yield Buffer.from(chunk);
}

const encoderOf = (type: string): ((value: unknown) => string) => {
  if (/^jsonb?$/i.test(type)) return (value) => escaped(jsonOf(value));
  if (type.endsWith(']'))
    return (value) => escaped(Array.isArray(value) ? arrayOf(value) : textOf(value));
  return (value) => escaped(textOf(value));
};

const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const json = jsonOf(value);
  const plain: unknown = JSON.parse(json);
  return typeof plain === 'string' ? plain : json;
};

/** JSON without the escapes of characters that Postgres does not have. */
const jsonOf = (value: unknown): string => {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new UnwritableRow(error);
  }
  if (json === undefined) throw new UnwritableRow(new TypeError(`no JSON for ${typeof value}`));
  if (json.includes(String.raw`\u`) && NO_CHARACTER.test(json))
    throw new UnwritableRow(new TypeError('half a character, or U+0000'));
  return json;
};

/**
 * The escape of a lone surrogate or of U+0000. A match behind a backslash of the text is harmless.
 */
const NO_CHARACTER = /\\u(?:d[89a-f]|0000)/;

const arrayOf = (values: readonly unknown[]): string =>
  `{${values
    .map((value) => {
      if (value === null || value === undefined) return 'NULL';
      if (Array.isArray(value)) return arrayOf(value);
      return `"${textOf(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
    })
    .join(',')}}`;

const escaped = (text: string): string => {
  if (!text.isWellFormed()) throw new UnwritableRow(new TypeError('half a character'));
  return SPECIAL.test(text) ? text.replaceAll(SPECIALS, (found) => ESCAPES[found]!) : text;
};

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};
