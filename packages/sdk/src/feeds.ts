import type { Calls } from './calls.ts';
import type { components } from './openapi.ts';
import { isPassing } from './problems.ts';
import { backoffMs, pause } from './retries.ts';

type Schemas = components['schemas'];

/** @stable */
export interface FeedOptions {
  /** The cursor that was kept. Default: from the beginning. */
  readonly after?: string | null;
  /** Items in one page, 1 to 500. Default 100. */
  readonly limit?: number;
  /** Wait for what comes, for ever; `false` ends where there is nothing more. Default true. */
  readonly follow?: boolean;
  /** Ends the loop, without an error. */
  readonly signal?: AbortSignal;
}

/**
 * What happened, in its order, none twice and none left out. Apply `items`, then keep `cursor`: a
 * program that stops in between is given the same items again.
 *
 * @stable
 */
export interface FeedPage<Item> {
  readonly items: readonly Item[];
  readonly cursor: string;
}

/** @stable */
export interface Feeds {
  /**
   * Every change of every ticket of the organisation. One that is `unreadable` has no ticket: an
   * operator has had the feed pass over it.
   */
  readonly changes: (
    options?: FeedOptions & { readonly buildingId?: string },
  ) => AsyncGenerator<
    FeedPage<Schemas['TicketChange'] | Schemas['UnreadableChange']>,
    void,
    undefined
  >;
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

export const changeFeed =
  (client: Calls): Feeds['changes'] =>
  ({ buildingId, ...options } = {}) =>
    followed('0', options, async ({ signal, ...asked }) => {
      const query = { ...asked, ...(buildingId === undefined ? {} : { buildingId }) };
      const { data } = await client.GET('/api/service-desk/changes', {
        params: { query },
        ...(signal && { signal }),
      });
      return data;
    });

export const auditFeed =
  (client: Calls): Feeds['audit'] =>
  (options = {}) =>
    followed('start', options, async ({ signal, ...query }) => {
      const { data } = await client.GET('/api/v1/keys/audit', {
        params: { query },
        ...(signal && { signal }),
      });
      return data;
    });

async function* followed<Item>(
  beginning: string,
  { after, limit = PAGE_DEFAULT, follow = true, signal }: FeedOptions,
  read: Read<Item>,
): AsyncGenerator<FeedPage<Item>, void, undefined> {
  let cursor = after ?? beginning;
  const isEnded = () => signal?.aborted === true;
  for (let failures = 0; !isEnded();) {
    try {
      const wait = follow ? WAIT_S : 0;
      const page = await read({ after: cursor, limit, wait, ...(signal && { signal }) });
      failures = 0;
      const next = page.nextCursor ?? cursor;
      const moved = next !== cursor;
      cursor = next;
      // An empty page whose cursor has moved is worth keeping: it need not be searched again.
      if (page.items.length > 0 || moved) yield { items: page.items, cursor };
      const isEnd = page.caughtUp ?? (page.items.length === 0 && !moved);
      const isBlocked = page.blocked !== undefined;
      if (!follow && (isEnd || isBlocked)) return;
      // The server's index is behind the log, so that the end of the feed is not known yet.
      const isBehind = page.caughtUp === false && !moved && !isBlocked;
      if (isBehind) await pause(backoffMs(0), signal).catch(() => {});
    } catch (error) {
      if (isEnded()) return;
      if (!follow || !isPassing(error)) throw error;
      // Whoever follows outlives the server: it goes on where it was, when the server is back.
      await pause(backoffMs(failures), signal).catch(() => {});
      failures += 1;
    }
  }
}
