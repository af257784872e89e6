/** The live service of the main platform, over its own listener. contract.md section 8. */
import type { ConnectionBounds } from './connection-counts.ts';
import { liveListener, type LiveListener } from './listener.ts';
import { liveService, type LiveBounds, type LiveServiceParts } from './service.ts';

export interface LiveServerParts extends LiveServiceParts {
  /** Pages that may connect. */
  readonly origins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Default: those of ./limits.ts. */
  readonly bounds?: Partial<LiveBounds & ConnectionBounds>;
}

export const liveServer = (parts: LiveServerParts): LiveListener => {
  const { origins, trustedProxies, logger, bounds } = parts;
  const { admit, close } = liveService(parts);
  const listener = liveListener({ admit, origins, trustedProxies, logger, bounds });
  return {
    ...listener,
    async close() {
      close();
      await listener.close();
    },
  };
};
