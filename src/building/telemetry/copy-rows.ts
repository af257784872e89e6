/**
 * Rows in the binary format of COPY: some hundred thousand rows a second, without formatting and
 * parsing of text.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DAY_MS } from '../../engine/time/calendar.ts';
import { packed, type Packing, type SealedDay } from '../../domain/telemetry/sealed-day.ts';

/** A sealed day with its series and date. */
export interface SealedRow extends SealedDay {
  readonly seriesId: number;
  /** The day's midnight (UTC), in milliseconds since 1970. */
  readonly dayMs: number;
}

export interface LiveRow {
  readonly seriesId: number;
  readonly atMs: number;
  readonly value: number;
}

/** Requires the month's partition, and that no row of the same series and day exists. */
export const copySealedDays = (client: ClientBase, rows: Iterable<SealedRow>): Promise<void> =>
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
      const { packing, values } = row;
      into.array(INT4, row.offsetsMs);
      into.float8(packing && packing.divisor);
      into.int8(packing && packing.base);
      into.array(INT2, packing && values, packing);
      into.array(FLOAT8, packing ? null : values);
    },
  );

/** Requires the month's partition, and that no row of the same series and time exists. */
export const copyLiveRows = (client: ClientBase, rows: Iterable<LiveRow>): Promise<void> =>
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
  rows: Iterable<Row>,
  write: (into: RowWriter, row: Row) => void,
): Promise<void> => {
  const chunks = function* () {
    const into = rowWriter();
    into.header();
    for (const row of rows) {
      write(into, row);
      if (into.bytes() >= CHUNK_BYTES) yield into.takeBytes();
    }
    into.fields(-1);
    yield into.takeBytes();
  };
  await pipeline(Readable.from(chunks(), { highWaterMark: 2 }), client.query(copyFrom(statement)));
};

const CHUNK_BYTES = 256 * 1024;
/** Has space for the row that completes a chunk. */
const BUFFER_BYTES = CHUNK_BYTES + 16 * 1024;
/** Postgres counts from the year 2000. */
const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);

interface Element {
  readonly oid: number;
  readonly bytes: number;
  readonly put: (into: DataView, at: number, value: number) => void;
}

const INT2: Element = { oid: 21, bytes: 2, put: (into, at, value) => into.setInt16(at, value) };
const INT4: Element = { oid: 23, bytes: 4, put: (into, at, value) => into.setInt32(at, value) };
const FLOAT8: Element = {
  oid: 701,
  bytes: 8,
  put: (into, at, value) => into.setFloat64(at, value),
};

interface RowWriter {
  header(): void;
  /** Begins a row with this many fields; -1 ends the copy. */
  fields(count: number): void;
  int4(value: number | null): void;
  int8(value: number | null): void;
  float8(value: number | null): void;
  /** NaN is encoded as absent. */
  array(element: Element, values: ArrayLike<number> | null, packing?: Packing | null): void;
  bytes(): number;
  /** The bytes written since the last call. */
  takeBytes(): Buffer;
}

const rowWriter = (): RowWriter => {
  let buffer = new Uint8Array(BUFFER_BYTES);
  // A `DataView` is several times as fast as the methods of a buffer.
  let view = new DataView(buffer.buffer);
  let at = 0;
  const replaceBuffer = (bytes: number) => {
    buffer = new Uint8Array(bytes);
    view = new DataView(buffer.buffer);
  };
  const room = (bytes: number) => {
    if (at + bytes <= buffer.length) return;
    const written = buffer.subarray(0, at);
    replaceBuffer(2 * (at + bytes));
    buffer.set(written);
  };
  const int4 = (value: number) => {
    view.setInt32(at, value);
    at += 4;
  };
  /** A field of this many bytes; `null` is encoded as absent. */
  const field = (bytes: number, value: number | null, put: (value: number) => void) => {
    room(bytes + 4);
    if (value === null) return int4(-1);
    int4(bytes);
    put(value);
    at += bytes;
  };

  return {
    header() {
      buffer.set(SIGNATURE);
      at = SIGNATURE.length;
      int4(0);
      int4(0);
    },
    fields(count) {
      room(2);
      view.setInt16(at, count);
      at += 2;
    },
    int4: (value) => field(4, value, (each) => view.setInt32(at, each)),
    int8: (value) => field(8, value, (each) => view.setBigInt64(at, BigInt(each))),
    float8: (value) => field(8, value, (each) => view.setFloat64(at, each)),
    array({ oid, bytes, put }, values, packing = null) {
      room(24 + (values?.length ?? 0) * (4 + bytes));
      if (values === null) return int4(-1);
      const start = at;
      at += 24;
      let hasAbsent = 0;
      for (let place = 0; place < values.length; place += 1) {
        const value = values[place]!;
        if (Number.isNaN(value)) {
          hasAbsent = 1;
          int4(-1);
          continue;
        }
        int4(bytes);
        put(view, at, packing === null ? value : packed(value, packing));
        at += bytes;
      }
      const end = at;
      at = start;
      // Length, dimensions, whether values are absent, type of the elements, count, lower bound.
      for (const each of [end - start - 4, 1, hasAbsent, oid, values.length, 1]) int4(each);
      at = end;
    },
    bytes: () => at,
    takeBytes() {
      const bytes = Buffer.from(buffer.buffer, 0, at);
      replaceBuffer(BUFFER_BYTES);
      at = 0;
      return bytes;
    },
  };
};

/** The beginning of every binary COPY. */
const SIGNATURE = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');
