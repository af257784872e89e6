import { workId } from '../../engine/consumers/consumer.ts';
import type { Lease } from '../../engine/consumers/leases.ts';
import { runWithRetry } from '../../engine/consumers/run-with-retry.ts';
import type { ConsumerRunner, Consumers } from '../../engine/consumers/runtime.ts';
import { chainedCategories } from '../../domain/keys/audit-chain.ts';
import { daysAfter } from '../../engine/time/calendar.ts';
import { TIMER_SLEEP_MAX_MS } from '../../engine/limits.ts';
import {
  AUDIT_CHAIN_DELAY_MS,
  AUDIT_CHAIN_WAITING_RECORDS_MAX,
  KEYRING_CHANGE_ANNOUNCED_DAYS,
} from './limits.ts';
import { Signal } from '../../engine/concurrency/signal.ts';
import type { Position, StoredEvent } from '../../engine/log/event-store.ts';
import { categoryOf } from '../../engine/log/streams.ts';
import { AuditChains } from './audit-chains.ts';

/** Names its lease and its checkpoint. */
export const AUDIT_CHAINING = workId('audit-chain');

/**
 * Follows the records of keys and of their use, from the log's beginning, and stores their links
 * and its checkpoint every {@link AUDIT_CHAIN_DELAY_MS}: in one process, and never while a key is
 * checked. Every record up to its checkpoint is in a chain.
 *
 * Announces the changes of keyrings as well: the process that made one may have died before it
 * announced it. docs/decisions/0055.
 *
 * @param delayMs Default {@link AUDIT_CHAIN_DELAY_MS}.
 */
export const auditChaining = (
  consumers: Consumers,
  { announce }: { announce(keyring: string, revision: number): Promise<void> },
  { delayMs = AUDIT_CHAIN_DELAY_MS }: { readonly delayMs?: number } = {},
): ConsumerRunner => {
  const { log, reader, clock, logger, checkpoints } = consumers;

  /** Skips old changes: every process that records uses has seen them by now. */
  const announceAll = async (changes: readonly StoredEvent[]): Promise<void> => {
    if (changes.length === 0) return;
    const { recordedAt } = await log.head();
    const since = daysAfter(recordedAt ?? changes[0]!.recordedAt, -KEYRING_CHANGE_ANNOUNCED_DAYS);
    for (const change of changes)
      if (change.recordedAt >= since) await announce(change.stream, change.revision);
  };

  const turn = async ({ epoch, signal }: Lease, worked: () => void): Promise<boolean> => {
    const claimed = await checkpoints.claim(AUDIT_CHAINING, epoch, clock.now());
    if (!claimed) return false;
    const over = new AbortController();
    const during = AbortSignal.any([signal, over.signal]);
    const chains = new AuditChains({ log, clock });
    const followed = new Signal();
    const full = new Signal();
    const flushed = new Signal();
    const isFull = () => chains.waiting >= AUDIT_CHAIN_WAITING_RECORDS_MAX;
    let [readTo, saved] = [claimed.position, claimed.position];
    /** The last unannounced change of each keyring. */
    const changed = new Map<string, StoredEvent>();

    const flush = async () => {
      const upTo: Position | null = readTo;
      const changes = [...changed.values()];
      changed.clear();
      await chains.flush();
      await announceAll(changes);
      if (upTo !== null && upTo !== saved) {
        const at = clock.now();
        await checkpoints.move(AUDIT_CHAINING, epoch, { from: saved, to: upTo, at });
      }
      saved = upTo;
      flushed.wake();
      worked();
    };

    const followAll = async () => {
      const options = { categories: chainedCategories, signal: during };
      for await (const { events, upTo } of reader.subscribe(readTo, options)) {
        chains.add(events);
        for (const event of events)
          if (categoryOf(event.stream) === 'keyring') changed.set(event.stream, event);
        readTo = upTo;
        followed.wake();
        while (isFull() && !during.aborted) {
          full.wake();
          await flushed.after(flushed.count, during, TIMER_SLEEP_MAX_MS);
        }
      }
    };

    const flushInTime = async () => {
      while (!during.aborted) {
        if (readTo === saved) await followed.after(followed.count, during, TIMER_SLEEP_MAX_MS);
        if (!isFull()) await full.after(full.count, during, delayMs);
        await flush();
      }
    };

    const tasks = [followAll(), flushInTime()].map((task) => task.finally(() => over.abort()));
    const outcomes = await Promise.allSettled(tasks);
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    return true;
  };

  return {
    consumer: AUDIT_CHAINING,
    run: (lease) =>
      runWithRetry({ consumer: AUDIT_CHAINING, checkpoints, logger, turn, ended: () => {} }, lease),
  };
};
