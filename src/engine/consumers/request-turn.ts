import type { Clock } from '../time/clock.ts';
import type { Report } from '../observe/report.ts';
import type { ConsumerId } from './consumer.ts';
import { failed, type ConsumerRequest, type Outcome, type Requests } from './requests.ts';

export interface RequestTurnParts {
  readonly consumer: ConsumerId;
  readonly requests: Pick<Requests, 'begin' | 'end'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Report, 'info' | 'warn'>;
}

/**
 * Carries out what an operator asks of a consumer, unless another process has begun it. Never
 * rejects; what `carryOut` throws is the request's outcome.
 */
export const carryOutRequest = async (
  { consumer, requests, clock, logger }: RequestTurnParts,
  request: ConsumerRequest,
  carryOut: () => Promise<Outcome>,
): Promise<void> => {
  try {
    if (!(await requests.begin(request.id))) return;
    logger.info({ consumer, kind: request.kind }, 'a request is carried out');
    const outcome = await carryOut().catch(failed);
    await requests.end(request, outcome, clock.now());
  } catch (error) {
    logger.warn({ err: error, consumer }, 'a request was not carried out');
  }
};

/**
 * {@link carryOutRequest}, one request after the other: what is offered while one is under way is
 * left where it waits, and offered again. Resolves at once.
 */
export const requestTurn = (parts: RequestTurnParts) => {
  let isBusy = false;
  return (request: ConsumerRequest, carryOut: () => Promise<Outcome>): void => {
    if (isBusy) return;
    isBusy = true;
    void carryOutRequest(parts, request, carryOut).finally(() => {
      isBusy = false;
    });
  };
};
