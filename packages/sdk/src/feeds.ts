import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { isPassing } from './problems.ts';
import { ticketEventOf, type TicketEvent } from './events.ts';
import { RETRY_BUDGET_MS, eachStateOnce, type FollowOptions } from './following.ts';
import { backoffMs, failuresWithin, pauseUnlessAborted, type Retry } from './retries.ts';

type Schemas = components['schemas'];

/** @stable */
export interface FeedOptions extends FollowOptions {
  /** The stored cursor. Default: from the beginning. */
  readonly after?: string | null;
  /** Items in one page, 1 to 500. Default 100. */
  readonly limit?: number;
  /** Wait for new items, without end; `false` stops at the end of the feed. Default true. */
  readonly follow?: boolean;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
}

/**
 * Items in order, without duplicates or gaps. Apply `items`, then store `cursor`: a program that
 * stops in between gets the same items again (at least once).
 *
 * @stable
 */
export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly cursor: string;
}

/** A page of the change feed: its items, and the same as events. @stable */
export interface ChangePage extends FeedPage<
  Schemas['TicketChange'] | Schemas['UnreadableChange']
> {
  /** In the order of `items`; `events[i].data` is `items[i]`. */
  readonly events: readonly TicketEvent[];
}

/**
 * Loops that survive a restart of the server. A failure that a retry can pass is thrown after
 * `retryBudgetMs` (default 60,000) of failures in a row, any other at once.
 *
 * @stable
 */
export interface Feeds {
  /**
   * Every change of every ticket of the organisation. One that is `unreadable` has no ticket: an
   * operator has skipped it.
   */
  readonly changes: (
    options?: FeedOptions & { readonly buildingId?: string },
  ) => AsyncGenerator<ChangePage, void, undefined>;
  /** Every record of the audit of keys, oldest first. */
  readonly audit: (
    options?: FeedOptions,
  ) => AsyncGenerator<FeedPage<Schemas['AuditRecord']>, void, undefined>;
}

/** The longest that the server holds an answer. */
const WAIT_S = 25;
const PAGE_DEFAULT = 100;

interface Asked {
  readonly after: string;
  readonly limit: number;
  readonly wait: number;
  readonly signal?: AbortSignal;
}

interface Answer<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  /** Absent: an empty page is the end. */
  readonly caughtUp?: boolean;
  /** The feed stops before an event that the server cannot read. */
  readonly blocked?: object;
}

type Read<Item> = (asked: Asked) => Promise<Answer<Item>>;

/** How feeds read: by clients that wait as long as the server holds an answer. */
export interface FeedParts {
  /** Retries automatically. */
  readonly client: Calls;
  /** Does not retry: the loop does. */
  readonly single: Calls;
  readonly retryBudgetMs: number | undefined;
  readonly onRetry: ((retry: Retry) => void) | undefined;
}

const CHANGES = '/api/service-desk/changes';
const AUDIT = '/api/v1/keys/audit';

export const changeFeed = (parts: FeedParts): Feeds['changes'] =>
  async function* changes({ buildingId, ...options } = {}) {
    const feed = { ...partsFor(parts, options), path: CHANGES, beginning: '0' };
    const read: Read<ChangePage['items'][number]> = async ({ signal, ...asked }) => {
      const query = { ...asked, ...(buildingId === undefined ? {} : { buildingId }) };
      const { data } = await feed.client.GET(CHANGES, {
        params: { query },
        ...(signal && { signal }),
      });
      return data;
    };
    for await (const page of followed(feed, options, read))
      yield { ...page, events: page.items.map(ticketEventOf) };
  };

export const auditFeed =
  (parts: FeedParts): Feeds['audit'] =>
  (options = {}) => {
    const feed = { ...partsFor(parts, options), path: AUDIT, beginning: 'start' };
    return followed(feed, options, async ({ signal, ...query }) => {
      const { data } = await feed.client.GET(AUDIT, {
        params: { query },
        ...(signal && { signal }),
      });
      return data;
    });
  };

/** One that does not follow is as persistent as any request. */
const partsFor = (
  { client, single, onRetry, retryBudgetMs: budgetMs = RETRY_BUDGET_MS }: FeedParts,
  { follow = true, retryBudgetMs = budgetMs }: FeedOptions,
) => ({ client: follow ? single : client, onRetry, budgetMs: retryBudgetMs });

interface Feed {
  readonly path: string;
  readonly beginning: string;
  readonly budgetMs: number;
  readonly onRetry: FeedParts['onRetry'];
}

async function* followed<Item>(
  { path, beginning, budgetMs, onRetry }: Feed,
  { after, limit = PAGE_DEFAULT, follow = true, signal, onStatus }: FeedOptions,
  read: Read<Item>,
): AsyncGenerator<FeedPage<Item>, void, undefined> {
  let cursor = after ?? beginning;
  const isEnded = () => signal?.aborted === true;
  const failures = failuresWithin({ budgetMs, onRetry });
  const report = eachStateOnce(onStatus);
  let isConnected = false;
  report({ state: 'connecting' });
  while (!isEnded()) {
    try {
      // At first, and after a failure, the answer shows at once that the feed is followed.
      const wait = follow && isConnected ? WAIT_S : 0;
      const page = await read({ after: cursor, limit, wait, ...(signal && { signal }) });
      failures.clear();
      isConnected = true;
      report({ state: 'connected' });
      const next = page.nextCursor ?? cursor;
      const moved = next !== cursor;
      cursor = next;
      // An empty page whose cursor has moved is yielded, so that its range is not searched again.
      if (page.items.length > 0 || moved) yield { items: page.items, cursor };
      const isEnd = page.caughtUp ?? (page.items.length === 0 && !moved);
      const isBlocked = page.blocked !== undefined;
      if (!follow && (isEnd || isBlocked)) return;
      // The server's index may be behind the log, or a proxy may answer in place of the server.
      const isIdle = page.items.length === 0 && !moved;
      if (isIdle) await pauseUnlessAborted(backoffMs(0), signal);
    } catch (error) {
      if (isEnded()) return;
      if (!follow || !isPassing(error)) throw error;
      // A follower survives a restart: it continues from its cursor when the server is back.
      const failed = failures.next('GET', path, error);
      isConnected = false;
      report({ state: 'waiting', ...failed });
      await pauseUnlessAborted(failed.delayMs, signal);
    }
  }
}
