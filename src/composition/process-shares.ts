import { importThreads, type ImportThreads } from '../building/imports/import-threads.ts';
import { processPermits, type ProcessPermits } from './process-permits.ts';

/** The parts that all platforms of a process share, sandboxes included. */
export interface ProcessShares {
  readonly permits: ProcessPermits;
  readonly importThreads: ImportThreads;
}

export const processShares = (): ProcessShares => ({
  permits: processPermits(),
  importThreads: importThreads(),
});
