import { IMPORT_APPENDS_AT_ONCE, IMPORT_RETRY_MAX_MS } from '../limits.ts';
import { LogUnavailable, WrongRevision, type EventStore } from '../../engine/log/event-store.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import { Blocks, type Block, type Order, type Run } from './blocks.ts';
import { contentsOf } from './contents.ts';
import { storedUpTo, type Plan } from './plan.ts';
import { OperatorError } from '../operator-error.ts';

export interface Sending {
  readonly order: Order;
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, share: number | null) => void;
}

/**
 * Appends what the log lacks of the file, in the order of the file. Each append names the revision
 * it expects, so that nothing is stored elsewhere if another process writes.
 *
 * @throws {@link OperatorError} if another process writes to one of the streams.
 * @throws {@link LogUnavailable} if the log has not answered for {@link IMPORT_RETRY_MAX_MS}.
 */
export const appendMissing = async (
  log: EventStore,
  plan: Plan,
  { order, signal, onProgress }: Sending,
): Promise<void> => {
  const blocks = new Blocks(log.capabilities, order);
  const total = plan.contents.checksum.events;
  /** Blocks, and how many events of the file precede the end of each. */
  const waiting: (readonly [Block, number])[] = [];
  let events = 0;
  /** The block under way; the next one is read meanwhile. */
  let sent: Promise<void> = Promise.resolve();

  const send = async (block: Block, behind: number) => {
    await sent;
    signal.throwIfAborted();
    onProgress?.(behind, behind / total);
    sent = stored(log, block, signal);
    // The next call awaits it.
    sent.catch(() => {});
  };

  await contentsOf(plan.path, {
    eventsMax: total,
    onEvent(event, bytes) {
      events += 1;
      const planned = plan.streams.get(event.stream)!;
      if (event.revision < storedUpTo(planned)) return;
      const block = blocks.add(event, events - 1, event.revision - planned.shift, bytes);
      if (block) waiting.push([block, events - 1]);
    },
    async drain() {
      for (const [block, behind] of waiting.splice(0)) await send(block, behind);
    },
  });
  await send(blocks.rest(), total);
  await sent;
};

/** Sends a block until all of it is stored. What an earlier attempt has stored is a repeat. */
const stored = async (log: EventStore, block: Block, signal: AbortSignal): Promise<void> => {
  const delays = backoff();
  const givenUpAt = performance.now() + IMPORT_RETRY_MAX_MS;
  for (;;) {
    const failures = await attempt(log, block);
    const [failure] = failures;
    if (failure === undefined) return;
    const others = failures.find((error) => !(error instanceof LogUnavailable));
    if (others !== undefined) throw others;
    if (performance.now() > givenUpAt) throw failure;
    await delays.pause(signal);
    signal.throwIfAborted();
  }
};

const attempt = async (log: EventStore, block: Block): Promise<unknown[]> => {
  const failures: unknown[] = [];
  const send = (run: Run) => appended(log, run).catch((error: unknown) => failures.push(error));
  // All in one turn of the event loop: one commit.
  if (log.capabilities.commitsInCallOrder) await Promise.all(block.map(send));
  else {
    const queue = block.values();
    const lane = async () => {
      for (const run of queue) await send(run);
    };
    await Promise.all(Array.from({ length: IMPORT_APPENDS_AT_ONCE }, lane));
  }
  return failures;
};

const appended = async (log: EventStore, { stream, revision, events }: Run): Promise<void> => {
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  try {
    const { revision: last } = await log.append(stream, expected, events);
    if (last === revision + events.length - 1) return;
    throw new OperatorError(`${stream} was given revision ${last}: was it deleted before?`);
  } catch (error) {
    if (error instanceof WrongRevision)
      throw new OperatorError(`${error.message}: another process writes to this log`, error);
    if (error instanceof TypeError)
      throw new OperatorError(`${stream}, revision ${revision}: ${error.message}`, error);
    throw error;
  }
};
