import { createReadStream } from 'node:fs';
import { isSame, lineOf, Seal, type Header } from './file.ts';
import type { StoredEvent } from '../../store/event-store.ts';
import { linesOf } from './lines.ts';
import { isSystemError, OperatorError } from '../operator-error.ts';
import { BrokenFile } from './broken-file.ts';

/** What a file of events holds, as far as it is what an export wrote. */
export interface Contents {
  /** `null` in a file that does not even hold that. */
  readonly header: Header | null;
  /** Over every line that counts. */
  readonly seal: Seal;
  /** Where the lines that count end, in bytes. */
  readonly bytes: number;
  /** The trailer is there. */
  readonly complete: boolean;
  /** Why a file without a trailer ends there. */
  readonly fault: string | null;
}

export interface Reading {
  /** No further than so many events. Default: all. */
  readonly eventsMax?: number;
  /** Given each event, and the bytes of its line. */
  readonly onEvent?: (event: StoredEvent, lineBytes: number) => void;
  /** Waited for before more is read. */
  readonly drain?: () => Promise<void>;
  readonly onProgress?: (events: number, bytes: number) => void;
}

/**
 * Reads a file and looks at everything that shows whether it is whole: every line, every mark, the
 * trailer. A file that merely ends too early is answered with what there is of it.
 *
 * @throws {@link BrokenFile} for one in which a line is not what was written.
 * @throws {@link OperatorError} for what is no such file, or cannot be read.
 */
export const contentsOf = async (path: string, reading: Reading = {}): Promise<Contents> => {
  const { eventsMax = Infinity, onEvent, onProgress, drain } = reading;
  const seal = new Seal();
  let header: Header | null = null;
  let bytes = 0;
  let number = 0;
  /** Events before the last mark that was right. */
  let marked = 0;
  let complete = false;

  const here = () => `${path}: line ${number}`;
  const unlike = () =>
    new BrokenFile(
      `${here()}: the lines above are not those that were written; ` +
        `the file is whole up to event ${marked}`,
      marked,
    );

  /** Takes one line; `false`: no further. */
  const take = (text: Buffer): boolean => {
    if (seal.events >= eventsMax) return false;
    number += 1;
    if (complete) throw new BrokenFile(`${here()} comes after the end`, seal.events);
    let line;
    try {
      line = lineOf(text.toString());
    } catch (cause) {
      if (header === null) throw new OperatorError(`${path} is no file of events`, cause);
      throw new BrokenFile(
        `${here()} is no event; the file is whole up to event ${seal.events}`,
        seal.events,
      );
    }
    if (header === null) {
      if (!('atriumEvents' in line)) throw new OperatorError(`${path} is no file of events`);
      header = line;
      seal.add(text);
    } else if ('mark' in line) {
      if (!isSame(line.mark, seal.sum)) throw unlike();
      marked = seal.events;
      seal.add(text);
    } else if ('trailer' in line) {
      if (!isSame(line.trailer, seal.sum)) throw unlike();
      complete = true;
    } else if ('atriumEvents' in line) {
      throw new BrokenFile(`${here()} is a second header`, seal.events);
    } else {
      onEvent?.(line, text.length);
      seal.event(text, line.position);
    }
    bytes += text.length;
    return true;
  };

  let fault: string | null = null;
  try {
    for await (const { lines, torn } of linesOf(createReadStream(path, { highWaterMark: CHUNK }))) {
      if (torn) fault = `in the middle of a line, after event ${seal.events}`;
      const further = lines.every(take);
      await drain?.();
      if (!further) break;
      onProgress?.(seal.events, bytes);
    }
  } catch (error) {
    if (isSystemError(error))
      throw new OperatorError(`${path} cannot be read: ${error.message}`, error);
    if (error instanceof RangeError)
      throw new BrokenFile(`${path}: ${error.message} after event ${seal.events}`, seal.events);
    throw error;
  }
  if (complete && fault !== null) throw new BrokenFile(`${path}: more after the end`, seal.events);
  if (!complete) fault ??= `without a trailer, after event ${seal.events}`;
  return { header, seal, bytes, complete, fault };
};

/** Bytes read at once. */
const CHUNK = 1024 * 1024;
