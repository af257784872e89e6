import type { AtriumOptions } from './client.ts';
import { LiveRefusedError, type LiveItem } from './live-items.ts';
import { heard } from './live-session.ts';
import { backoffMs, pause } from './retries.ts';

/** @experimental */
export interface LiveOptions {
  /** The position that was kept. Default: from now on. */
  readonly since?: string | null;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
}

/**
 * What a building tells, in its order, none twice and none left out but before a `resync`. The loop
 * outlives connections, servers and tokens; it lasts until it is left or its signal ends it.
 *
 * @throws {@link LiveRefusedError} where another attempt would change nothing.
 * @experimental
 */
export type Live = (
  buildingId: string,
  options?: LiveOptions,
) => AsyncGenerator<LiveItem, void, undefined>;

/** @experimental */
export interface LiveServerOptions
  extends Pick<AtriumOptions, 'url'>, Required<Pick<AtriumOptions, 'token'>> {
  /** Options of `socket.io-client` beside our own, such as an `agent`. */
  readonly socket?: object;
}

/** Connects when a loop begins. @experimental */
export const createLive = (options: LiveServerOptions): Live => {
  const { url, token, socket = {} } = options;
  const server = {
    url: url.replace(/\/+$/, ''),
    socket,
    token: async () => (typeof token === 'string' ? token : token()),
  };
  return async function* live(buildingId, { since = null, signal } = {}) {
    let position = since;
    const isEnded = () => signal?.aborted === true;
    for (let failures = 0; !isEnded(); failures += 1) {
      if (failures > 0) await pause(backoffMs(failures - 1), signal).catch(() => {});
      if (isEnded()) return;
      const joined = () => (failures = 0);
      const wanted = { buildingId, since: position };
      try {
        for await (const item of heard(server, wanted, { joined, signal })) {
          ({ position } = item);
          yield item;
        }
      } catch (error) {
        if (isEnded()) return;
        if (error instanceof LiveRefusedError && !PASSING.has(error.code)) throw error;
      }
    }
  };
};

/** What the server may answer otherwise in a while. */
const PASSING: ReadonlySet<string> = new Set(['UNAVAILABLE', 'RATE_LIMITED', 'INTERNAL']);
