/** Permits of a semaphore that the callers of a route share. contract.md section 1. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FairSemaphore, PermitHolder } from '../../engine/concurrency/fair-semaphore.ts';
import { callerIn } from '../sessions/authenticate.ts';

/**
 * Acquires a permit for work that outlives the request's handler; `gone` aborts when the client
 * disconnects or has the whole answer. The holder calls `release`, which is idempotent.
 *
 * @throws {@link NoPermit}, as {@link withPermit} does.
 */
export const acquirePermit = async (
  permits: FairSemaphore,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ readonly release: () => void; readonly gone: AbortSignal }> => {
  const gone = goneSignal(reply);
  const release = await permits.acquire(permitHolderOf(request), gone);
  // Granted in the turn in which the client left, by another answer on its connection.
  if (gone.aborted) {
    release();
    throw gone.reason;
  }
  return { release, gone };
};

/** Whose permits a request uses. */
export const permitHolderOf = (request: FastifyRequest): PermitHolder => {
  const { actor, organisation } = callerIn(request);
  return { caller: `${actor.kind}:${actor.id}`, organisation };
};

/**
 * Runs `work` with a permit, which is released when it ends. A caller who disconnects while waiting
 * gets none.
 *
 * @throws {@link NoPermit}, answered 429 `RATE_LIMITED` at a bound of the caller or organisation,
 *   and 503 `UNAVAILABLE` at the total bound.
 */
export const withPermit = async <T>(
  permits: FairSemaphore,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> => {
  const { release, gone } = await acquirePermit(permits, request, reply);
  try {
    return await work(gone);
  } finally {
    release();
  }
};

/** The client has disconnected. */
export class CallerGone extends Error {
  override name = 'CallerGone';

  constructor() {
    super('the client disconnected');
  }
}

/** Aborts when the caller disconnects, even during authentication. */
export const goneSignal = ({ raw }: FastifyReply): AbortSignal => {
  const gone = new AbortController();
  if (raw.closed || raw.destroyed) gone.abort(new CallerGone());
  else raw.once('close', () => gone.abort(new CallerGone()));
  return gone.signal;
};
