import { REQUEST_BEGUN_MAX_MS } from '../limits.ts';
import type { Asked, ProjectionRequest, ReadModels } from '../../engine/projections/read-models.ts';
import { OperatorError } from '../operator-error.ts';
import { progressLine } from '../progress.ts';
import { requestEnded } from '../request-ended.ts';
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
  let all: readonly ProjectionRequest[] = [];
  let seenAt = performance.now();
  try {
    return await requestEnded({
      async look() {
        all = await models.requests(name);
        return all.find((one) => one.id === id);
      },
      work: `the ${operation.kind} is`,
      signal: cancellable ? new AbortController().signal : signal,
      async between({ progress, kind }) {
        // An owner that is still building the read model is alive.
        if (all.some((one) => one.progress !== null)) seenAt = performance.now();
        else if (performance.now() - seenAt > begunWithinMs) {
          if (cancellable) await models.cancel(name);
          const later = cancellable ? '' : ', and it is carried out later';
          throw new OperatorError(
            `no process has begun the ${operation.kind} of ${name} within ` +
              `${begunWithinMs / 1_000} s${later}: see atrium projections status`,
          );
        }
        const shownBar = progress ? `${bar(progress, BAR_CHARACTERS)} ` : '';
        line.show(() => `${kind} of ${name}: ${shownBar}${rebuildProgress(progress)}`);
      },
    });
  } finally {
    line.clear();
  }
};
