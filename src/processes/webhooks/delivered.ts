/** Deliveries that went well at once, on their way to the log: many to a fact. */
import { randomUUID } from 'node:crypto';
import {
  deliveredJournal,
  type SucceededDelivery,
} from '../../domain/webhooks/delivery/delivered.ts';
import { DELIVERED_GATHER_MS, DELIVERED_OF_FACT_MAX } from './limits.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Tracing } from '../../engine/observe/tracing.ts';
import { deliveredCodec } from '../../domain/webhooks/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { DELIVERER } from './outcomes.ts';

export interface Delivered {
  readonly webhookId: string;
  readonly organisation: string;
  readonly delivery: SucceededDelivery;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Takes what is to be recorded, and appends what has come in {@link DELIVERED_GATHER_MS}: a fact
 * for each subscription. What is not stored when this process dies is delivered again.
 */
export const deliveredFacts = (parts: {
  readonly log: Pick<EventStore, 'append'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** Where it aborts, what is not stored at the next try has failed. */
  readonly signal: AbortSignal;
}): ((delivered: Delivered) => void) => {
  const { log, clock, logger, tracing, signal } = parts;
  let waiting = new Map<string, Delivered[]>();
  let gathering: NodeJS.Timeout | null = null;

  const append = async (group: readonly Delivered[]): Promise<void> => {
    const { webhookId, organisation } = group[0]!;
    const id = randomUUID();
    const at = clock.now();
    const deliveries = group.map(({ delivery }) => delivery);
    const event = deliveredCodec.encode(
      id,
      { type: 'DeliveriesSucceeded', webhookId, deliveries },
      { commandId: id, at, by: DELIVERER, origin: 'system', organisation },
    );
    const delays = backoff();
    for (;;) {
      try {
        await log.append(deliveredJournal(webhookId, at), 'any', [event]);
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        logger.warn({ err: error, webhookId }, 'deliveries are not recorded yet');
        await delays.pause(signal);
      }
    }
  };

  const record = async (group: readonly Delivered[]): Promise<void> => {
    try {
      await append(group);
      for (const { stored } of group) stored();
    } catch (error) {
      for (const { failed } of group) failed(error);
    }
  };

  /** All of them in one turn of the event loop: they share a commit. */
  const flush = () => {
    gathering = null;
    const all = waiting;
    waiting = new Map();
    for (const ofOne of all.values())
      for (let from = 0; from < ofOne.length; from += DELIVERED_OF_FACT_MAX)
        void record(ofOne.slice(from, from + DELIVERED_OF_FACT_MAX));
  };

  return (delivered) => {
    const { webhookId } = delivered;
    const known = waiting.get(webhookId);
    if (known) known.push(delivered);
    else waiting.set(webhookId, [delivered]);
    // A fact tells of deliveries of many traces, and belongs to none of them.
    gathering ??= tracing.apart(() => setTimeout(flush, DELIVERED_GATHER_MS));
  };
};
