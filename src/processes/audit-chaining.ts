import { workId } from '../consumers/consumer.ts';
import type { Lease } from '../consumers/leases.ts';
import { runTurns } from '../consumers/run-turns.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import { chainedCategories } from '../domain/audit-chain/events.ts';
import {
  AUDIT_CHAIN_DELAY_MS,
  AUDIT_CHAIN_WAITING_RECORDS_MAX,
  TIMER_SLEEP_MAX_MS,
} from '../limits.ts';
import { Wakes } from '../ops/wakes.ts';
import type { Position } from '../store/event-store.ts';
import { AuditChains } from './audit-chains.ts';

/** By which its lease and its checkpoint are found. */
export const AUDIT_CHAINING = workId('audit-chain');

/**
 * Follows the records of keys and of their use, from the log's beginning, and stores their links
 * every {@link AUDIT_CHAIN_DELAY_MS}: in one process, and never while a key is checked. Its
 * checkpoint says up to where every record is in a chain.
 *
 * @param delayMs Default {@link AUDIT_CHAIN_DELAY_MS}.
 */
export const auditChaining = (
  consumers: Consumers,
  { delayMs = AUDIT_CHAIN_DELAY_MS }: { readonly delayMs?: number } = {},
): ConsumerRunner => {
  const { log, reader, clock, logger, checkpoints } = consumers;

  const turn = async ({ epoch, signal }: Lease, worked: () => void): Promise<boolean> => {
    const claimed = await checkpoints.claim(AUDIT_CHAINING, epoch, clock.now());
    if (!claimed) return false;
    const over = new AbortController();
    const during = AbortSignal.any([signal, over.signal]);
    const chains = new AuditChains({ log, clock });
    const followed = new Wakes();
    const full = new Wakes();
    const flushed = new Wakes();
    const isFull = () => chains.waiting >= AUDIT_CHAIN_WAITING_RECORDS_MAX;
    let [taken, saved] = [claimed.position, claimed.position];

    const flush = async () => {
      const upTo: Position | null = taken;
      await chains.flush();
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
      for await (const { events, upTo } of reader.subscribe(taken, options)) {
        chains.add(events);
        taken = upTo;
        if (events.length > 0) followed.wake();
        while (isFull() && !during.aborted) {
          full.wake();
          await flushed.after(flushed.count, during, TIMER_SLEEP_MAX_MS);
        }
      }
    };

    const flushInTime = async () => {
      while (!during.aborted) {
        if (chains.waiting === 0) await followed.after(followed.count, during, TIMER_SLEEP_MAX_MS);
        if (!isFull()) await full.after(full.count, during, delayMs);
        await flush();
      }
    };

    const tasks = [followAll(), flushInTime()].map((task) => task.finally(() => over.abort()));
    const ended = await Promise.allSettled(tasks);
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    return true;
  };

  return {
    consumer: AUDIT_CHAINING,
    run: (lease) =>
      runTurns({ consumer: AUDIT_CHAINING, checkpoints, logger, turn, ended: () => {} }, lease),
    offer: () => {},
  };
};
