/**
 * Sends the browser's outbox until the server has accepted all of it: first every report and note,
 * then their photos. Each is retried under its own `Idempotency-Key`: closed pages, lost
 * connections and two open tabs make one ticket, one note and one photo. docs/decisions/0092.
 */
import { isPassing } from '../../../sdk/src/problems.ts';
import { backoffMs } from '../../../sdk/src/retries.ts';
import type { Command, OutboxStore, Waiting, WaitingPhoto } from './waiting.ts';

/** Reports and notes in the outbox; a further one is refused. */
export const WAITING_MAX = 20;

export interface Sender {
  /** @returns the id of the ticket. */
  readonly give: (command: Command, key: string) => Promise<string>;
  /** @param onSent Called with the progress of the photo, from 0 to 1. */
  readonly attach: (
    ticketId: string,
    photo: WaitingPhoto,
    onSent: (share: number) => void,
  ) => Promise<void>;
  /** The reason of a refusal, as text for the user. */
  readonly wordsOf: (error: unknown) => string;
}

export interface OutboxItem extends Waiting {
  /** Progress of the current photo, 0 while the command is sent; `null` while it waits. */
  readonly sent: number | null;
  /** False if the browser could not store it: it is lost with this page. */
  readonly isKept: boolean;
}

/** The outcome of the first attempt. */
export type FirstAnswer =
  | { readonly became: 'ticket'; readonly ticketId: string }
  | { readonly became: 'waiting' };

export interface Outbox {
  readonly items: () => readonly OutboxItem[];
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Stores an item and sends it.
   *
   * @returns after the first attempt, or after `waitMs`.
   * @throws the refusal of the server, after which the item is not kept; an Error if too many wait.
   */
  readonly add: (
    waiting: Pick<Waiting, 'id' | 'command' | 'photos'>,
    waitMs: number,
  ) => Promise<FirstAnswer>;
  readonly discard: (id: string) => void;
  /** Retries a refused item. */
  readonly again: (id: string) => void;
  /** Retries at once, for example when the connection may be restored. */
  readonly wake: () => void;
  readonly close: () => void;
}

export interface OutboxParts {
  readonly store: OutboxStore;
  readonly sender: Sender;
  /** Only tests replace these two. */
  readonly now?: () => number;
  readonly retryMs?: (attempt: number) => number;
}

/** Starts with the items that earlier pages have left. */
export const openOutbox = ({
  store,
  sender,
  now = Date.now,
  retryMs = backoffMs,
}: OutboxParts): Outbox => {
  const listeners = new Set<() => void>();
  /** Commands whose first attempt is awaited, by id. */
  const awaited = new Map<string, PromiseWithResolvers<FirstAnswer>>();
  /** Items that are shown until the store has removed them, and not sent any more. */
  const discarded = new Set<string>();
  let items: readonly OutboxItem[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRunning = false;
  let isClosed = false;
  let attempt = 0;

  const set = (next: readonly OutboxItem[]) => {
    items = next;
    listeners.forEach((listener) => listener());
  };
  const has = (id: string) => !discarded.has(id) && items.some((item) => item.id === id);
  const show = (id: string, change: Partial<OutboxItem>) =>
    set(items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  const keep = async (item: OutboxItem) => {
    const { sent: _sent, isKept: _isKept, ...waiting } = item;
    const isKept = await store.put(waiting).then(
      () => true,
      () => false,
    );
    // The item was discarded while it was stored.
    if (!has(item.id)) await store.remove(item.id).catch(() => undefined);
    else show(item.id, { ...waiting, isKept });
  };
  const remove = async (id: string) => {
    set(items.filter((item) => item.id !== id));
    // If this fails, the item is sent again later, under the same idempotency keys.
    await store.remove(id).catch(() => undefined);
  };

  const discard = async (id: string) => {
    discarded.add(id);
    // Before it is hidden: a page that is left meanwhile must not bring it back, and send it.
    // If that fails, the next page shows it again.
    await store.remove(id).catch(() => undefined);
    set(items.filter((item) => item.id !== id));
    discarded.delete(id);
  };

  const nextStep = (): OutboxItem | undefined => {
    if (isClosed) return undefined;
    const open = items.filter(({ id, refusal }) => refusal === null && has(id));
    return open.find(({ ticketId }) => ticketId === null) ?? open[0];
  };
  const take = async (item: OutboxItem) => {
    const { id, command, ticketId } = item;
    if (ticketId === null) {
      const made = await sender.give(command, id);
      awaited.get(id)?.resolve({ became: 'ticket', ticketId: made });
      if (item.photos.length === 0) return remove(id);
      return has(id) && keep({ ...item, ticketId: made });
    }
    const [photo, ...others] = item.photos;
    if (photo) await sender.attach(ticketId, photo, (sent) => show(id, { sent }));
    if (others.length === 0) return remove(id);
    return has(id) && keep({ ...item, photos: others });
  };
  const refuse = (item: OutboxItem, error: unknown) => {
    const first = awaited.get(item.id);
    first?.reject(error);
    if (first) return remove(item.id);
    return has(item.id) && keep({ ...item, refusal: sender.wordsOf(error) });
  };
  const run = async () => {
    clearTimeout(timer);
    if (isRunning || isClosed) return;
    isRunning = true;
    for (let item = nextStep(); item !== undefined; item = nextStep()) {
      show(item.id, { sent: 0 });
      try {
        await take(item);
        attempt = 0;
      } catch (error) {
        if (isPassing(error)) {
          // The items behind it wait too.
          for (const first of awaited.values()) first.resolve({ became: 'waiting' });
          show(item.id, { sent: null });
          timer = setTimeout(() => void run(), retryMs(attempt));
          attempt += 1;
          break;
        }
        await refuse(item, error);
      }
      show(item.id, { sent: null });
    }
    isRunning = false;
  };

  const begin = async () => {
    const found = await store.all().catch(() => []);
    const earlier = found.filter(({ id }) => !has(id));
    set([...earlier.map((item) => ({ ...item, sent: null, isKept: true })), ...items]);
    await run();
  };
  void begin();

  return {
    items: () => items,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async add(waiting, waitMs) {
      if (items.length >= WAITING_MAX)
        throw new Error(`${WAITING_MAX} reports are still waiting to be sent. Send those first.`);
      const first = Promise.withResolvers<FirstAnswer>();
      awaited.set(waiting.id, first);
      const item = { ...waiting, at: now(), ticketId: null, refusal: null };
      set([...items, { ...item, sent: null, isKept: true }]);
      await keep({ ...item, sent: null, isKept: true });
      const enough = setTimeout(() => first.resolve({ became: 'waiting' }), waitMs);
      void run();
      try {
        return await first.promise;
      } finally {
        clearTimeout(enough);
        awaited.delete(waiting.id);
      }
    },
    discard: (id) => void discard(id),
    again(id) {
      const item = items.find((candidate) => candidate.id === id);
      if (item) void keep({ ...item, refusal: null }).then(run);
    },
    wake() {
      attempt = 0;
      void run();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
};
