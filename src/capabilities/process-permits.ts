import {
  fairSemaphore,
  type FairSemaphore,
  type FairSemaphoreBounds,
} from '../engine/concurrency/fair-semaphore.ts';

/** The semaphore of these bounds; the same bounds object has the same one. */
export type ProcessPermits = (bounds: FairSemaphoreBounds) => FairSemaphore;

/**
 * Bounds work that takes threads, memory or connections of the process: its platforms, the
 * sandboxes among them, share one set. contract.md section 4.
 */
export const processPermits = (): ProcessPermits => {
  const semaphores = new Map<FairSemaphoreBounds, FairSemaphore>();
  return (bounds) => {
    const semaphore = semaphores.get(bounds) ?? fairSemaphore(bounds);
    semaphores.set(bounds, semaphore);
    return semaphore;
  };
};
