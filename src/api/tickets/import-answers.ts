/** The lines that answer an import, on their way to a caller who may read them late. */
import { PassThrough, type Readable } from 'node:stream';
import { TICKET_IMPORT_ANSWERS_KEPT_BYTES_MAX } from './limits.ts';
import { EXPORT_UNREAD_MAX_MS } from '../../limits.ts';

export interface AnswerLines {
  /** What the caller reads. */
  readonly stream: Readable;
  /**
   * One more line. Those of one turn of the event loop go out together. Resolves at once while the
   * caller is no more than {@link TICKET_IMPORT_ANSWERS_KEPT_BYTES_MAX} behind; whoever takes
   * nothing for {@link EXPORT_UNREAD_MAX_MS} then is cut off.
   */
  tell(line: object): Promise<void>;
  /** The last line. */
  end(line: object): void;
}

export const answerLines = (): AnswerLines => {
  const stream = new PassThrough({ readableHighWaterMark: TICKET_IMPORT_ANSWERS_KEPT_BYTES_MAX });
  // Whoever sends it hears of its end; before that, who tells does.
  stream.on('error', () => {});
  let told = '';
  let blocked: Promise<void> | null = null;

  const untilTaken = (): Promise<void> =>
    new Promise((resolve) => {
      const cutOff = () => stream.destroy(new Error('nothing of the answers was taken'));
      const timer = setTimeout(cutOff, EXPORT_UNREAD_MAX_MS).unref();
      const taken = () => {
        clearTimeout(timer);
        stream.off('drain', taken).off('close', taken);
        blocked = null;
        resolve();
      };
      stream.on('drain', taken).on('close', taken);
    });

  const flush = () => {
    const text = told;
    told = '';
    // Nobody reads any more, or all was said at the end.
    if (stream.destroyed || text === '') return;
    if (!stream.write(text)) blocked = untilTaken();
  };

  return {
    stream,
    async tell(line) {
      if (told === '') setImmediate(flush);
      told += `${JSON.stringify(line)}\n`;
      if (blocked !== null) await blocked;
    },
    end(line) {
      const text = `${told}${JSON.stringify(line)}\n`;
      told = '';
      if (!stream.destroyed) stream.end(text);
    },
  };
};
