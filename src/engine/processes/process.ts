import { v5 as uuidFrom } from 'uuid';
import type { Actor, Instant, Origin } from '../aggregates/decider.ts';
import type { Traceparent } from '../observe/tracing.ts';
import type { Codec, Recorded } from '../log/codec.ts';
import type { Ignored, Outcome } from './outcome.ts';

/**
 * A reaction to recorded facts, written as a table of fact → effects. design.md decision 6.
 *
 * `on` is pure. If it needs data that is not in the fact, `gather` fetches it first and decides
 * nothing. Effects are carried out at least once, by the table of handlers that the process is
 * given; {@link effectId} gives a repeat the id of the first.
 *
 * Partitions are independent: one that waits for a remote system holds up neither another partition
 * nor the checkpoint.
 */
export interface Process<
  Event extends { readonly type: string },
  Context = undefined,
  Effect extends AnyEffect = AnyEffect,
> {
  /** kebab-case. Names its stream, its lease and the actor of its effects: never changed. */
  readonly name: string;
  /** The origin of the facts that its effects cause. Default `system`. */
  readonly origin?: Origin;
  readonly categories: readonly string[];
  readonly codec: Pick<Codec<Event>, 'decode'>;
  /** The events of one partition are handled in log order. Default: each stream is a partition. */
  readonly partitionOf?: (stream: string) => string;
  /**
   * Attempts at an effect that fails for a deterministic reason; then it is parked. Default
   * `PROCESS_ATTEMPTS_MAX`.
   */
  readonly attemptsMax?: number;
  /**
   * One effect of an event that cannot read its target does not stop the following ones; then the
   * partition is parked, as it would be at once. Default false.
   */
  readonly hasIndependentEffects?: boolean;
  /** Absent: `on` gets `undefined`. */
  readonly gather?: (recorded: Recorded<Event>) => Promise<Context>;
  readonly on: {
    readonly [T in Event['type']]?: (
      recorded: Recorded<Extract<Event, { type: T }>>,
      context: Context,
    ) => readonly Effect[] | Ignored;
  };
  readonly effects: EffectHandlers<Effect>;
}

/** `kind` names the handler that carries it out. */
export interface AnyEffect {
  readonly kind: string;
}

export type EffectHandlers<Effect extends AnyEffect> = {
  readonly [K in Effect['kind']]: EffectHandler<Extract<Effect, { readonly kind: K }>>;
};

/**
 * Carries an effect out. Called again for the same one after a failure or a crash.
 *
 * @throws If a retry may succeed. A failure of log or database is retried without end, any other a
 *   few times; then the partition is parked.
 */
export type EffectHandler<Effect> = (effect: Effect, context: EffectContext) => Promise<Outcome>;

export interface EffectContext {
  /** UUID: the same for each attempt at the same effect. */
  readonly id: string;
  readonly at: Instant;
  /** The process or the table of timers. */
  readonly by: Actor;
  readonly origin: Origin;
  readonly organisation?: string;
  readonly traceparent?: Traceparent;
  /** An earlier attempt, here or by a previous owner, may have carried it out, even in part. */
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
