import type { Payload } from '../domain/bus/events.ts';
import type { Subject } from '../domain/bus/subject.ts';
import type { Actor, Instant } from '../engine/aggregates/decider.ts';
import type { Position } from '../engine/log/event-store.ts';
import { DependencyUnavailable } from '../engine/processes/outcome.ts';

/**
 * The internal bus, and every promise it makes: test/contract/bus.contract.ts. With nothing else
 * configured, the event log itself is the bus; with `NATS_URL` it is NATS JetStream. contract.md
 * section 9.
 */
export interface Bus {
  /**
   * Publishes a message, durable when the promise resolves.
   *
   * A repeated `eventId` of one building is the same message: the first publication stays
   * unchanged, whatever the repeat contains.
   *
   * @throws `LogUnavailable` or {@link BusUnavailable} if it cannot be made durable; publish it
   *   again under the same id. {@link MessageTooLarge}.
   */
  publish(subject: Subject, data: Payload, options: PublishOptions): Promise<Published>;
}

/**
 * A consumer of some message types: it gets each building's messages in order of publication, in
 * one process at a time. Delivery is at least once: a message is acknowledged when `handle` has
 * resolved, and redelivered if the process ends before that. Messages published without a running
 * consumer wait, as long as messages are retained.
 *
 * A failure of a dependency is retried without end. A message that the handler cannot use ({@link
 * UnusableMessage}, or another error repeatedly) is parked: listed, and passed.
 */
export interface Consumer {
  /** kebab-case. Identifies its acknowledgements, so it never changes. */
  readonly name: string;
  /** Types of subjects, such as `cafm.work-order.created`. */
  readonly types: readonly string[];
  readonly handle: Handler;
}

export interface PublishOptions {
  /** The publisher's id of the event, derived from its cause. */
  readonly eventId: string;
  /** The event's time: the same in a repeat. */
  readonly at: Instant;
  /** Default: Atrium itself. */
  readonly by?: Actor;
}

export interface Published {
  /** Its position in the log; `null` with another broker. */
  readonly position: Position | null;
}

export interface Message {
  /** UUID, derived from building and `eventId`: the same in every delivery. */
  readonly id: string;
  readonly subject: Subject;
  readonly eventId: string;
  readonly data: Payload;
  readonly at: Instant;
  readonly by: Actor;
}

/** Lists a message that a consumer continues without, once for each consumer and full ticket. */
export type ParkMessage = (message: Message, parked: Parked) => Promise<void>;

export interface Parked {
  readonly consumer: string;
  readonly error: unknown;
  /** The full ticket that refused it. */
  readonly fullTicketId?: string;
}

/** Must be idempotent. */
export type Handler = (message: Message) => Promise<void>;

/** The broker did not acknowledge it in time. It may or may not be stored. */
export class BusUnavailable extends DependencyUnavailable {
  constructor(what: string, cause?: unknown) {
    super(`the bus cannot be reached: ${what}`, { cause });
    this.name = 'BusUnavailable';
  }
}

/** The broker's limits refuse the message: a retry fails until an operator raises them. */
export class MessageTooLarge extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the bus accepts no message of this size: ${what}`, { cause });
    this.name = 'MessageTooLarge';
  }
}

/** A retry cannot succeed. */
export class UnusableMessage extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'UnusableMessage';
  }
}
