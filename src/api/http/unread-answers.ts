import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { EXPORT_UNREAD_MAX_MS } from '../../limits.ts';
import { HeldBytes, holderOf } from './held-bytes.ts';
import { ANSWERS_UNREAD_BYTES, ANSWER_COUNTED_BYTES } from './limits.ts';

interface Unread {
  readonly holder: string;
  readonly bytes: number;
}

/**
 * Bounds what answers keep in memory that their clients do not read. A connection that takes
 * nothing of an answer for {@link EXPORT_UNREAD_MAX_MS} is cut. So is the one with the oldest
 * answer of a caller who leaves more than {@link ANSWERS_UNREAD_BYTES} unread; beyond the bound of
 * all, of the caller who leaves most.
 */
export const boundUnreadAnswers = (app: FastifyInstance): void => {
  const { server } = app;
  // Starts anew with all progress. Without this listener Node would also end a connection whose
  // answer is not ready yet.
  server.timeout = EXPORT_UNREAD_MAX_MS;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0) socket.destroy();
  });

  const held = new HeldBytes(ANSWERS_UNREAD_BYTES);
  /** Oldest first. */
  const unread = new Map<ServerResponse, Unread>();
  const forget = (response: ServerResponse) => {
    const answer = unread.get(response);
    if (!answer) return;
    unread.delete(response);
    held.add(answer.holder, -answer.bytes);
  };
  /** @returns Whether there was one. */
  const cutOldestOf = (holder: string | null): boolean => {
    for (const [response, answer] of unread) {
      if (answer.holder !== holder) continue;
      response.req.socket.destroy();
      forget(response);
      return true;
    }
    return false;
  };

  app.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes >= ANSWER_COUNTED_BYTES) {
      const holder = holderOf(request);
      for (;;) {
        const bound = held.exceeds(holder, bytes);
        if (bound === null) break;
        if (!cutOldestOf(bound === 'caller' ? holder : held.largest())) break;
      }
      const { raw } = reply;
      held.add(holder, bytes);
      unread.set(raw, { holder, bytes });
      raw.once('finish', () => forget(raw)).once('close', () => forget(raw));
    }
    done();
  });
};

/** Of a payload that is in memory; streams wait for their reader. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
