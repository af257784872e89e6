import { Writable } from 'node:stream';
import { pino, type LoggerOptions } from 'pino';
import type { Logger } from '../../../src/engine/observe/logging.ts';

/** A logger that writes to memory. */
interface WrittenLines {
  readonly logger: Logger;
  /** The lines written since the last `clear`. */
  text(): string;
  clear(): void;
}

export const writtenLines = (options: LoggerOptions): WrittenLines => {
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return {
    logger: pino(options, sink),
    text: () => text,
    clear: () => void (text = ''),
  };
};
