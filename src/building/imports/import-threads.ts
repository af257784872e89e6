import {
  reusableThreads,
  type ReusableThreadOptions,
  type ReusableThreads,
} from '../../engine/concurrency/reusable-threads.ts';
import { IMPORT_HEAP_MAX_MIB } from './limits.ts';

/** Of imports: at most as many as there ever were imports at once. */
export type ImportThreads = Pick<ReusableThreads, 'acquire' | 'release'>;

/**
 * @param options `heapMaxMib`: memory that one import may use, default {@link IMPORT_HEAP_MAX_MIB}.
 */
export const importThreads = (
  options: Partial<Omit<ReusableThreadOptions, 'script'>> = {},
): ImportThreads =>
  reusableThreads({
    heapMaxMib: IMPORT_HEAP_MAX_MIB,
    ...options,
    script: new URL('./thread.ts', import.meta.url),
  });
