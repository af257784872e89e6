/**
 * One deadline over a whole answer. The calls of a handler to log and database each have their own,
 * which add up.
 */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { REQUEST_ANSWER_MAX_MS } from '../../limits.ts';
import { deadlines } from '../../engine/concurrency/deadlines.ts';
import { isForm } from './form.ts';
import { Problem } from './problems.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Deadline of the handler. Default {@link REQUEST_ANSWER_MAX_MS}. */
    answerMaxMs?: number;
    /** That of a form, where the route also accepts one. */
    formAnswerMaxMs?: number;
  }
}

/**
 * Answers 503 `UNAVAILABLE` in place of a late handler. The handler continues: its writes may be
 * stored, as with any 503, and a repeat of the same request finds out. Fastify's own
 * `handlerTimeout` is not used: it ends as soon as the body has arrived.
 *
 * @param answerMaxMs For routes without their own. Default {@link REQUEST_ANSWER_MAX_MS}.
 */
export const answerInTime = (
  app: FastifyInstance,
  answerMaxMs: number = REQUEST_ANSWER_MAX_MS,
): void => {
  const watched = deadlines();
  app.addHook('onRoute', (route) => {
    const { handler } = route;
    const bodyMaxMs = route.config?.answerMaxMs ?? answerMaxMs;
    const formMaxMs = route.config?.formAnswerMaxMs ?? bodyMaxMs;
    route.handler = function answering(request, reply) {
      const withinMs = isForm(request.headers['content-type']) ? formMaxMs : bodyMaxMs;
      const answer: unknown = handler.call(this, request, reply);
      if (!(answer instanceof Promise)) return answer;
      return new Promise((resolve, reject) => {
        let late = false;
        const callOff = watched.within(withinMs, () => {
          // A handler that returns the reply ends with its last byte, which its reader may delay.
          if (reply.raw.headersSent) return;
          late = true;
          reject(new Problem('UNAVAILABLE', `There was no answer within ${withinMs / 1000} s.`));
        });
        answer.then(
          (value) => {
            callOff();
            // A stream that no caller reads would keep its file and its permit.
            if (late && value instanceof Readable) value.destroy();
            return resolve(value);
          },
          (error: Error) => {
            callOff();
            // The caller has been answered; the reason of the delay is for the operator.
            if (late) request.log.warn({ err: error }, 'a request failed after its deadline');
            return reject(error);
          },
        );
      });
    };
  });
};
