/**
 * Direct deliveries: an event that has just been recorded goes from memory to its subscribers, and
 * one that succeeds at once gets no row. All others are persisted, so that they end like every
 * queued delivery; until then the event counts as unhandled. docs/decisions/0033.
 */
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import { projectionId } from '../../engine/consumers/consumer.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import { untraced, type Traceparent } from '../../engine/observe/tracing.ts';
import { isFailure } from '../../engine/processes/reaction.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { webhookSubscriptions } from '../../projections/webhooks/subscriptions.ts';
import { deliveryIdOf } from '../../use-cases/webhooks/delivered.ts';
import {
  deliveryRequest,
  type AttemptResult,
  type DeliveryRequest,
  type PendingAttempt,
} from './attempt.ts';
import { Backpressure } from './backpressure.ts';
import {
  WEBHOOK_BEHIND_MS,
  WEBHOOK_THROTTLED_MS,
  WEBHOOK_DIRECT_AGE_MAX_MS,
  WEBHOOK_LOOP_BUSY_MIN,
  WEBHOOK_PERSISTED_DUE_MS,
  WEBHOOK_PERSIST_AFTER_MS,
} from './limits.ts';
import { loopLoad } from './loop-load.ts';
import type { WebhookMessage } from './message.ts';
import type { ReceiverQueue } from './receiver-queue.ts';
import {
  attemptedFact,
  DELIVERER,
  deliveryQueued,
  outcomeRecorder,
  queuedFact,
  recordFacts,
  type OutcomeRecorder,
  type QueuedDelivery,
} from './record.ts';
import type { DeliverySender, SenderParts } from './sender.ts';

/** The messages of one event for one subscription. */
export interface DirectMessages {
  readonly messages: readonly WebhookMessage[];
  /** When the event was recorded: its day names the journal in which messages are queued. */
  readonly day: Instant;
  /** Aborts when this process is no longer responsible: another will repeat the event. */
  readonly signal: AbortSignal;
}

export interface DirectDeliveries {
  /** Resolves when each is delivered and recorded, or persisted, or its subscription is gone. */
  readonly settled: Promise<void>;
  readonly count: number;
}

export interface DirectDispatch {
  /** Delivers as many as there is room for, the first ones first. `null`: none. */
  (subscription: SubscriptionView, messages: DirectMessages): DirectDeliveries | null;
  /**
   * Backpressure: waits for room while this process is what holds deliveries up, so that a flood
   * waits in the log.
   *
   * @returns `false` if the messages have to be queued: receivers are what holds deliveries up, or
   *   too many events wait.
   * @throws When `signal` aborts.
   */
  whenRoom(subscription: SubscriptionView, signal: AbortSignal): Promise<boolean>;
  /** How often this process was notified that subscriptions have changed. */
  changes(): number;
}

export interface DirectParts extends SenderParts {
  readonly sender: DeliverySender;
  /** Default {@link loopLoad}. */
  readonly load?: () => number;
}

