/** What deliveries have come to, on its way to the log: whatever waits shares appends. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { deliveryJournal, type DeliveryEvent } from '../../domain/webhooks/delivery/events.ts';
import { DELIVERIES_QUEUED_AT_ONCE } from './limits.ts';
import { backoff } from '../../engine/concurrency/backoff.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { Tracing } from '../../engine/observe/tracing.ts';
import { deliveryCodec } from '../../domain/webhooks/codecs.ts';
import {
  WrongRevision,
  type EventStore,
  type NewEvent,
  type Position,
} from '../../engine/log/event-store.ts';

export interface Outcomes {
  /**
   * Appends the fact to its subscription's journal, together with whatever waits. Repeated until
   * it is stored, or `signal` has aborted: then it throws.
   *
   * @returns Where the log has it.
   */
  record(fact: OutcomeFact): Promise<Position>;
}

export interface OutcomeFact {
  /** UUID: the same for the same fact. */
  readonly id: string;
  readonly webhookId: string;
  readonly organisation: string | undefined;
  readonly at: Instant;
  readonly event: DeliveryEvent;
}

interface Waiting {
  readonly journal: string;
  readonly event: NewEvent;
  readonly stored: (position: Position) => void;
  readonly failed: (error: unknown) => void;
}

export const outcomes = (parts: {
  readonly log: Pick<EventStore, 'append'>;
  readonly logger: Logger;
  readonly tracing: Tracing;
  readonly signal: AbortSignal;
}): Outcomes => {
  const { log, logger, tracing, signal } = parts;
  const waiting = new Map<string, Waiting[]>();

  const append = async (journal: string, events: readonly NewEvent[]): Promise<Position> => {
    try {
      return (await log.append(journal, 'any', events)).position;
    } catch (error) {
      // Some of them were stored by another owner: each by itself is there, or is added.
      if (!(error instanceof WrongRevision) || events.length === 1) throw error;
      let last: Position = '';
      for (const event of events) last = await append(journal, [event]);
      return last;
    }
  };

  const untilStored = async (journal: string, events: readonly NewEvent[]): Promise<Position> => {
    const delays = backoff();
    for (;;) {
      try {
        return await append(journal, events);
      } catch (error) {
        if (signal.aborted) throw error;
        logger.warn({ err: error, journal }, 'outcomes of deliveries are not stored yet');
        await delays.pause(signal);
      }
    }
  };

  /** One append of a journal at a time: what comes meanwhile shares the next. */
  const serve = async (journal: string, queue: Waiting[]) => {
    while (queue.length > 0) {
      const group = queue.splice(0, DELIVERIES_QUEUED_AT_ONCE);
      try {
        const position = await untilStored(
          journal,
          group.map(({ event }) => event),
        );
        for (const { stored } of group) stored(position);
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
    waiting.delete(journal);
  };

  return {
    record: ({ id, webhookId, organisation, at, event }) =>
      new Promise((stored, failed) => {
        const journal = deliveryJournal(webhookId, at);
        const encoded = deliveryCodec.encode(id, event, {
          commandId: id,
          at,
          by: DELIVERER,
          origin: 'system',
          ...(organisation === undefined ? {} : { organisation }),
          traceparent: tracing.current(),
        });
        const mine = { journal, event: encoded, stored, failed };
        const queue = waiting.get(journal);
        if (queue) {
          queue.push(mine);
          return;
        }
        const begun = [mine];
        waiting.set(journal, begun);
        // After this turn of the event loop: what ends together is stored together.
        tracing.apart(() => setImmediate(() => void serve(journal, begun)));
      }),
  };
};

export const DELIVERER = { kind: 'system', id: 'webhook-deliveries' } as const;
