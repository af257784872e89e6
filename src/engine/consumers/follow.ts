import { PROGRESS_SAVED_MS } from '../limits.ts';
import type { Batch, EventStore, Position, SubscribeOptions } from '../log/event-store.ts';

/** Handles the batches of a subscription. */
export interface Follower {
  /** Resolves when the effect of the batch and the checkpoint are durable. */
  apply(batch: Batch): Promise<void>;
  /** Prepares a batch that was fetched while another one is being applied. */
  ahead?(batch: Batch): void;
  /** Called for a batch without events. Returns whether to save the position at once. */
  passed(batch: Batch): boolean;
  /** Saves how far the log was searched. */
  save(): Promise<void>;
}

/**
 * Follows the log from `after` until `signal` aborts. The next batch is fetched while one is
 * applied. Batches without events only report how far the log was searched: that is saved at most
 * every {@link PROGRESS_SAVED_MS}, since a busy log has many of them.
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
      // Awaited below; until then a failed prefetch must not be an unhandled rejection.
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
    // It may hold a prefetched batch, and would wait for its consumer for ever.
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
