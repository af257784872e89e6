/**
 * Nobody waits for an answer without end. What a handler asks of log and database has deadlines of
 * its own, one after the other; this is the one over all of them.
 */
import type { FastifyInstance } from 'fastify';
import { REQUEST_ANSWER_MAX_MS } from '../../limits.ts';
import { deadlines } from '../../engine/concurrency/deadlines.ts';
import { Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A handler that is later is answered for. Default {@link REQUEST_ANSWER_MAX_MS}. */
    answerMaxMs?: number;
  }
}

/**
 * Answers 503 `UNAVAILABLE` in place of a handler that is late. The handler itself goes on: what it
 * was storing may be stored, as with any 503, and the same request again finds that out. Fastify's
 * own `handlerTimeout` is not used: it is over as soon as the body has arrived.
 *
 * @param answerMaxMs Of routes that set none of their own. Default {@link REQUEST_ANSWER_MAX_MS}.
 */
export const answerInTime = (
  app: FastifyInstance,
  answerMaxMs: number = REQUEST_ANSWER_MAX_MS,
): void => {
  const watched = deadlines();
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    const withinMs = route.config?.answerMaxMs ?? answerMaxMs;
    route.handler = function answering(request, reply) {
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      return new Promise((resolve, reject) => {
        let late = false;
        const callOff = watched.within(withinMs, () => {
          late = true;
          reject(new Problem('UNAVAILABLE', `There was no answer within ${withinMs / 1000} s.`));
        });
        answer.then(
          (value) => {
            callOff();
            return resolve(value);
          },
          (error: Error) => {
            callOff();
            // The caller has been answered; why it took so long is for the operator.
            if (late) request.log.warn({ err: error }, 'a request failed after its deadline');
            return reject(error);
          },
        );
      });
    };
  });
};
