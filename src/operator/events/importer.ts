import { IMPORT_RETRY_MAX_MS } from '../limits.ts';
import {
  LogUnavailable,
  OutOfOrder,
  WrongRevision,
  type EventStore,
} from '../../engine/log/event-store.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import { Blocks, type Block, type Order, type Run } from './blocks.ts';
import { contentsOf } from './contents.ts';
import { storedUpTo, type Plan } from './plan.ts';
import { OperatorError } from '../operator-error.ts';
import { ORDER_LOST } from './order.ts';

export interface Sending {
  readonly order: Order;
  readonly signal: AbortSignal;
  readonly onProgress?: (events: number, share: number | null) => void;
}

/**
 * Appends the events of the file that the log lacks, in the order of the file. Each append expects
 * a revision, so that it fails if another process writes to the stream.
 *
 * @throws {@link OperatorError} if another process writes to one of the streams, or the log has
 *   not preserved the order.
 * @throws {@link LogUnavailable} if the log has not answered for {@link IMPORT_RETRY_MAX_MS}.
 */
export const appendMissing = async (
  log: EventStore,
  plan: Plan,
  { order, signal, onProgress }: Sending,
): Promise<void> => {
  const blocks = new Blocks(log.capabilities, order);
  const sender = orderedSender(log) ?? blockSender(log);
  const total = plan.contents.checksum.events;
  /** Blocks, each with the number of events in the file up to its end. */
  const waiting: (readonly [Block, number])[] = [];
  let events = 0;

  const send = async (block: Block, behind: number) => {
    await sender.send(block, signal);
    signal.throwIfAborted();
    onProgress?.(behind, behind / total);
  };

  try {
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
    await sender.stored();
  } finally {
    sender.stop();
  }
};

/** Stores blocks in their order, one after the other or overlapping. */
interface Sender {
  /** Resolves when the next block may be sent, which may be before this one is stored. */
  send(block: Block, signal: AbortSignal): Promise<void>;
  /** Resolves when all blocks are stored. */
  stored(): Promise<void>;
  stop(): void;
}

/** Sends a block once the previous one is stored; the next one is read meanwhile. */
const blockSender = (log: EventStore): Sender => {
  let sent: Promise<void> = Promise.resolve();
  return {
    async send(block, signal) {
      await sent;
      signal.throwIfAborted();
      sent = stored(log, block, signal);
      // The next call awaits it.
      sent.catch(() => {});
    },
    stored: () => sent,
    stop() {},
  };
};

/** Pipelines appends, if the log preserves their order; `null`: it does not. */
const orderedSender = (log: EventStore): Sender | null => {
  const ordered = log.orderedAppends?.({ retryMs: IMPORT_RETRY_MAX_MS });
  if (!ordered) return null;
  return {
    async send(block, signal) {
      for (const run of block) {
        signal.throwIfAborted();
        const { stream, events } = run;
        await ordered.add({ stream, expected: expectedOf(run), events }).catch(refused(run));
      }
    },
    stored: () => ordered.stored().catch(refused()),
    stop: () => ordered.stop(),
  };
};

/** Retries a block until all of it is stored. Repeated appends are idempotent. */
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
  // Sent in one turn of the event loop, and so stored in one commit.
  if (log.capabilities.commitsInCallOrder) await Promise.all(block.map(send));
  else for (const run of block) await send(run);
  return failures;
};

const appended = async (log: EventStore, run: Run): Promise<void> => {
  const { stream, revision, events } = run;
  const { revision: last } = await log.append(stream, expectedOf(run), events).catch(refused(run));
  if (last !== revision + events.length - 1)
    throw new OperatorError(`${stream} was given revision ${last}: was it deleted before?`);
};

const expectedOf = ({ revision }: Run) => (revision === 0 ? 'no_stream' : revision - 1);

/** Rethrows the error with a message for the operator. */
const refused =
  (run?: Run) =>
  (error: unknown): never => {
    if (error instanceof WrongRevision)
      throw new OperatorError(`${error.message}: another process writes to this log`, error);
    if (error instanceof OutOfOrder)
      throw new OperatorError(`${error.message}: ${ORDER_LOST}`, error);
    if (error instanceof TypeError && run)
      throw new OperatorError(`${run.stream}, revision ${run.revision}: ${error.message}`, error);
    throw error;
  };
