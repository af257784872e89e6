/** The live service of the main platform, over its own listener. contract.md section 8. */
import { liveListener, type LiveListener } from './listener.ts';
import { liveService, type LiveServiceParts } from './service.ts';

export interface LiveServerParts extends LiveServiceParts {
  /** Pages that may connect. */
  readonly origins: readonly string[];
}

export const liveServer = (parts: LiveServerParts): LiveListener => {
  const { origins, logger } = parts;
  const { admit, close } = liveService(parts);
  const listener = liveListener({
    admit,
    origins,
    logger,
    connectionsMax: parts.bounds?.connectionsMax,
  });
  return {
    ...listener,
    async close() {
      close();
      await listener.close();
    },
  };
};
