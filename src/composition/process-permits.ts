import {
  fairSemaphore,
  type FairSemaphore,
  type FairSemaphoreBounds,
} from '../engine/concurrency/fair-semaphore.ts';

/** The semaphore with these bounds: one per bounds object. */
export type ProcessPermits = (bounds: FairSemaphoreBounds) => FairSemaphore;

/**
 * Bounds work that needs threads, memory or connections of the process. All its platforms share one
 * set, sandboxes included. contract.md section 4.
 */
export const processPermits = (): ProcessPermits => {
  const semaphores = new Map<FairSemaphoreBounds, FairSemaphore>();
  return (bounds) => {
    const semaphore = semaphores.get(bounds) ?? fairSemaphore(bounds);
    semaphores.set(bounds, semaphore);
    return semaphore;
  };
};
