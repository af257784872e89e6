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
 * Carries out what operators ask of a consumer, one request after the other: what is offered while
 * one is under way is left where it waits, and offered again. Resolves at once; what `carryOut`
 * throws is the request's outcome.
 */
export const requestTurn = ({ consumer, requests, clock, logger }: RequestTurnParts) => {
  let isBusy = false;
  return (request: ConsumerRequest, carryOut: () => Promise<Outcome>): void => {
    if (isBusy) return;
    isBusy = true;
    const work = async () => {
      if (!(await requests.begin(request.id))) return;
      logger.info({ consumer, kind: request.kind }, 'a request is carried out');
      const outcome = await carryOut().catch(failed);
      await requests.end(request, outcome, clock.now());
    };
    work()
      .catch((error: unknown) => {
        logger.warn({ err: error, consumer }, 'a request was not carried out');
      })
      .finally(() => {
        isBusy = false;
      });
  };
};
