/**
 * Rows in the binary format of COPY: by the hundred thousand a second, where text would be spelt
 * here and parsed there.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DAY_MS } from '../../engine/time/calendar.ts';
import type { SealedDay } from '../../domain/telemetry/sealed-day.ts';

/** A sealed day with its series and date. */
export interface SealedRow extends SealedDay {
  readonly seriesId: number;
  /** Milliseconds since 1970 at its midnight (UTC). */
  readonly dayMs: number;
}

export interface LiveRow {
  readonly seriesId: number;
  readonly atMs: number;
  readonly value: number;
}

/** Their month's partition is there, and no row of their series and day. */
export const copySealedDays = (
  client: ClientBase,
  rows: Iterable<SealedRow> | AsyncIterable<SealedRow>,
): Promise<void> =>
  copy(
    client,
    `copy telemetry.sealed_day (series_id, day, first_ms, step_ms, offsets_ms, divisor, base,
       packed, exact) from stdin (format binary)`,
    rows,
    (into, row) => {
      into.fields(9);
      into.int4(row.seriesId);
      into.int4((row.dayMs - POSTGRES_EPOCH_MS) / DAY_MS);
      into.int4(row.firstMs);
      into.int4(row.stepMs);
      into.array(ELEMENTS.int4, row.offsetsMs);
      into.float8(row.divisor);
      into.int8(row.base);
      into.array(ELEMENTS.int2, row.packed);
      into.array(ELEMENTS.float8, row.exact);
    },
  );

/** Their month's partition is there, and no row of their series and time. */
export const copyLiveRows = (
  client: ClientBase,
  rows: Iterable<LiveRow> | AsyncIterable<LiveRow>,
): Promise<void> =>
  copy(
    client,
    `copy telemetry.observation (series_id, observed_at, value) from stdin (format binary)`,
    rows,
    (into, { seriesId, atMs, value }) => {
      into.fields(3);
      into.int4(seriesId);
      into.int8((atMs - POSTGRES_EPOCH_MS) * 1_000);
      into.float8(value);
    },
  );

const copy = async <Row>(
  client: ClientBase,
  statement: string,
  rows: Iterable<Row> | AsyncIterable<Row>,
  write: (into: RowWriter, row: Row) => void,
): Promise<void> => {
  const chunks = async function* () {
    const into = rowWriter();
    into.header();
    for await (const row of rows) {
      write(into, row);
      if (into.bytes() >= CHUNK_BYTES) yield into.takeBytes();
    }
    into.fields(-1);
    yield into.takeBytes();
  };
  await pipeline(Readable.from(chunks(), { highWaterMark: 2 }), client.query(copyFrom(statement)));
};

const CHUNK_BYTES = 256 * 1024;
/** Postgres counts from the year 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

interface Element {
  readonly oid: number;
  readonly bytes: number;
  readonly put: (buffer: Buffer, value: number, at: number) => void;
}

const ELEMENTS = {
  int2: { oid: 21, bytes: 2, put: (buffer, value, at) => void buffer.writeInt16BE(value, at) },
  int4: { oid: 23, bytes: 4, put: (buffer, value, at) => void buffer.writeInt32BE(value, at) },
  float8: { oid: 701, bytes: 8, put: (buffer, value, at) => void buffer.writeDoubleBE(value, at) },
} as const satisfies Record<string, Element>;

interface RowWriter {
  header(): void;
  /** Begins a row with this many fields; -1 ends the copy. */
  fields(count: number): void;
  int4(value: number | null): void;
  int8(value: number | null): void;
  float8(value: number | null): void;
  array(element: Element, values: readonly (number | null)[] | null): void;
  bytes(): number;
  /** The bytes written since the last call. */
  takeBytes(): Buffer;
}

const rowWriter = (): RowWriter => {
  let buffer = Buffer.allocUnsafe(2 * CHUNK_BYTES);
  let at = 0;
  const room = (bytes: number) => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * (at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  const int4 = (value: number) => {
    at = buffer.writeInt32BE(value, at);
  };
  /** A field of this many bytes; `null` is encoded as absent. */
  const field = (bytes: number, value: number | null, put: (value: number) => void) => {
    room(bytes + 4);
    if (value === null) return int4(-1);
    int4(bytes);
    put(value);
  };

  return {
    header() {
      at += buffer.write('PGCOPY\n\u00ff\r\n\0', at, 'latin1');
      int4(0);
      int4(0);
    },
    fields(count) {
      room(2);
      at = buffer.writeInt16BE(count, at);
    },
    int4: (value) => field(4, value, int4),
    int8: (value) =>
      field(8, value, (each) => {
        at = buffer.writeBigInt64BE(BigInt(each), at);
      }),
    float8: (value) =>
      field(8, value, (each) => {
        at = buffer.writeDoubleBE(each, at);
      }),
    array({ oid, bytes, put }, values) {
      room(24 + (values?.length ?? 0) * (4 + bytes));
      if (values === null) return int4(-1);
      const lengthAt = at;
      at += 4;
      // Dimensions, whether there are nulls, type of the elements, length, lower bound.
      for (const each of [1, values.includes(null) ? 1 : 0, oid, values.length, 1]) int4(each);
      for (const value of values) {
        int4(value === null ? -1 : bytes);
        if (value === null) continue;
        put(buffer, value, at);
        at += bytes;
      }
      buffer.writeInt32BE(at - lengthAt - 4, lengthAt);
    },
    bytes: () => at,
    takeBytes() {
      const bytes = buffer.subarray(0, at);
      buffer = Buffer.allocUnsafe(2 * CHUNK_BYTES);
      at = 0;
      return bytes;
    },
  };
};
