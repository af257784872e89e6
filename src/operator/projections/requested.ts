import { setTimeout as sleep } from 'node:timers/promises';
import { REQUEST_BEGUN_MAX_MS, REQUEST_LOOK_MS } from '../limits.ts';
import type { Asked, ProjectionRequest, ReadModels } from '../../engine/projections/read-models.ts';
import { OperatorError } from '../operator-error.ts';
import { progressLine } from '../progress.ts';
import type { OpenModels } from './open-models.ts';
import { bar, rebuildProgress } from './print.ts';

const BAR_CHARACTERS = 24;

export interface Asking extends Pick<OpenModels, 'feed' | 'signal'> {
  readonly models: Pick<ReadModels, 'ask' | 'cancel' | 'requests'>;
}

export interface RequestLimits {
  /**
   * Timeout while no request makes progress in the process that feeds the read model. Default
   * {@link REQUEST_BEGUN_MAX_MS}.
   */
  readonly begunWithinMs?: number;
}

/**
 * Makes a request and waits until it is carried out, here or by the process that feeds the read
 * model. Ctrl-C cancels a rebuild or a verification and waits for its end; for other requests it
 * only ends the waiting. The timeout also cancels, but does not wait for the end.
 *
 * @throws {@link OperatorError} if Ctrl-C or the timeout has ended the waiting.
 */
export const requested = async (
  { models, feed, signal }: Asking,
  name: string,
  operation: Asked,
  { begunWithinMs = REQUEST_BEGUN_MAX_MS }: RequestLimits = {},
): Promise<ProjectionRequest> => {
  await feed();
  const { id } = await models.ask(name, operation);
  const line = progressLine();
  const cancellable = operation.kind === 'rebuild' || operation.kind === 'verify';
  const cancel = () => {
    if (!cancellable) return;
    models.cancel(name).catch((error: unknown) => {
      process.stderr.write(`${name} could not be cancelled: ${(error as Error).message}\n`);
    });
  };
  signal.addEventListener('abort', cancel, { once: true });
  let seenAt = performance.now();
  try {
    for (;;) {
      const all = await models.requests(name);
      const request = all.find((one) => one.id === id);
      if (!request) throw new Error('the request no longer exists');
      if (request.endedAt !== null) return request;
      if (signal.aborted && !cancellable) {
        throw new OperatorError(
          `not waited for; the ${operation.kind} is carried out all the same`,
        );
      }
      // An owner that is still building the read model is alive.
      if (all.some(({ progress }) => progress !== null)) seenAt = performance.now();
      else if (performance.now() - seenAt > begunWithinMs) {
        if (cancellable) await models.cancel(name);
        throw new OperatorError(
          `no process has begun the ${operation.kind} of ${name} within ` +
            `${begunWithinMs / 1_000} s` +
            `${cancellable ? '' : ', and it is carried out later'}: see atrium projections status`,
        );
      }
      const { progress, kind } = request;
      const shownBar = progress ? `${bar(progress, BAR_CHARACTERS)} ` : '';
      line.show(() => `${kind} of ${name}: ${shownBar}${rebuildProgress(progress)}`);
      await sleep(REQUEST_LOOK_MS);
    }
  } finally {
    line.clear();
  }
};
