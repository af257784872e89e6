/** What the rest of Atrium asks of NATS. `link.ts` gives it, and alone knows NATS's client. */
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { Ready } from '../../engine/observe/readiness-error.ts';
import type { Layout } from './layout.ts';

export interface Nats {
  readonly layout: Layout;
  /** `true`, or in one line why no message can be given or taken now. */
  ready(): Ready;
  /** Resolves once messages can be given and taken, or `signal` has aborted. */
  whenReady(signal: AbortSignal): Promise<void>;
  /**
   * Durable when it resolves, in whichever stream has the subject.
   *
   * @throws `BusUnavailable`; so do all other calls below.
   */
  publish(message: Outgoing): Promise<{ readonly repeated: boolean }>;
  /** The inbound stream as its durable consumer stands now. */
  inbound(): Promise<Inbound>;
  /** A message of the inbound stream; `null`: it is not kept any more. */
  message(sequence: number): Promise<Incoming | null>;
  /** What of the inbound stream has not been taken. */
  behind(): Promise<Backlog>;
  streams(): Promise<readonly StreamUsage[]>;
  /** What is under way gets a moment; then the connection is closed. Twice is once. */
  close(): Promise<void>;
}

export interface Outgoing {
  readonly subject: string;
  /** NATS stores a second message of the same id once, for a while: `Nats-Msg-Id`. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Incoming {
  /** Its place in the stream. */
  readonly sequence: number;
  readonly subject: string;
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** When NATS stored it, by NATS's clock: the same whenever it is handed over. */
  readonly storedAt: Instant;
}

export interface Delivered extends Incoming {
  /** It need not come again. Not waited for: where this is lost, it comes again. */
  acknowledge(): void;
}

export interface Inbound {
  /** Everything up to here was handed over, to whomever. */
  readonly deliveredTo: number;
  /**
   * What was handed over and is not known to be done, in the order of the stream. NATS itself would
   * hand it over again only later, and after what is new.
   */
  unacknowledged(): AsyncIterable<Incoming>;
  /**
   * What is handed over from now on, in the order of the stream; what is not acknowledged in time
   * comes again in between. Ends when `signal` aborts or the connection is closed.
   *
   * @throws `BusUnavailable`; also where a message was lost on its way, so that what comes now
   *   might overtake it.
   */
  deliveries(signal: AbortSignal): AsyncIterable<Delivered>;
}

export interface Backlog {
  readonly events: number;
  /** How long the oldest of them has been stored. */
  readonly seconds: number;
}

export interface StreamUsage {
  readonly name: string;
  readonly bytes: number;
  /** `null`: as many as the server has room for. */
  readonly bytesMax: number | null;
}
