import {
  reusableThreads,
  type ReusableThreadOptions,
  type ReusableThreads,
} from '../../engine/concurrency/reusable-threads.ts';
import { IMPORT_HEAP_MAX_MIB } from './limits.ts';

/** Reusable threads; their number grows with the number of concurrent imports. */
export type ImportThreads = Pick<ReusableThreads, 'acquire' | 'release'>;

/**
 * @param options `heapMaxMib`: memory limit of one import, default {@link IMPORT_HEAP_MAX_MIB}.
 */
export const importThreads = (
  options: Partial<Omit<ReusableThreadOptions, 'script'>> = {},
): ImportThreads =>
  reusableThreads({
    heapMaxMib: IMPORT_HEAP_MAX_MIB,
    ...options,
    script: new URL('./thread.ts', import.meta.url),
  });
