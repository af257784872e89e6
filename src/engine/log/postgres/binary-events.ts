import type { StoredEvent } from '../event-store.ts';

/** The columns of an event, in the order in which {@link binaryEvents} takes them. */
export const BINARY_COLUMNS = 'position, revision, created, id::text, stream, type, data, meta';

/**
 * Reads the messages of one `copy … to stdout (format binary)` of {@link BINARY_COLUMNS}: lengths
 * and bytes, so that neither side scans text for its end.
 *
 * @returns The event of each message; `null` for the last one, which holds none.
 */
export const binaryEvents = (): ((message: Buffer) => StoredEvent | null) => {
  const instantOf = instants();
  let isFirst = true;
  return (message) => {
    let at = isFirst ? HEADER_BYTES : 0;
    isFirst = false;
    if (at === message.length || message.readInt16BE(at) === END) return null;
    at += COUNT_BYTES;
    const text = (): string => {
      const start = at + LENGTH_BYTES;
      at = start + message.readInt32BE(at);
      return message.toString('utf8', start, at);
    };
    const bigint = (): number => {
      const start = at + LENGTH_BYTES;
      at = start + BIGINT_BYTES;
      return message.readInt32BE(start) * 2 ** 32 + message.readUInt32BE(start + 4);
    };
    const position = String(bigint());
    const revision = bigint();
    const recordedAt = instantOf(bigint());
    const id = text();
    const stream = text();
    const type = text();
    const data = JSON.parse(text()) as unknown;
    const meta = JSON.parse(text()) as StoredEvent['meta'];
    return { id, type, data, meta, stream, revision, position, recordedAt };
  };
};

/** Before the first row: a signature, flags, and the length of an extension, which is 0. */
const HEADER_BYTES = 19;
/** Before each row: the number of its columns, or the mark of the end. */
const COUNT_BYTES = 2;
const END = -1;
const LENGTH_BYTES = 4;
const BIGINT_BYTES = 8;

/** Postgres counts microseconds from 2000 on. Many events in a row are of one second. */
const instants = (): ((us: number) => string) => {
  let second = Number.NaN;
  let upToSecond = '';
  return (us) => {
    const ms = Math.floor(us / 1_000) + Y2K_MS;
    const seconds = Math.floor(ms / 1_000);
    if (seconds !== second) {
      second = seconds;
      upToSecond = new Date(seconds * 1_000).toISOString().slice(0, -4);
    }
    return `${upToSecond}${String(ms - seconds * 1_000).padStart(3, '0')}Z`;
  };
};

const Y2K_MS = Date.UTC(2000, 0, 1);
