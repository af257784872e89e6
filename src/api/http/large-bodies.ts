import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { BODY_VALUES_MAX } from '../../limits.ts';
import { LARGE_BODY_BYTES } from './limits.ts';
import { permitHolderOf } from './permits.ts';

/**
 * Bounds concurrent requests whose body is large and may have more than {@link BODY_VALUES_MAX}
 * values: each holds the event loop several times, and others' requests wait meanwhile.
 * contract.md section 1.
 *
 * @returns Acquires the permit of a request once its body has been received; it is released when
 *   the answer is ready to be sent. Rejects with `NoPermit`.
 */
export const largeBodyPermits = (
  app: FastifyInstance,
  permits: FairSemaphore,
): ((request: FastifyRequest, body: Buffer) => Promise<void>) => {
  const held = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onSend', (request, _reply, payload, done) => {
    held.get(request)?.();
    done(null, payload);
  });
  return async (request, body) => {
    const { bodyValuesMax = 0 } = request.routeOptions.config;
    if (body.length <= LARGE_BODY_BYTES || bodyValuesMax <= BODY_VALUES_MAX) return;
    held.set(request, await permits.acquire(permitHolderOf(request)));
  };
};
