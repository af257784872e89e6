import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';

/**
 * Where lines are written. A write resolves once it has left this process. Disposing of it releases
 * its file, also after a failure.
 */
export interface Output extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** Resolves once everything is written durably. */
  close(): Promise<void>;
}

/** Standard output was closed by its reader, which is no error of the command. */
export class ReaderGone extends Error {
  /** As the write that failed: the command ends by it as by any other of its writes. */
  readonly code = 'EPIPE';

  constructor() {
    super('the reader has closed the pipe');
    this.name = 'ReaderGone';
  }
}

/** @throws {@link ReaderGone} from `write` when the pipe's reader has closed it. */
export const streamOutput = (stream: Writable): Output => {
  // The write rejects as well; without a listener the event would end the process.
  stream.on('error', () => {});
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      // The callback runs once the text has left this process: backpressure from a slow reader.
      stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
        if (!error) resolve();
        else reject(error.code === 'EPIPE' ? new ReaderGone() : error);
      });
    });
  return { write, close: () => write(''), [Symbol.asyncDispose]: async () => {} };
};

/** Writes to `file` from `at` on. */
export const fileOutput = (file: FileHandle, at: number): Output => {
  let end = at;
  return {
    async write(text) {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) {
        const some = await file.write(bytes, written, bytes.length - written, end);
        written += some.bytesWritten;
        end += some.bytesWritten;
      }
    },
    async close() {
      await file.sync();
      await file.close();
    },
    // A second close is harmless.
    [Symbol.asyncDispose]: () => file.close(),
  };
};
