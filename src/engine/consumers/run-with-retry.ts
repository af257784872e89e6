import { isMissingTable } from '../postgres/errors.ts';
import { backoff } from '../concurrency/backoff.ts';
import type { Logger } from '../observe/logging.ts';
import { CheckpointMoved, type Checkpoints } from './checkpoints.ts';
import type { ConsumerId } from './consumer.ts';
import type { Lease } from './leases.ts';
import { YieldLease } from './yield-lease.ts';

export interface RunWithRetryParts {
  readonly consumer: ConsumerId;
  readonly checkpoints: Pick<Checkpoints, 'note'>;
  readonly logger: Logger;
  /**
   * Runs from the checkpoint on, until it fails or its signal aborts.
   *
   * @param worked Called when something was done: the next failure is a first one.
   * @returns Whether to continue; false if a later owner has claimed the checkpoint.
   */
  readonly turn: (lease: Lease, worked: () => void) => Promise<boolean>;
  /** Ends the pause after a failure early. Default: the lease's. */
  readonly pauseSignal?: () => AbortSignal;
  /** Called when its position is no longer known in this process. */
  readonly ended: () => void;
}

/**
 * Runs turns under a lease, with growing pauses after failures.
 *
 * After any failure the checkpoint is read again and everything in memory forgotten, so that a lost
 * reply, dropped tables and a lost lease need no case of their own: the checkpoint's epoch shows
 * whether this is still the owner, and its position what is done.
 *
 * @throws {@link YieldLease} if another process is to continue.
 */
export const runWithRetry = async (parts: RunWithRetryParts, lease: Lease): Promise<void> => {
  const { consumer, checkpoints, logger, turn, ended, pauseSignal = () => lease.signal } = parts;
  const delays = backoff();

  const note = async (error: unknown) => {
    // Neither is a reason to show to operators.
    if (error instanceof CheckpointMoved || isMissingTable(error)) return;
    try {
      await checkpoints.note(consumer, error);
    } catch (cause) {
      // The failure itself is in the server's log; this is only for the operator's list.
      logger.debug({ err: cause, consumer }, 'the failure was not noted');
    }
  };

  while (!lease.signal.aborted) {
    let failed = false;
    try {
      if (!(await turn(lease, () => delays.reset()))) {
        logger.warn({ consumer, epoch: lease.epoch }, 'a later owner runs this');
        return;
      }
    } catch (error) {
      if (lease.signal.aborted) return;
      failed = true;
      await note(error);
      if (error instanceof YieldLease) throw error;
      logger.warn({ err: error, consumer }, 'a consumer failed; trying again');
    } finally {
      ended();
    }
    if (failed) await delays.pause(pauseSignal());
  }
};
