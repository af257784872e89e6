/** Where the lines of `atrium tail` come from; each goes on until its signal is aborted. */
import type { Atrium } from '../../../sdk/src/index.ts';
import { AtriumError, isPassing } from '../../../sdk/src/problems.ts';
import { backoffMs, pauseUnlessAborted } from '../../../sdk/src/retries.ts';
import type { Platform } from './platform.ts';
import type { TailLine } from './tail-lines.ts';
import { liveItems } from './live-items.ts';

/** `ready`, once: nothing that happens from now on is missed. */
export type Source = AsyncGenerator<TailLine | 'ready', void, undefined>;

/** The longest that the server holds an empty page. */
const WAIT_S = 25;

interface Requests {
  readonly sandboxId: string;
  /** The name of requests that are left out. */
  readonly mine: string;
  readonly signal: AbortSignal;
  readonly notice: (words: string) => void;
}

/** @param server Not the sandbox: the server logs the requests of its host. */
export async function* requestsOf(
  server: Atrium,
  { sandboxId, mine, signal, notice }: Requests,
): Source {
  let after = 'end';
  for (let failures = 0; !signal.aborted;) {
    try {
      const isFirst = after === 'end';
      const query = { after, wait: isFirst ? 0 : WAIT_S };
      const params = { path: { id: sandboxId }, query };
      const path = '/api/v1/sandboxes/{id}/requests';
      const { data } = await server.GET(path, { params, signal });
      failures = 0;
      after = data.nextCursor;
      if (isFirst) yield 'ready';
      for (const item of data.items)
        if (item.requestId !== mine) yield { type: 'request', ...item };
    } catch (error) {
      if (signal.aborted) return;
      if (AtriumError.is(error) && error.status === 404 && after === 'end') {
        notice('This server has no request log: only events are printed.');
        yield 'ready';
        return;
      }
      if (!isPassing(error)) throw error;
      await pauseUnlessAborted(backoffMs(failures), signal);
      failures += 1;
    }
  }
}

export async function* ticketsOf(client: Atrium, signal: AbortSignal): Source {
  let isReady = false;
  // Retries until the user interrupts it.
  const retryBudgetMs = Number.POSITIVE_INFINITY;
  for await (const { items } of client.changes({ after: 'end', retryBudgetMs, signal })) {
    if (!isReady) yield 'ready';
    isReady = true;
    for (const item of items) yield { type: 'ticket', ...item };
  }
}

export async function* eventsOf(
  platform: Pick<Platform, 'url' | 'token'>,
  buildingId: string,
  signal: AbortSignal,
): Source {
  let isReady = false;
  for await (const item of liveItems(platform, buildingId, { since: null, signal })) {
    if (!isReady) yield 'ready';
    isReady = true;
    if (item.resync) continue;
    const { event, data, timestamp, position } = item;
    yield { type: 'event', buildingId, event, data, timestamp, position };
  }
}