export const directDispatch = (parts: DirectParts): DirectDispatch => {
  const { sender, clock, consumers, tracing = untraced, load = loopLoad() } = parts;
  const { log, logger, positions } = consumers;
  const backpressure = new Backpressure();
  /** This process holds deliveries up, rather than their receivers. Unknown: it does. */
  let isBusy = true;
  /** Queues that may hold direct deliveries. */
  const busy = new Set<ReceiverQueue>();
  /** Shared by all subscribers. */
  const requests = new WeakMap<WebhookMessage, DeliveryRequest>();
  /** One recorder for each run of the process. */
  const recorders = new WeakMap<AbortSignal, OutcomeRecorder>();

  const recorderOf = (signal: AbortSignal): OutcomeRecorder => {
    const existing = recorders.get(signal);
    if (existing) return existing;
    const recorder = outcomeRecorder({ log, clock, logger, tracing, signal });
    recorders.set(signal, recorder);
    const end = () => sender.drop((pending) => pending.isDirect && pending.signal === signal);
    signal.addEventListener('abort', end, { once: true });
    return recorder;
  };

  const requestOf = (message: WebhookMessage): DeliveryRequest => {
    const existing = requests.get(message);
    if (existing) return existing;
    const request = deliveryRequest(message, 1);
    requests.set(message, request);
    return request;
  };

  /** Persists pending deliveries if the receiver is throttled or they have waited too long. */
  const persistPending = (queue: ReceiverQueue) => {
    const oldest = queue.pending.find((pending) => pending instanceof DirectDelivery);
    if (oldest && oldest.batch.ageMs > WEBHOOK_DIRECT_AGE_MAX_MS) {
      queue.isBehind = true;
      queue.throttle(WEBHOOK_BEHIND_MS);
    }
    if (!queue.isThrottled) return;
    const removed = queue.remove((pending) => pending instanceof DirectDelivery);
    for (const [batch, deliveries] of Map.groupBy(removed, (delivery) => delivery.batch))
      void batch.persist(deliveries);
  };

  positions.onMoved(projectionId(webhookSubscriptions), () => {
    sender.changed();
    const ids = [...busy].map(({ webhookId }) => webhookId);
    sender.refresh(ids).catch((error: unknown) => {
      logger.warn({ err: error }, 'subscriptions could not be looked at again');
    });
  });

  sender.onSweep(() => {
    isBusy = load() >= WEBHOOK_LOOP_BUSY_MIN;
    if (!isBusy) backpressure.wakeAll();
    for (const { queue, attempt } of sender.slowerThan(WEBHOOK_PERSIST_AFTER_MS)) {
      if (!(attempt instanceof DirectDelivery)) continue;
      queue.throttle(WEBHOOK_THROTTLED_MS);
      attempt.persist();
    }
    for (const queue of busy) {
      persistPending(queue);
      if (queue.directPending === 0) busy.delete(queue);
    }
  });

  /** How many more deliveries the subscription may have, by its own state. */
  const shareOf = ({ webhookId, organisationId }: SubscriptionView): number => {
    const queue = sender.queue(webhookId);
    if (queue?.isThrottled) return 0;
    return backpressure.roomOfOne(organisationId, queue?.directPending ?? 0, isBusy);
  };

  const dispatch = (subscription: SubscriptionView, given: DirectMessages) => {
    const { organisationId } = subscription;
    const queue = sender.queueOf(subscription);
    if (!queue.isThrottled) queue.isBehind = false;
    const room = Math.min(shareOf(subscription), backpressure.room(organisationId));
    if (room <= 0) return null;
    const messages = given.messages.slice(0, room);
    const { length: count } = messages;
    if (backpressure.total === 0) {
      load();
      isBusy = true;
    }
    backpressure.add(organisationId, count);
    const batch = new DirectBatch({
      ...given,
      messages,
      log,
      logger,
      clock,
      subscription,
      recorder: recorderOf(given.signal),
      traceparent: tracing.current(),
      failed: () => queue.throttle(WEBHOOK_THROTTLED_MS),
      ended: () => backpressure.add(organisationId, -1),
    });
    busy.add(queue);
    sender.add(
      queue,
      messages.map((message) => new DirectDelivery(batch, message, requestOf(message))),
    );
    return { settled: batch.settled, count };
  };

  return Object.assign(dispatch, {
    async whenRoom(subscription: SubscriptionView, signal: AbortSignal) {
      const { organisationId } = subscription;
      for (;;) {
        if (shareOf(subscription) <= 0) return false;
        if (backpressure.room(organisationId) > 0) return true;
        if (!isBusy || !backpressure.mayWait(organisationId)) return false;
        await backpressure.wait(organisationId, signal);
      }
    },
    changes: () => sender.changes,
  });
};

interface BatchParts extends DirectMessages {
  readonly log: Pick<EventStore, 'append'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly subscription: SubscriptionView;
  readonly recorder: OutcomeRecorder;
  /** The span that dispatched the event. */
  readonly traceparent: Traceparent | undefined;
  /** An attempt has failed. */
  readonly failed: () => void;
  /** A delivery is durable, or cannot become so. */
  readonly ended: () => void;
}

/** The deliveries of one event to one subscription: settled when each of them is. */
class DirectBatch {
  readonly parts: BatchParts;
  readonly #settled = Promise.withResolvers<void>();
  readonly #sinceMs = performance.now();
  #left: number;

  constructor(parts: BatchParts) {
    this.parts = parts;
    this.#left = parts.messages.length;
    // It may reject before the dispatcher awaits it.
    this.settled.catch(() => {});
  }

  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  get ageMs(): number {
    return performance.now() - this.#sinceMs;
  }

