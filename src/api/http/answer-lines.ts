/** A response streamed in lines while its work is in progress, buffered for a slow reader. */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ANSWER_LINES_KEPT_BYTES_MAX } from './limits.ts';
import { EXPORT_UNREAD_MAX_MS } from '../../limits.ts';

export const NDJSON = 'application/x-ndjson';

export interface AnswerLines {
  /** The body of the response. */
  readonly stream: Readable;
  /**
   * Writes one more line. Lines of one turn of the event loop are written together. Resolves at
   * once while the caller is at most {@link ANSWER_LINES_KEPT_BYTES_MAX} behind; a caller
   * who then reads nothing for {@link EXPORT_UNREAD_MAX_MS} is cut off.
   */
  write(line: object): Promise<void>;
  /** The last line. */
  end(line: object): void;
}

export const answerLines = (): AnswerLines => {
  const stream = new PassThrough({ readableHighWaterMark: ANSWER_LINES_KEPT_BYTES_MAX });
  // The reply handles errors of the stream it sends; before that, the next write does.
  stream.on('error', () => {});
  let buffered = '';
  let blocked: Promise<void> | null = null;

  const untilDrained = (): Promise<void> =>
    new Promise((resolve) => {
      const cutOff = () => stream.destroy(new Error('the client has read none of the answers'));
      const timer = setTimeout(cutOff, EXPORT_UNREAD_MAX_MS).unref();
      const onDrain = () => {
        clearTimeout(timer);
        stream.off('drain', onDrain).off('close', onDrain);
        blocked = null;
        resolve();
      };
      stream.on('drain', onDrain).on('close', onDrain);
    });

  const flush = () => {
    const text = buffered;
    buffered = '';
    // The reader has left, or everything was written at the end.
    if (stream.destroyed || text === '') return;
    if (!stream.write(text)) blocked = untilDrained();
  };

  return {
    stream,
    async write(line) {
      if (buffered === '') setImmediate(flush);
      buffered += `${JSON.stringify(line)}\n`;
      if (blocked !== null) await blocked;
    },
    end(line) {
      const text = `${buffered}${JSON.stringify(line)}\n`;
      buffered = '';
      if (!stream.destroyed) stream.end(text);
    },
  };
};

/** Begins the response; its lines are written later. */
export const beginLines = (reply: FastifyReply, { stream }: AnswerLines): Readable => {
  void reply.type(`${NDJSON}; charset=utf-8`).header('cache-control', 'no-store');
  return stream;
};
