import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  onSendHookHandler,
} from 'fastify';
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
 *   the answer is ready to be sent. Rejects with `NoPermit`. `null`: it needs none.
 */
export const largeBodyPermits = (
  app: FastifyInstance,
  permits: FairSemaphore,
): ((request: FastifyRequest, body: Buffer) => Promise<void> | null) => {
  const held = new WeakMap<FastifyRequest, () => void>();
  app.addHook('onRoute', (route) => {
    if (!mayHaveMany(route.config)) return;
    const release: onSendHookHandler = (request, _reply, payload, done) => {
      held.get(request)?.();
      done(null, payload);
    };
    route.onSend = [route.onSend ?? [], release].flat();
  });
  const acquire = async (request: FastifyRequest) => {
    held.set(request, await permits.acquire(permitHolderOf(request)));
  };
  return (request, body) =>
    body.length > LARGE_BODY_BYTES && mayHaveMany(request.routeOptions.config)
      ? acquire(request)
      : null;
};

const mayHaveMany = ({ bodyValuesMax = 0 }: FastifyContextConfig = {}): boolean =>
  bodyValuesMax > BODY_VALUES_MAX;
