export interface BatcherOptions<Item, Result> {
  /**
   * Writes one batch.
   *
   * @returns One result per item, in the order of the items; an `Error` rejects that caller alone.
   * @throws An error that rejects every caller of the batch, such as `LogUnavailable`.
   */
  readonly write: (key: string, items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** How many of the waiting items make the next batch, at least 1: see {@link upTo}. Total. */
  readonly next: (waiting: readonly Item[]) => number;
  /** Batches of one key written at once. Default 1: `Infinity` never waits for an earlier batch. */
  readonly perKeyMax?: number;
  /** Batches written at once; keys take turns. Default: no bound. */
  readonly inAllMax?: number;
  /** Starts the first batch of a key. Default: after this turn of the event loop. */
  readonly defer?: (start: () => void) => void;
}

/**
 * Group commit without a timer: items of one key that arrive while its batch is written share the
 * next one, so a lone item is written at once and batches grow with the load.
 */
export const batcher = <Item, Result>(
  options: BatcherOptions<Item, Result>,
): ((key: string, item: Item) => Promise<Result>) => {
  const { write, next, perKeyMax = 1, inAllMax = Infinity, defer = setImmediate } = options;
  const queues = new Map<string, Queue<Item, Result>>();
  /** Queues whose first batch waits for the end of the turn. */
  let fresh: Queue<Item, Result>[] = [];
  /** Queues whose next batch may be written, in FIFO order. */
  const ready: Queue<Item, Result>[] = [];
  let writing = 0;

  const isStartable = ({ isScheduled, items, writing: own }: Queue<Item, Result>): boolean =>
    !isScheduled && items.length > 0 && own < perKeyMax;

  const makeReady = (queue: Queue<Item, Result>) => {
    if (!isStartable(queue)) return;
    queue.isScheduled = true;
    ready.push(queue);
  };

  /** Never rejects. */
  const writeBatch = async (queue: Queue<Item, Result>) => {
    const count = Math.max(1, next(queue.items));
    const items = queue.items.splice(0, count);
    const callers = queue.callers.splice(0, count);
    try {
      const results = await write(queue.key, items);
      for (const [index, { resolve, reject }] of callers.entries()) {
        const result = results[index]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
    queue.writing -= 1;
    writing -= 1;
    makeReady(queue);
    if (queue.writing === 0 && queue.items.length === 0) queues.delete(queue.key);
    pump();
  };

  const pump = () => {
    while (writing < inAllMax) {
      const queue = ready.shift();
      if (!queue) return;
      queue.isScheduled = false;
      queue.writing += 1;
      writing += 1;
      void writeBatch(queue);
      // Behind the other keys.
      makeReady(queue);
    }
  };

  const start = () => {
    ready.push(...fresh);
    fresh = [];
    pump();
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(key);
      if (!queue) {
        queue = { key, items: [], callers: [], writing: 0, isScheduled: false };
        queues.set(key, queue);
      }
      queue.items.push(item);
      queue.callers.push({ resolve, reject });
      if (!isStartable(queue)) return;
      queue.isScheduled = true;
      if (fresh.push(queue) === 1) defer(start);
    });
};

/** {@link BatcherOptions.next}: at most `itemsMax` items, and `bytesMax` unless it is only one. */
export const upTo =
  <Item>(itemsMax: number, bytesMax = Infinity, bytesOf: (item: Item) => number = () => 0) =>
  (waiting: readonly Item[]): number => {
    let bytes = 0;
    let count = 0;
    for (const item of waiting) {
      bytes += bytesOf(item);
      if (count > 0 && (count >= itemsMax || bytes > bytesMax)) break;
      count += 1;
    }
    return count;
  };

interface Queue<Item, Result> {
  readonly key: string;
  readonly items: Item[];
  readonly callers: {
    readonly resolve: (result: Result) => void;
    readonly reject: (error: unknown) => void;
  }[];
  writing: number;
  /** Whether it is in `fresh` or `ready`. */
  isScheduled: boolean;
}
