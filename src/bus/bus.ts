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
   * Hands a message over. Durable when the promise resolves.
   *
   * The same `eventId` of one building again is the same message: what was published first stays
   * as it is, whatever comes with the repeat.
   *
   * @throws `LogUnavailable` or {@link BusUnavailable} if it cannot be made durable; publish it
   *   again under the same id.
   */
  publish(subject: Subject, data: Payload, options: PublishOptions): Promise<Published>;
}

/**
 * Who takes messages of some types from the bus: each building's in the order in which they were
 * published, in one process at a time. A message is acknowledged once `handle` has resolved, and
 * comes again if the process ends before that. What is published while nobody consumes waits, for
 * as long as messages are kept.
 *
 * A failure of what the handler needs is repeated without end. A message that the handler cannot
 * use ({@link UnusableMessage}, or another error again and again) is parked: listed, and passed.
 */
export interface Consumer {
  /** kebab-case. Names what it has acknowledged: never changed. */
  readonly name: string;
  /** Types of subjects, such as `cafm.work-order.created`. */
  readonly types: readonly string[];
  readonly handle: Handler;
}

export interface PublishOptions {
  /** The publisher's name for the event, derived from its cause. */
  readonly eventId: string;
  /** When it happened: the same in a repeat. */
  readonly at: Instant;
  /** Default: Atrium itself. */
  readonly by?: Actor;
}

export interface Published {
  /** Where the log has it; `null` where something else is the bus. */
  readonly position: Position | null;
}

export interface Message {
  /** UUID, derived from building and `eventId`: the same whenever and however it comes. */
  readonly id: string;
  readonly subject: Subject;
  readonly eventId: string;
  readonly data: Payload;
  readonly at: Instant;
  readonly by: Actor;
}

/** Must bear being called again for the same message. */
export type Handler = (message: Message) => Promise<void>;

/** The broker has not taken it in time. It may or may not be stored. */
export class BusUnavailable extends DependencyUnavailable {
  constructor(what: string, cause?: unknown) {
    super(`the bus cannot be reached: ${what}`, { cause });
    this.name = 'BusUnavailable';
  }
}

/** No repetition will make this message any better. */
export class UnusableMessage extends Error {
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.name = 'UnusableMessage';
  }
}
