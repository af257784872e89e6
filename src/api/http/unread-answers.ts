import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { EXPORT_UNREAD_MAX_MS } from '../../limits.ts';
import type { NoPermit, PermitHolder } from '../../engine/concurrency/fair-semaphore.ts';
import { pendingAnswers } from './connections.ts';
import { HeldBytes, holderOf } from './held-bytes.ts';
import { ANSWERS_UNREAD_BYTES, ANSWER_COUNTED_BYTES } from './limits.ts';

interface Unread {
  readonly holder: PermitHolder;
  readonly bytes: number;
}

/** The answers in memory that clients have not read. */
export class UnreadAnswers {
  readonly #held = new HeldBytes(ANSWERS_UNREAD_BYTES);
  /** Oldest first. */
  readonly #unread = new Map<ServerResponse, Unread>();

  /**
   * Counts an answer until it has been sent. Cuts the oldest ones of a caller who leaves more than
   * {@link ANSWERS_UNREAD_BYTES} unread; beyond the bound of an organisation or of all, of the
   * caller among them who leaves most.
   */
  add(response: ServerResponse, answer: Unread): void {
    const { holder, bytes } = answer;
    // Its client has left, and no event would end the count.
    if (response.destroyed || response.closed) return;
    for (;;) {
      const bound = this.#held.exceeds(holder, bytes);
      if (bound === null || !this.#cutOldestOf(this.#largest(bound, holder))) break;
    }
    this.#held.add(holder, bytes);
    this.#unread.set(response, answer);
    const forget = () => this.#forget(response);
    response.once('finish', forget).once('close', forget);
  }

  #largest(bound: NoPermit['of'], holder: PermitHolder): PermitHolder | null {
    if (bound === 'caller') return holder;
    return this.#held.largest(bound === 'organisation' ? [holder.organisation] : undefined);
  }

  #forget(response: ServerResponse): void {
    const answer = this.#unread.get(response);
    if (!answer) return;
    this.#unread.delete(response);
    this.#held.add(answer.holder, -answer.bytes);
  }

  /** @returns Whether there was one. */
  #cutOldestOf(holder: PermitHolder | null): boolean {
    for (const [response, { holder: of }] of this.#unread) {
      if (of.caller !== holder?.caller || of.organisation !== holder.organisation) continue;
      response.req.socket.destroy();
      this.#forget(response);
      return true;
    }
    return false;
  }
}

/**
 * Bounds what answers keep in memory that their clients do not read. A connection that takes
 * nothing of an answer for {@link EXPORT_UNREAD_MAX_MS} is cut, as is an idle one.
 */
export const boundUnreadAnswers = (app: FastifyInstance, unread: UnreadAnswers): void => {
  const { server } = app;
  // Starts anew with all progress. Without this listener Node would also end a connection whose
  // answer is not ready yet; after an answer, the time is that of an idle connection.
  server.timeout = EXPORT_UNREAD_MAX_MS;
  server.on('timeout', (socket) => {
    if (socket.writableLength > 0 || pendingAnswers(socket).size === 0) socket.destroy();
  });

  app.addHook('onSend', (request, { raw }, payload, done) => {
    const bytes = bytesOf(payload);
    if (bytes >= ANSWER_COUNTED_BYTES) unread.add(raw, { holder: holderOf(request), bytes });
    done();
  });
};

/** Of a payload that is in memory; streams wait for their reader. */
const bytesOf = (payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
