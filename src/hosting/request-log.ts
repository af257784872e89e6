/** Writes the request log of the sandboxes that are active in this process, in the background. */
import { repeat } from '../engine/concurrency/repeat.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { LoggedRequest, SandboxRequestRows } from '../projections/sandboxes/requests.ts';
import {
  SANDBOX_REQUESTS_BATCH_MAX,
  SANDBOX_REQUESTS_PENDING_MAX,
  SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX,
  SANDBOX_REQUESTS_TRIM_MS,
  SANDBOX_REQUESTS_WRITE_MS,
} from './limits.ts';

export interface RequestLog {
  /** Returns at once. Beyond the bounds the request is dropped and counted. */
  record(request: Omit<LoggedRequest, 'at'>): void;
  /** Writes and trims until `signal` aborts, then writes the rest once. */
  run(signal: AbortSignal): Promise<void>;
}

export interface RequestLogParts {
  readonly rows: Pick<SandboxRequestRows, 'write' | 'trim'>;
  /** The main platform's clock. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with the number of dropped rows. */
  readonly dropped: (count: number) => void;
}

export const requestLog = ({ rows, clock, logger, dropped }: RequestLogParts): RequestLog => {
  let pending: LoggedRequest[] = [];
  const pendingOf = new Map<string, number>();
  /** Sandboxes written to since the last trim. */
  const written = new Set<string>();
  let trimmedAt = performance.now();

  const write = async (): Promise<void> => {
    while (pending.length > 0) {
      const batch = pending.slice(0, SANDBOX_REQUESTS_BATCH_MAX);
      await rows.write(batch);
      pending = pending.slice(batch.length);
      for (const { sandboxId } of batch) {
        const left = pendingOf.get(sandboxId)! - 1;
        if (left === 0) pendingOf.delete(sandboxId);
        else pendingOf.set(sandboxId, left);
        written.add(sandboxId);
      }
    }
  };

  const trim = async (): Promise<void> => {
    if (performance.now() - trimmedAt < SANDBOX_REQUESTS_TRIM_MS) return;
    await rows.trim([...written], clock.now());
    written.clear();
    trimmedAt = performance.now();
  };

  const failed = (error: unknown) =>
    logger.warn({ err: error, pending: pending.length }, 'the request log cannot be written');

  return {
    record(request) {
      const { sandboxId } = request;
      const of = pendingOf.get(sandboxId) ?? 0;
      const isFull = pending.length >= SANDBOX_REQUESTS_PENDING_MAX;
      if (isFull || of >= SANDBOX_REQUESTS_PENDING_OF_SANDBOX_MAX) return dropped(1);
      pending.push({ ...request, at: clock.now() });
      pendingOf.set(sandboxId, of + 1);
    },

    async run(signal) {
      const pass = async () => {
        await write();
        await trim();
        return SANDBOX_REQUESTS_WRITE_MS;
      };
      await repeat(pass, { signal, failed });
      await write().catch((error: unknown) => {
        failed(error);
        dropped(pending.length);
      });
    },
  };
};
