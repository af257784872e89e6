import { backoff, retry } from '../concurrency/backoff.ts';
import type { Clock } from '../time/clock.ts';
import type { Logger } from '../observe/logging.ts';
import type { ConsumerId } from './consumer.ts';
import { failed, type ConsumerRequest, type Outcome, type Requests } from './requests.ts';

export interface RequestTurnParts {
  readonly consumer: ConsumerId;
  readonly requests: Pick<Requests, 'abandon' | 'begin' | 'end'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'debug' | 'info' | 'warn'>;
}

/**
 * Ends the requests that a former owner had begun, because their callers wait for them. Called by
 * each owner before it begins a request; repeated until it succeeds or `signal` aborts.
 */
export const abandonRequests = (
  { consumer, requests, clock, logger }: RequestTurnParts,
  signal: AbortSignal,
): Promise<void> =>
  retry(
    () => requests.abandon(consumer, clock.now()),
    signal,
    (error) => logger.warn({ err: error, consumer }, 'a consumer failed; trying again'),
  );

/**
 * Records the outcome of a request; repeated until it succeeds or `signal` aborts, after which the
 * next owner ends the request.
 */
export const endRequest = async (
  { consumer, requests, clock, logger }: RequestTurnParts,
  request: ConsumerRequest,
  outcome: Outcome,
  signal: AbortSignal,
): Promise<void> => {
  const delays = backoff();
  for (;;)
    try {
      await requests.end(request, outcome, clock.now());
      return;
    } catch (error) {
      logger.debug({ err: error, consumer }, 'the outcome of a request was not recorded');
      if (signal.aborted) return;
      await delays.pause(signal);
    }
};

/**
 * @returns Whether this process has begun the request. If that is unknown, the request is ended, so
 *   that its caller does not wait for ever.
 */
export const beginRequest = async (
  parts: RequestTurnParts,
  request: ConsumerRequest,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    return await parts.requests.begin(request.id);
  } catch (error) {
    // Not after the signal: another owner may have begun it.
    await retry(
      () => parts.requests.end(request, failed(error), parts.clock.now()),
      signal,
      (cause) => parts.logger.debug({ err: cause }, 'the outcome of a request was not recorded'),
    );
    throw error;
  }
};

/**
 * Executes an operator's request, unless another process has begun it. Never rejects: an error of
 * `carryOut` is the request's outcome.
 *
 * @param signal Aborts when another process may own the consumer.
 */
export const carryOutRequest = async (
  parts: RequestTurnParts,
  request: ConsumerRequest,
  carryOut: () => Promise<Outcome>,
  signal: AbortSignal,
): Promise<void> => {
  const { consumer, logger } = parts;
  try {
    if (!(await beginRequest(parts, request, signal))) return;
    logger.info({ consumer, kind: request.kind }, 'a request is carried out');
    const outcome = await carryOut().catch(failed);
    await endRequest(parts, request, outcome, signal);
  } catch (error) {
    logger.warn({ err: error, consumer }, 'a request was not carried out');
  }
};

/**
 * {@link carryOutRequest} for one request at a time. A request that is offered meanwhile stays in
 * its queue and is offered again. Resolves at once.
 */
export const requestTurn = (parts: RequestTurnParts) => {
  let isBusy = false;
  return (
    request: ConsumerRequest,
    carryOut: () => Promise<Outcome>,
    signal: AbortSignal,
  ): void => {
    if (isBusy) return;
    isBusy = true;
    void carryOutRequest(parts, request, carryOut, signal).finally(() => {
      isBusy = false;
    });
  };
};
