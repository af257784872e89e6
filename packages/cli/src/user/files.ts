/** Files that commands read and write; `-` is standard input or output. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { CommandFailed } from '../failures.ts';

export const STANDARD = '-';

/** A line of a file, by its number from 1. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
  /** With its end. */
  readonly bytes: number;
}

/** What the server takes of one document. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;
/** A longer line is none of JSON. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const NEWLINE = 0x0a;

/** @throws {@link CommandFailed} if it cannot be read, or is no text. */
export const textIn = async (file: string): Promise<string> => decoded(file, await bytesIn(file));

/** @throws {@link CommandFailed} if it cannot be read, or is longer than `max` bytes. */
export const bytesIn = async (file: string, max = FILE_BYTES_MAX): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of sourceOf(file) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > max) throw new CommandFailed(`${file} is longer than ${max} bytes`);
    }
  } catch (error) {
    throw error instanceof CommandFailed ? error : failedAt(file, 'read', error);
  }
  return Buffer.concat(chunks);
};

const sourceOf = (file: string): Readable =>
  file === STANDARD ? process.stdin : createReadStream(file);

/** `null` where it is not known. */
export const sizeOf = async (file: string): Promise<number | null> =>
  file === STANDARD ? null : ((await stat(file).catch(() => null))?.size ?? null);

/**
 * The lines of a file that are not blank, cut at newlines alone: JSON may contain the other line
 * ends of Unicode.
 *
 * @param signal Ends the reading, as though the file could not be read.
 * @throws {@link CommandFailed} if it cannot be read, or is no text.
 */
export const linesIn = (
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<FileLine, void, undefined> => {
  const source = sourceOf(file);
  return linesOf(signal === undefined ? source : addAbortSignal(signal, source), file);
};

/** The same of any stream of bytes; `file` is what it is called in refusals. */
export async function* linesOf(
  source: AsyncIterable<Uint8Array>,
  file: string,
): AsyncGenerator<FileLine, void, undefined> {
  let begun: Uint8Array[] = [];
  let length = 0;
  let number = 0;
  const lineEndingAt = (end: number): FileLine => {
    const bytes = length + end;
    const text = decoded(file, Buffer.concat(begun));
    [begun, length] = [[], 0];
    number += 1;
    return { number, text, bytes };
  };
  try {
    for await (const chunk of source) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        begun.push(chunk.subarray(from, at));
        length += at - from;
        from = at + 1;
        const line = lineEndingAt(1);
        if (line.text.trim() !== '') yield line;
      }
      begun.push(chunk.subarray(from));
      length += chunk.length - from;
      if (length > LINE_BYTES_MAX) throw new CommandFailed(`${file} has no lines of JSON`);
    }
  } catch (error) {
    throw error instanceof CommandFailed ? error : failedAt(file, 'read', error);
  }
  const last = length > 0 ? lineEndingAt(0) : null;
  if (last !== null && last.text.trim() !== '') yield last;
}

const decoded = (file: string, bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandFailed(`${file} is not UTF-8 text`, error);
  }
};

/**
 * A new file, which its owner alone may read.
 *
 * @throws {@link CommandFailed} if it is there already, or cannot be written.
 */
export const newFile = async (file: string): Promise<Writable> => {
  try {
    return (await open(file, 'wx', 0o600)).createWriteStream({ flush: true });
  } catch (error) {
    throw failedAt(file, 'written', error);
  }
};

/** @throws {@link CommandFailed} if that cannot be seen. */
export const isThere = async (file: string): Promise<boolean> => {
  try {
    await lstat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw failedAt(file, 'written', error);
  }
};

/** @throws {@link CommandFailed} if it is there already. */
export const refuseExisting = async (file: string): Promise<void> => {
  if (await isThere(file)) throw new CommandFailed(`${file} already exists`);
};

/** The name of a file until it is complete. */
export const partOf = (file: string): string => `${file}.${randomUUID()}.part`;

/**
 * Gives a complete file its name.
 *
 * @param force Replaces a file of this name.
 * @throws {@link CommandFailed} if it cannot be written or, without `force`, already exists.
 */
export const renamePart = async (part: string, file: string, force = false): Promise<void> => {
  try {
    if (!force && (await isLinked(part, file))) await rm(part);
    else await rename(part, file);
  } catch (error) {
    throw error instanceof CommandFailed ? error : failedAt(file, 'written', error);
  }
};

/**
 * A link replaces no file, even one that has appeared since the last look.
 *
 * @returns `false` if the file system has no hard links.
 * @throws If there is a file of this name.
 */
const isLinked = async (part: string, file: string): Promise<boolean> => {
  try {
    await link(part, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await refuseExisting(file);
    return false;
  }
};

/** Removes what was written of it. */
export const discard = async (output: Writable, file: string): Promise<void> => {
  output.destroy();
  await rm(file, { force: true });
};

/** What the system says of a file, in one line. */
export const failedAt = (file: string, done: 'read' | 'written', error: unknown): CommandFailed => {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new CommandFailed(`${file} already exists`, error);
  return new CommandFailed(`${file} cannot be ${done}: ${message}`, error);
};
