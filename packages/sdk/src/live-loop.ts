import type { AtriumOptions } from './client.ts';
import { RETRY_BUDGET_MS, eachStateOnce, type FollowOptions } from './following.ts';
import type { LiveEvent, LiveItem, LiveResync } from './live-items.ts';
import { isFinal } from './live-refusals.ts';
import { heard } from './live-session.ts';
import { socketOptionsFor } from './localhost.ts';
import { failuresWithin, pauseUnlessAborted } from './retries.ts';

/** @experimental */
export interface LiveOptions extends FollowOptions {
  /** The stored position. Default: from now on. */
  readonly since?: string | null;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
}

/** By the names of events; each is awaited before the next event. @experimental */
export type LiveHandlers = {
  readonly [Name in LiveEvent['event']]?: (
    event: Extract<LiveEvent, { readonly event: Name }>,
  ) => void | Promise<void>;
} & {
  readonly resync?: (item: LiveResync) => void | Promise<void>;
  /** After each item: store it, and pass it as `since` to continue after it. */
  readonly position?: (position: string) => void | Promise<void>;
};

/**
 * The events of a building in order, each exactly once; gaps are announced by a `resync`. The loop
 * survives lost connections, restarts of servers and expired tokens, and lasts until it is left or
 * its signal aborts.
 *
 * @throws `LiveRefusedError` if a retry would be refused too; the last failure after
 *   `retryBudgetMs` (default 60,000) of failures in a row; `AtriumUnreachableError` at once if the
 *   host of the first connection has no address.
 * @experimental
 */
export interface Live {
  (buildingId: string, options?: LiveOptions): AsyncGenerator<LiveItem, void, undefined>;
  /** The same by handlers. Resolves when its signal ends it; rejects as the loop throws. */
  readonly on: (buildingId: string, handlers: LiveHandlers, options?: LiveOptions) => Promise<void>;
}

/** @experimental */
export interface LiveServerOptions
  extends
    Pick<AtriumOptions, 'url' | 'retryBudgetMs' | 'onRetry'>,
    Required<Pick<AtriumOptions, 'token'>> {
  /** Options of `socket.io-client` beside our own, such as an `agent`. */
  readonly socket?: object;
}

/** Connects when a loop begins; in Node also to addresses below `localhost`. @experimental */
export const createLive = (options: LiveServerOptions): Live => {
  const { token, socket = {}, onRetry } = options;
  const url = options.url.replace(/\/+$/, '');
  const server = {
    url,
    socketOptions: async () => ({ ...(await socketOptionsFor(url)), ...socket }),
    token: async () => (typeof token === 'string' ? token : token()),
  };
  const loop = async function* live(
    buildingId: string,
    { since = null, signal, onStatus, retryBudgetMs }: LiveOptions = {},
  ) {
    let position = since;
    let wasConnected = false;
    const budgetMs = retryBudgetMs ?? options.retryBudgetMs ?? RETRY_BUDGET_MS;
    const failures = failuresWithin({ budgetMs, onRetry });
    const report = eachStateOnce(onStatus);
    const isEnded = () => signal?.aborted === true;
    const joined = () => {
      wasConnected = true;
      failures.clear();
      report({ state: 'connected' });
    };
    while (!isEnded()) {
      report({ state: 'connecting' });
      try {
        const attempt = { joined, attempts: failures.count + 1, signal };
        for await (const item of heard(server, { buildingId, since: position }, attempt)) {
          ({ position } = item);
          yield item;
        }
      } catch (reason) {
        if (isEnded()) return;
        if (isFinal(reason, wasConnected)) throw reason;
        const failed = failures.next('GET', '/socket.io/', reason);
        report({ state: 'waiting', ...failed });
        await pauseUnlessAborted(failed.delayMs, signal);
      }
    }
  };
  return Object.assign(loop, { on: handling(loop) });
};

const handling =
  (live: (buildingId: string, options?: LiveOptions) => AsyncIterable<LiveItem>): Live['on'] =>
  async (buildingId, handlers, options) => {
    for await (const item of live(buildingId, options)) {
      if (item.resync) await handlers.resync?.(item);
      // The name and the event belong together: the type of one does not say so of the other.
      else
        await (handlers[item.event] as ((event: LiveEvent) => void | Promise<void>) | undefined)?.(
          item,
        );
      await handlers.position?.(item.position);
    }
  };
