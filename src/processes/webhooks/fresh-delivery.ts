import { v5 as uuidFrom } from 'uuid';
import type { SubscriptionView } from '../../domain/webhooks/subscription/view.ts';
import { WEBHOOK_SECURED_MS } from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { Traceparent } from '../../engine/observe/tracing.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { queued, queuedId, recordDeliveries, type Told } from './queue.ts';
import type { HandOverOf } from './hand-over.ts';
import { attemptedOf, attemptId, type Made, type QueuedDelivery } from './attempts.ts';
import type { Delivered } from './delivered.ts';
import type { Work } from './receiver-scheduler.ts';
import { DELIVERER, type Outcomes } from './outcomes.ts';
import type { Outgoing } from './request.ts';

export interface HandedOverParts extends Omit<HandOverOf, 'messages'> {
  readonly subscription: SubscriptionView;
  readonly count: number;
  readonly log: Pick<EventStore, 'append'>;
  readonly clock: Clock;
  readonly recorded: Outcomes;
  readonly delivered: (delivered: Delivered) => void;
  /** An attempt has failed. */
  readonly onFailed: () => void;
  /** One of them is durable, or has failed to become so. */
  readonly onOver: () => void;
  /** An attempt could not even be made. */
  readonly onUnsent: (deliveryId: string, error: unknown) => void;
  /** Of the span that has handed them over. */
  readonly traceparent: Traceparent | undefined;
}

/** The deliveries of one fact to one subscription: settled when each of them is. */
export class HandedOver {
  readonly settled: Promise<void>;
  readonly parts: HandedOverParts;
  readonly #sinceMs = performance.now();
  #left: number;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor(parts: HandedOverParts) {
    this.parts = parts;
    this.#left = parts.count;
    this.settled = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // Who waits for it may still be handing over to others, or have failed to.
    this.settled.catch(() => {});
  }

  ageMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }

  /** One of them is durable, or has failed to become so. */
  end(error?: unknown): void {
    this.#left -= 1;
    this.parts.onOver();
    if (error !== undefined) this.#reject(error);
    else if (this.#left === 0) this.#resolve();
  }

  /** Makes deliveries durable. @param notBefore Their first attempts are under way until then. */
  async queued(
    told: readonly Told[],
    notBefore: { readonly notBefore?: string },
  ): Promise<readonly QueuedDelivery[]> {
    const { subscription, log, clock, day, traceparent } = this.parts;
    const { webhookId, organisationId: organisation } = subscription;
    const events = told.map((one) => queued(webhookId, one, notBefore));
    const facts = events.map((event) => ({ id: queuedId(event.deliveryId), event }));
    const by = { at: clock.now(), by: DELIVERER, organisation, traceparent };
    const { journal, revisions } = await recordDeliveries(log, { webhookId, day, facts }, by);
    return events.map((event, index) => {
      const { type: _, notBefore: __, body: ___, ...delivery } = event;
      return { ...delivery, attempt: 1, journal, revision: revisions[index]! };
    });
  }

  /** Queues those that were not begun, all at once. */
  async queue(works: readonly FreshDelivery[]): Promise<void> {
    const told = works.map((work) => work.told);
    const error = await this.queued(told, {}).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    for (const work of works) work.end(error);
  }
}

/** One of them. */
export class FreshDelivery implements Work {
  readonly isFresh = true;
  readonly handed: HandedOver;
  readonly told: Told;
  readonly outgoing: Outgoing;
  #queued: Promise<QueuedDelivery> | null = null;
  #ended = false;

  constructor(handed: HandedOver, told: Told, outgoing: Outgoing) {
    this.handed = handed;
    this.told = told;
    this.outgoing = outgoing;
  }

  get signal(): AbortSignal {
    return this.handed.parts.signal;
  }

  cause(): Traceparent | undefined {
    return this.handed.parts.traceparent;
  }

  record(made: Made, clears: boolean): Promise<void> | null {
    const { delivered, subscription, onFailed } = this.handed.parts;
    if (!made.succeeded) onFailed();
    if (!made.succeeded || clears || this.#queued) return this.#recordAlone(made, clears);
    const { httpCode, responseBody, startedAt, durationMs } = made;
    delivered({
      webhookId: subscription.webhookId,
      organisation: subscription.organisationId,
      delivery: {
        messageId: this.told.messageId,
        body: this.told.body,
        httpCode: httpCode!,
        responseBody: responseBody ?? '',
        startedAt,
        durationMs,
      },
      stored: () => this.end(),
      failed: (error) => this.end(error),
    });
    return null;
  }

  /** It takes long: from here on it is as durable as any other, while its attempt goes on. */
  secure(): void {
    if (this.#queued) return;
    this.#whenQueued().then(
      () => this.end(),
      (error: unknown) => this.end(error),
    );
  }

  dropped(): void {
    // Where its subscription is gone there is nothing left to do.
    this.end(this.signal.aborted ? this.signal.reason : undefined);
  }

  failed(error: unknown): void {
    const { parts } = this.handed;
    if (this.#ended) return;
    if (this.signal.aborted) {
      this.end(error);
      return;
    }
    // The backlog will try it in its own time.
    parts.onUnsent(uuidFrom(parts.subscription.webhookId, this.told.messageId), error);
    void this.handed.queue([this]);
  }

  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.handed.end(error);
  }

  async #recordAlone(made: Made, clears: boolean): Promise<void> {
    const { subscription, clock, recorded } = this.handed.parts;
    const { webhookId, organisationId: organisation } = subscription;
    const delivery = await this.#whenQueued();
    const event = attemptedOf(delivery, made, clears);
    const at = clock.now();
    await recorded.record({ id: attemptId(delivery), webhookId, organisation, at, event });
    this.end();
  }

  #whenQueued(): Promise<QueuedDelivery> {
    this.#queued ??= this.#queueAlone();
    return this.#queued;
  }

  async #queueAlone(): Promise<QueuedDelivery> {
    const now = Date.parse(this.handed.parts.clock.now());
    const notBefore = new Date(now + WEBHOOK_SECURED_MS).toISOString();
    const [delivery] = await this.handed.queued([this.told], { notBefore });
    return delivery!;
  }
}
