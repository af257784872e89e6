import { importThreads, type ImportThreads } from '../building/imports/import-threads.ts';
import { processPermits, type ProcessPermits } from './process-permits.ts';

/** What the platforms of a process share, the sandboxes among them. */
export interface ProcessShares {
  readonly permits: ProcessPermits;
  readonly importThreads: ImportThreads;
}

export const processShares = (): ProcessShares => ({
  permits: processPermits(),
  importThreads: importThreads(),
});