  end(error?: unknown): void {
    this.#left -= 1;
    this.parts.ended();
    if (error !== undefined) this.#settled.reject(error);
    else if (this.#left === 0) this.#settled.resolve();
  }

  /** @param over `notBefore`: the first attempts are running until then. */
  async queued(
    messages: readonly WebhookMessage[],
    over: { readonly notBefore?: string } = {},
  ): Promise<readonly QueuedDelivery[]> {
    const { subscription, log, clock, day, traceparent } = this.parts;
    const { webhookId, organisationId: organisation } = subscription;
    const events = messages.map((message) => deliveryQueued(webhookId, message, over));
    const facts = events.map(queuedFact);
    const context = { at: clock.now(), by: DELIVERER, organisation, traceparent };
    const { journal, revisions } = await recordFacts(log, { webhookId, day, facts }, context);
    return events.map((event, index) => {
      const { type: _, notBefore: __, body: ___, ...delivery } = event;
      return { ...delivery, attempt: 1, journal, revision: revisions[index]! };
    });
  }

  /** Persists deliveries that were not attempted, in one append. */
  async persist(deliveries: readonly DirectDelivery[]): Promise<void> {
    const end = (error?: unknown) => {
      for (const delivery of deliveries) delivery.end(error);
    };
    await this.queued(deliveries.map(({ message }) => message)).then(() => end(), end);
  }
}

class DirectDelivery implements PendingAttempt {
  readonly isDirect = true;
  readonly batch: DirectBatch;
  readonly message: WebhookMessage;
  readonly request: DeliveryRequest;
  #queued: Promise<QueuedDelivery> | null = null;
  #hasEnded = false;

  constructor(batch: DirectBatch, message: WebhookMessage, request: DeliveryRequest) {
    this.batch = batch;
    this.message = message;
    this.request = request;
  }

  get signal(): AbortSignal {
    return this.batch.parts.signal;
  }

  cause(): Traceparent | undefined {
    return this.batch.parts.traceparent;
  }

  record(result: AttemptResult, clears: boolean): Promise<void> | null {
    const { recorder, subscription, failed } = this.batch.parts;
    if (!result.succeeded) failed();
    if (!result.succeeded || clears || this.#queued) return this.#recordOutcome(result, clears);
    const { webhookId, organisationId: organisation } = subscription;
    const { messageId, body } = this.message;
    const { httpCode, responseBody, startedAt, durationMs } = result;
    recorder.succeeded({
      webhookId,
      organisation,
      delivery: {
        messageId,
        body,
        httpCode: httpCode!,
        responseBody: responseBody ?? '',
        startedAt,
        durationMs,
      },
      ended: (error) => this.end(error),
    });
    return null;
  }

  /** Makes a slow delivery durable while its attempt goes on. */
  persist(): void {
    if (this.#queued) return;
    const end = (error?: unknown) => this.end(error);
    this.#whenQueued().then(() => end(), end);
  }

  dropped(): void {
    // The subscription is gone, so the delivery ends.
    this.end(this.signal.aborted ? this.signal.reason : undefined);
  }

  failed(error: unknown): void {
    const { logger, subscription } = this.batch.parts;
    if (this.signal.aborted) {
      this.end(error);
      return;
    }
    // The failure to queue a slow delivery was reported already.
    if (this.#hasEnded && isFailure(error)) return;
    const deliveryId = deliveryIdOf(subscription.webhookId, this.message.messageId);
    logger.error({ err: error, deliveryId }, 'a webhook could not be sent');
    if (!this.#hasEnded) void this.batch.persist([this]);
  }

  end(error?: unknown): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.batch.end(error);
  }

  async #recordOutcome(result: AttemptResult, clears: boolean): Promise<void> {
    const { subscription, recorder } = this.batch.parts;
    const fact = attemptedFact(await this.#whenQueued(), result, clears);
    await recorder.outcome(fact, subscription.organisationId);
    this.end();
  }

  #whenQueued(): Promise<QueuedDelivery> {
    const now = Date.parse(this.batch.parts.clock.now());
    const notBefore = new Date(now + WEBHOOK_PERSISTED_DUE_MS).toISOString();
    this.#queued ??= this.batch.queued([this.message], { notBefore }).then(([one]) => one!);
    return this.#queued;
  }
}
