import { PROGRESS_SAVED_MS } from '../limits.ts';
import type { Batch, EventStore, Position, SubscribeOptions } from '../log/event-store.ts';

/** What is done with the batches of a subscription. */
export interface Follower {
  /** The effect of the batch is durable when this resolves, and the checkpoint with it. */
  apply(batch: Batch): Promise<void>;
  /** A batch that was fetched while another is applied: what can be done for it by then. */
  ahead?(batch: Batch): void;
  /** The log holds nothing of interest up to here. Returns whether that is to be saved at once. */
  passed(batch: Batch): boolean;
  /** Makes durable how far the log was searched. */
  save(): Promise<void>;
}

/**
 * Follows the log from `after` until `signal` aborts. The next batch is fetched while one is
 * applied. Batches without events only tell how far the log was searched: that is saved every
 * {@link PROGRESS_SAVED_MS} at most, since a busy log has many of them.
 */
export const follow = async (
  log: Pick<EventStore, 'subscribe'>,
  after: Position | null,
  options: SubscribeOptions,
  follower: Follower,
): Promise<void> => {
  // Its own signal, because a subscription that waits for events ends by its signal alone.
  const ended = new AbortController();
  const signal = AbortSignal.any([options.signal, ended.signal]);
  const batches = log.subscribe(after, { ...options, signal })[Symbol.asyncIterator]();
  const pull = () => {
    const next = batches.next();
    next.then(
      ({ done, value }) => done || follower.ahead?.(value),
      // Heard below; a failure of a batch fetched ahead is not unheard meanwhile.
      () => {},
    );
    return next;
  };
  let saving: { at: Promise<'save'>; cancel: () => void } | null = null;
  try {
    let next = pull();
    for (;;) {
      const result = await (saving ? Promise.race([next, saving.at]) : next);
      if (options.signal.aborted) return;
      if (result === 'save') {
        saving = null;
        await follower.save();
        continue;
      }
      if (result.done) return;
      next = pull();
      const batch = result.value;
      if (batch.events.length === 0 && !follower.passed(batch)) {
        saving ??= inAWhile();
        continue;
      }
      saving?.cancel();
      saving = null;
      await (batch.events.length === 0 ? follower.save() : follower.apply(batch));
    }
  } finally {
    saving?.cancel();
    ended.abort();
    // It may hold a batch that was fetched ahead, and would wait for ever for who takes it.
    batches.return?.().catch(() => {});
  }
};

const inAWhile = () => {
  let timer: NodeJS.Timeout | undefined;
  const at = new Promise<'save'>((resolve) => {
    timer = setTimeout(() => resolve('save'), PROGRESS_SAVED_MS);
  });
  return { at, cancel: () => clearTimeout(timer) };
};
