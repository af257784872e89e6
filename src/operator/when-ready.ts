import { RETRY_FIRST_MS } from '../engine/limits.ts';
import { NOT_READY_NOTICE_MS, READY_LOOK_MAX_MS } from './limits.ts';
import { backoff } from '../engine/concurrency/backoff.ts';
import type { Logger } from '../engine/observe/logging.ts';
import type { ReadinessSource } from '../engine/observe/readiness-error.ts';

/**
 * Waits until a started process can serve requests, however long its read models take to build.
 * After {@link NOT_READY_NOTICE_MS} it logs the reasons, once for each set of reasons.
 *
 * @returns `false` if `signal` aborted first.
 */
export const whenReady = async (
  { reasons }: Pick<ReadinessSource, 'reasons'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<boolean> => {
  const noticeAt = performance.now() + NOT_READY_NOTICE_MS;
  const delays = backoff(RETRY_FIRST_MS / 4, READY_LOOK_MAX_MS);
  let logged = '';
  while (!signal.aborted) {
    const found = await reasons();
    if (found.length === 0) return true;
    if (performance.now() >= noticeAt && logged !== found.join()) {
      logger.warn({ reasons: found }, 'Atrium is not ready yet');
      logged = found.join();
    }
    await delays.pause(signal);
  }
  return false;
};
