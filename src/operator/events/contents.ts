import { createReadStream } from 'node:fs';
import { isSameSum, parseLine, Checksum, type Header } from './file.ts';
import type { StoredEvent } from '../../engine/log/event-store.ts';
import { linesOf } from './lines.ts';
import { isSystemError, OperatorError } from '../operator-error.ts';
import { BrokenFile } from './broken-file.ts';

/** The contents of an event file, complete or partly written. */
export interface Contents {
  /** `null` if the file has none. */
  readonly header: Header | null;
  /** Over all valid lines. */
  readonly checksum: Checksum;
  /** The length of the valid lines. */
  readonly bytes: number;
  /** Whether the file has its trailer. */
  readonly complete: boolean;
  /** How a file without a trailer ends; else `null`. */
  readonly fault: string | null;
}

export interface Reading {
  /** What messages call the file. Default: its path. */
  readonly name?: string;
  /** Stop after this number of events. Default: all. */
  readonly eventsMax?: number;
  /** Called for each event, with the length of its line in bytes. */
  readonly onEvent?: (event: StoredEvent, lineBytes: number) => void;
  /** Awaited before each further read: backpressure. */
  readonly drain?: () => Promise<void>;
  readonly onProgress?: (events: number, bytes: number) => void;
}

/**
 * Reads a file and verifies every line, every mark, and the trailer. A truncated file is no error.
 *
 * @throws {@link BrokenFile} if a line is damaged.
 * @throws {@link OperatorError} if it is not a file of events, or cannot be read.
 */
export const contentsOf = async (path: string, reading: Reading = {}): Promise<Contents> => {
  const { name = path, eventsMax = Infinity, onEvent, onProgress, drain } = reading;
  const checksum = new Checksum();
  let header: Header | null = null;
  let bytes = 0;
  let number = 0;
  /** Number of events before the last matching mark. */
  let marked = 0;
  let complete = false;

  const here = () => `${name}: line ${number}`;
  const unlike = () =>
    new BrokenFile(
      `${here()}: the lines above are not those that were written; ` +
        `the file is whole up to event ${marked}`,
      marked,
    );

  /** Checks one line; `false`: read no further. */
  const check = (text: Buffer): boolean => {
    if (checksum.events >= eventsMax) return false;
    number += 1;
    if (complete) throw new BrokenFile(`${here()} comes after the end`, checksum.events);
    let line;
    try {
      line = parseLine(text.toString());
    } catch (cause) {
      if (header === null) throw new OperatorError(`${name} is no file of events`, cause);
      throw new BrokenFile(
        `${here()} is no event; the file is whole up to event ${checksum.events}`,
        checksum.events,
      );
    }
    if (header === null) {
      if (!('atriumEvents' in line)) throw new OperatorError(`${name} is no file of events`);
      header = line;
      checksum.add(text);
    } else if ('mark' in line) {
      if (!isSameSum(line.mark, checksum.sum)) throw unlike();
      marked = checksum.events;
      checksum.add(text);
    } else if ('trailer' in line) {
      if (!isSameSum(line.trailer, checksum.sum)) throw unlike();
      complete = true;
    } else if ('atriumEvents' in line) {
      throw new BrokenFile(`${here()} is a second header`, checksum.events);
    } else {
      onEvent?.(line, text.length);
      checksum.event(text, line.position);
    }
    bytes += text.length;
    return true;
  };

  let fault: string | null = null;
  try {
    for await (const { lines, torn } of linesOf(createReadStream(path, { highWaterMark: CHUNK }))) {
      if (torn) fault = `in the middle of a line, after event ${checksum.events}`;
      const further = lines.every(check);
      await drain?.();
      if (!further) break;
      onProgress?.(checksum.events, bytes);
    }
  } catch (error) {
    if (isSystemError(error))
      throw new OperatorError(`${name} cannot be read: ${error.message}`, error);
    if (error instanceof RangeError)
      throw new BrokenFile(
        `${name}: ${error.message} after event ${checksum.events}`,
        checksum.events,
      );
    throw error;
  }
  if (complete && fault !== null)
    throw new BrokenFile(`${name}: more after the end`, checksum.events);
  if (!complete) fault ??= `without a trailer, after event ${checksum.events}`;
  return { header, checksum, bytes, complete, fault };
};

/** Bytes read at once. */
const CHUNK = 1024 * 1024;
