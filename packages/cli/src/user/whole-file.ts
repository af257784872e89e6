/** A file that is there once it is complete. */
import type { Writable } from 'node:stream';
import { interrupted } from '../failures.ts';
import { interruption } from '../terminal/interrupts.ts';
import { discard, newFile, partOf, renamePart } from './files.ts';

/**
 * Writes the file of an export under a name of its own until it is complete.
 *
 * @param write Ends `output`; it stops when `signal` is aborted.
 * @param force Replaces a file of this name.
 * @throws {@link CommandFailed} if it cannot be written, and at Ctrl-C; what `write` throws. Then
 *   nothing remains of it.
 */
export const writtenWhole = async <Made>(
  file: string,
  write: (output: Writable, signal: AbortSignal) => Promise<Made>,
  force = false,
): Promise<Made> => {
  const part = partOf(file);
  const output = await newFile(part);
  const stopped = interruption();
  try {
    const made = await write(output, stopped.signal);
    await renamePart(part, file, force);
    return made;
  } catch (error) {
    await discard(output, part);
    const by = stopped.by();
    throw by === null ? error : interrupted('the export was interrupted; nothing was written', by);
  } finally {
    stopped.release();
  }
};
