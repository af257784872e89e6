/** Atrium's use of NATS. Only its implementation, `link.ts`, knows NATS's client. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Ready } from '../../engine/observe/readiness-error.ts';
import type { Layout } from './layout.ts';

export interface Nats {
  readonly layout: Layout;
  /** `true`, or in one line why messages can be neither published nor received now. */
  ready(): Ready;
  /** Resolves when messages can be published and received, or `signal` has aborted. */
  whenReady(signal: AbortSignal): Promise<void>;
  /**
   * Durable when it resolves, in the stream that has the subject.
   *
   * @throws `MessageTooLarge`, or `BusUnavailable`, as do all other calls below.
   */
  publish(message: Outgoing): Promise<{ readonly repeated: boolean }>;
  /** The inbound stream at its durable consumer's current position. */
  inbound(): Promise<Inbound>;
  /**
   * A message of the inbound stream; `null` if it was removed.
   *
   * @param subject The first message of it from `sequence` on; `null`: there is none.
   */
  message(sequence: number, subject?: string): Promise<Incoming | null>;
  /** The unprocessed messages of the inbound stream. */
  behind(): Promise<Backlog>;
  streams(): Promise<readonly StreamUsage[]>;
  /** Calls in flight get a moment; then the connection is closed. Idempotent. */
  close(): Promise<void>;
}

export interface Outgoing {
  readonly subject: string;
  /** NATS deduplicates by it within a window: `Nats-Msg-Id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Incoming {
  /** Its sequence number in the stream. */
  readonly sequence: number;
  readonly subject: string;
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** When NATS stored it, by NATS's clock: the same in every delivery. */
  readonly storedAt: Instant;
}

export interface Delivered extends Incoming {
  /** Sent without waiting: if it is lost, the message is redelivered. */
  acknowledge(): void;
}

export interface Inbound {
  /** Highest sequence number delivered to any process. */
  readonly deliveredTo: number;
  /**
   * Delivered messages without acknowledgement, in stream order. NATS itself would redeliver them
   * only later, after newer ones.
   */
  unacknowledged(): AsyncIterable<Incoming>;
  /**
   * New deliveries in stream order; redeliveries come in between. Ends when `signal` aborts or the
   * connection is closed.
   *
   * @throws `BusUnavailable`; also if a delivery was lost, because later messages would overtake
   *   it.
   */
  deliveries(signal: AbortSignal): AsyncIterable<Delivered>;
}

export interface Backlog {
  readonly events: number;
  /** Age of the oldest one. */
  readonly seconds: number;
}

export interface StreamUsage {
  readonly name: string;
  readonly bytes: number;
  /** `null`: bounded by the server only. */
  readonly bytesMax: number | null;
}
