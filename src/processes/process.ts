import { v5 as uuidFrom } from 'uuid';
import type { Payload } from '../domain/bus/events.ts';
import type { Subject } from '../domain/bus/subject.ts';
import type { Instant, Occasion, Origin } from '../domain/decider.ts';
import type { Codec, Recorded } from '../store/codec.ts';

/**
 * A reaction to recorded facts, written as a table of fact → intents.
 *
 * `on` is pure. Where it needs to know something that is not in the fact, `gather` fetches it
 * first and decides nothing. The runner carries the intents out and only then moves its
 * checkpoint, so a crash repeats the last step: deciders answer a repeated command with nothing,
 * and {@link intentId} gives the repeat the id of the first.
 */
export interface Process<Event extends { readonly type: string }, Gathered = undefined> {
  /** kebab-case. Names its stream, its owner and the actor of its commands: never changed. */
  readonly name: string;
  /** What the facts say that its commands lead to. Default `system`. */
  readonly origin?: Origin;
  readonly categories: readonly string[];
  readonly codec: Codec<Event>;
  /**
   * Streams of one lane are handled in the order of the log. Absent: each stream is one.
   */
  readonly laneOf?: (stream: string) => string;
  /** Absent: `on` gets `undefined`. */
  readonly gather?: (recorded: Recorded<Event>) => Promise<Gathered>;
  readonly on: {
    readonly [T in Event['type']]?: (
      recorded: Recorded<Extract<Event, { type: T }>>,
      gathered: Gathered,
    ) => readonly Intent[];
  };
}

/** What a process wants done. */
export type Intent =
  | {
      readonly kind: 'command';
      /** Category of the aggregate, such as `ticket`. */
      readonly to: string;
      readonly id: string;
      readonly command: { readonly type: string };
    }
  /** A message for the internal bus: the same one, if it is published again. */
  | {
      readonly kind: 'publish';
      readonly subject: Subject;
      readonly data: Payload;
      /** When it happened: the same in a repeat. */
      readonly at: Instant;
    }
  /** A closed journal whose term is over. Doing it again does nothing. */
  | { readonly kind: 'delete-stream'; readonly stream: string };

/**
 * Gives a command to the aggregate `to`.`id`.
 *
 * @throws `Refused`: that was the outcome. Anything else: it may be asked again under the same id.
 */
export type Give = (
  to: string,
  id: string,
  given: {
    readonly commandId: string;
    readonly command: { readonly type: string };
    readonly organisation?: string;
  },
  occasion: Occasion,
) => Promise<unknown>;

/**
 * Hands a message to the internal bus. The same `eventId` again is the same message.
 *
 * @throws Whatever it throws, it may be asked again.
 */
export type Publish = (
  subject: Subject,
  data: Payload,
  options: { readonly eventId: string; readonly at: Instant },
) => Promise<unknown>;

// oxlint-disable-next-line typescript/no-explicit-any -- a list of processes is of many types
export type AnyProcess = Process<any, any>;

/** The same cause always yields the same id: process, event that caused it, index of the intent. */
export const intentId = (process: string, causeId: string, index: number): string =>
  uuidFrom(`${process}/${causeId}/${index}`, PROCESS_NAMESPACE);

const PROCESS_NAMESPACE = '8d6f9c3e-64d2-4a0f-9a58-1f5b7c1d2e90';
