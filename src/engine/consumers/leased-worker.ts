import type { Logger } from '../observe/logging.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { Signal } from '../concurrency/signal.ts';
import type { ConsumerId } from './consumer.ts';
import type { Lease } from './leases.ts';
import type { ConsumerRunner } from './runtime.ts';
import { YieldLease } from './yield-lease.ts';

export interface LeasedWork {
  /** One pass. @returns Milliseconds to rest before the next one, unless woken earlier. */
  work(): Promise<number>;
  /** Called when the work has ended: the lease is over, or a pass has yielded it. */
  stop?(): void | Promise<void>;
}

export interface LeasedWorkerParts {
  readonly consumer: ConsumerId;
  readonly logger: Pick<Logger, 'warn'>;
  /** Logged with each failure of `work`, which is then repeated with growing pauses. */
  readonly failure: string;
  /** Wakeups end a rest. Default: none. */
  readonly wakeups?: Signal;
  /** Wakeups this soon after the first one cause no further pass. Default 0. */
  readonly debounceMs?: number;
  /** Called once the lease is held; holds the state of the work in its closure. */
  readonly start: (lease: Lease) => LeasedWork | Promise<LeasedWork>;
}

/** Work without a checkpoint that needs one owner at a time: passes with rests between them. */
export const leasedWorker = (parts: LeasedWorkerParts): ConsumerRunner => {
  const { consumer, logger, failure, wakeups, debounceMs, start } = parts;
  return {
    consumer,

    async run(lease) {
      const { work, stop } = await start(lease);
      const failed = (error: unknown) => {
        // The end of the lease interrupted the pass.
        if (lease.signal.aborted) return;
        if (error instanceof YieldLease) throw error;
        logger.warn({ err: error, consumer }, failure);
      };
      try {
        await repeat(work, { signal: lease.signal, failed, wakeups, debounceMs });
      } finally {
        await stop?.();
      }
    },
  };
};
