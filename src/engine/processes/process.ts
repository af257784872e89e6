import { v5 as uuidFrom } from 'uuid';
import type { Actor, Instant, Origin } from '../aggregates/decider.ts';
import type { Traceparent } from '../observe/tracing.ts';
import type { Codec, Recorded } from '../log/codec.ts';
import type { Ignored, Outcome } from './outcome.ts';

/**
 * A reaction to recorded facts, written as a table of fact → effects. design.md decision 6.
 *
 * `on` is pure. Where it needs to know something that is not in the fact, `gather` fetches it
 * first and decides nothing. Effects are carried out at least once, by the table of handlers that
 * the process is given; {@link effectId} gives a repeat the id of the first.
 *
 * Lanes go on independently of each other: one that waits for a stranger holds up no other lane,
 * and not the checkpoint either.
 */
export interface Process<
  Event extends { readonly type: string },
  Gathered = undefined,
  Effect extends AnyEffect = AnyEffect,
> {
  /** kebab-case. Names its stream, its lease and the actor of its effects: never changed. */
  readonly name: string;
  /** What the facts say that its effects lead to. Default `system`. */
  readonly origin?: Origin;
  readonly categories: readonly string[];
  readonly codec: Pick<Codec<Event>, 'decode'>;
  /** Streams of one lane are handled in the order of the log. Absent: each stream is one. */
  readonly laneOf?: (stream: string) => string;
  /**
   * Attempts at an effect that fails for a deterministic reason; then its lane is parked. Default
   * `PROCESS_ATTEMPTS_MAX`.
   */
  readonly attemptsMax?: number;
  /** Absent: `on` gets `undefined`. */
  readonly gather?: (recorded: Recorded<Event>) => Promise<Gathered>;
  readonly on: {
    readonly [T in Event['type']]?: (
      recorded: Recorded<Extract<Event, { type: T }>>,
      gathered: Gathered,
    ) => readonly Effect[] | Ignored;
  };
  readonly effects: EffectHandlers<Effect>;
}

/** What is wanted: `kind` names the handler that carries it out. */
export interface AnyEffect {
  readonly kind: string;
}

export type EffectHandlers<Effect extends AnyEffect> = {
  readonly [K in Effect['kind']]: EffectHandler<Extract<Effect, { readonly kind: K }>>;
};

/**
 * Carries an effect out. Called again for the same one after a failure or a crash.
 *
 * @throws What may work the next time. A failure of log or database is repeated without end,
 *   anything else a few times; then the lane is parked.
 */
export type EffectHandler<Effect> = (effect: Effect, context: EffectContext) => Promise<Outcome>;

export interface EffectContext {
  /** UUID: the same for the same effect, however often it is carried out. */
  readonly id: string;
  readonly at: Instant;
  /** The process or the table of timers. */
  readonly by: Actor;
  readonly origin: Origin;
  /** Of the fact that caused it. */
  readonly organisation?: string;
  /** Of the span in which it runs, for work that is continued later. */
  readonly traceparent?: Traceparent;
  /** It may have been carried out before, in part or as a whole: by an owner before, or here. */
  readonly mayRepeat: boolean;
  /** Aborts when the process is no longer run here. */
  readonly signal: AbortSignal;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of processes is of many types
export type AnyProcess = Process<any, any, any>;

/** The same cause always yields the same id: process, event that caused it, index of the effect. */
export const effectId = (process: string, causeId: string, index: number): string =>
  uuidFrom(`${process}/${causeId}/${index}`, PROCESS_NAMESPACE);

const PROCESS_NAMESPACE = '8d6f9c3e-64d2-4a0f-9a58-1f5b7c1d2e90';
