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
 * Executes an operator's request, unless another process has begun it. Never rejects: an error of
 * `carryOut` is the request's outcome.
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
 * {@link carryOutRequest} for one request at a time. A request that is offered meanwhile stays in
 * its queue and is offered again. Resolves at once.
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
