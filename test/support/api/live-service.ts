import { onTestFinished } from 'vitest';
import { openLiveService, type LiveService, type LiveServiceOptions } from './open-live-service.ts';

export { sessionOf, type LiveService } from './open-live-service.ts';

/** The live service without a platform; closed with the test. */
export const liveService = async (options?: LiveServiceOptions): Promise<LiveService> => {
  const service = await openLiveService(options);
  onTestFinished(() => service.close());
  return service;
};
