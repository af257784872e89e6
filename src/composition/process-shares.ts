import { httpBounds, type HttpBounds } from '../api/http/http-bounds.ts';
import { importThreads, type ImportThreads } from '../building/imports/import-threads.ts';
import { processPermits, type ProcessPermits } from './process-permits.ts';

/** The parts that all platforms of a process share, sandboxes included. */
export interface ProcessShares {
  readonly permits: ProcessPermits;
  readonly importThreads: ImportThreads;
  readonly httpBounds: HttpBounds;
}

export const processShares = (): ProcessShares => ({
  permits: processPermits(),
  importThreads: importThreads(),
  httpBounds: httpBounds(),
});
