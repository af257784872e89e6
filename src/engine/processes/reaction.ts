import { errorLine, isUnreachable } from '../postgres/errors.ts';
import { FAILURE_LINE_EVERY_MS, PROCESS_ATTEMPTS_MAX } from '../limits.ts';
import { backoff } from '../concurrency/backoff.ts';
import type { Clock } from '../time/clock.ts';
import { boundedLines } from '../observe/bounded-lines.ts';
import type { Logger } from '../observe/logging.ts';
import { untraced, type NewSpan, type Span, type Tracing } from '../observe/tracing.ts';
import { isUnreadable, NewerReleaseNeeded, type Recorded } from '../log/codec.ts';
import { GuardMoved, LogUnavailable, WrongRevision, type StoredEvent } from '../log/event-store.ts';
import {
  DependencyUnavailable,
  done,
  doneWhen,
  giveUp,
  type Ignored,
  type Outcome,
} from './outcome.ts';
import { effectId, type AnyEffect, type AnyProcess, type EffectContext } from './process.ts';

/** Carries out every effect of one event, in order. */
export type React = (event: StoredEvent, run: Run) => Promise<Outcome>;

export interface Run {
  readonly signal: AbortSignal;
  /** Whether the event may have been handled before. */
  readonly mayRepeat: boolean;
}

export interface ReactionParts {
  readonly process: AnyProcess;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: nothing is traced. */
  readonly tracing?: Tracing;
  /** Awaited before each effect. Default: no wait. */
  readonly turn?: (signal: AbortSignal) => Promise<void>;
  /** May throw, so that a newer release handles the event. */
  readonly leaveToNewer: (error: NewerReleaseNeeded) => Promise<void>;
}

/**
 * Carries out the effects of `process` for an event. A failure is retried: without end where the
 * log or the database is unreachable, else a few times; a permanent failure is given up.
 *
 * @throws If the signal aborts, and what `leaveToNewer` throws; some effects may have been carried
 *   out, which is harmless to repeat.
 */
export const reactionOf = (parts: ReactionParts): React => {
  const { process, clock, logger, tracing = untraced, leaveToNewer } = parts;
  const by = { kind: 'system', id: `process:${process.name}` } as const;
  const origin = process.origin ?? 'system';
  const { attemptsMax = PROCESS_ATTEMPTS_MAX } = process;

  const contextOf = ({ id, organisation }: Recorded, index: number, run: Run): EffectContext => {
    const traceparent = tracing.current();
    return {
      id: effectId(process.name, id, index),
      at: clock.now(),
      by,
      origin,
      ...(organisation === undefined ? {} : { organisation }),
      ...(traceparent === undefined ? {} : { traceparent }),
      ...run,
    };
  };

  /** All streams of a process may fail for one reason. */
  const failed = boundedLines(FAILURE_LINE_EVERY_MS);

  /** Repeats `work` until it has an outcome. */
  const repeated = async <Result>(
    work: (again: boolean) => Promise<Result>,
    signal: AbortSignal,
  ) => {
    const delays = backoff();
    let again = false;
    for (let attempt = 1; ; again = true) {
      signal.throwIfAborted();
      try {
        return await work(again);
      } catch (error) {
        if (signal.aborted || isUnreadable(error)) throw error;
        // An unknown error may be a bug, which no retry fixes.
        if (!isFailure(error) && (attempt += 1) > attemptsMax) throw error;
        failed((unlogged) =>
          logger.warn(
            { err: error, process: process.name, unlogged },
            'a step failed; trying again',
          ),
        );
        await delays.pause(signal);
      }
    }
  };

  const carryOut = async (
    effect: AnyEffect,
    context: (again: boolean) => EffectContext,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const handler = process.effects[effect.kind];
    if (!handler) throw new Error(`process ${process.name} has no handler for ${effect.kind}`);
    const outcome: Outcome = await repeated(async (again) => {
      await parts.turn?.(signal);
      return handler(effect, context(again));
    }, signal);
    if (outcome.outcome === 'ignored')
      logger.info({ process: process.name, reason: outcome.reason }, 'an effect was ignored');
    return outcome;
  };

  const handled = async (stored: StoredEvent, run: Run): Promise<Outcome> => {
    const { signal, mayRepeat } = run;
    const recorded = process.codec.decode(stored) as Recorded;
    const on = process.on[recorded.event.type];
    if (!on) return done;
    const context: unknown = process.gather
      ? await repeated(async () => process.gather?.(recorded), signal)
      : undefined;
    const effects: readonly AnyEffect[] | Ignored = on(recorded, context);
    if (!isList(effects)) return effects;
    if (effects.length === 0) return noEffects;
    const settling: Promise<unknown>[] = [];
    let weight = 0;
    let unreadable: Error | null = null;
    for (const [index, effect] of effects.entries()) {
      const contextFor = (again: boolean) =>
        contextOf(recorded, index, { signal, mayRepeat: mayRepeat || again });
      const outcome = await carryOut(effect, contextFor, signal).catch((error: unknown) => {
        if (!process.hasIndependentEffects || !isUnreadable(error)) throw error;
        unreadable ??= error;
        return done;
      });
      if (outcome.outcome === 'retry' || outcome.outcome === 'given up') return outcome;
      if (outcome.outcome !== 'done' || !outcome.settled) continue;
      settling.push(handledLater(outcome.settled));
      weight += outcome.weight ?? 1;
    }
    if (unreadable !== null) throw unreadable;
    return settling.length === 0 ? done : doneWhen(handledLater(Promise.all(settling)), weight);
  };

  const react: React = async (event, run) => {
    try {
      return await handled(event, run);
    } catch (error) {
      if (run.signal.aborted) throw error;
      if (error instanceof NewerReleaseNeeded) await leaveToNewer(error);
      const { stream } = event;
      logger.error({ err: error, process: process.name, stream }, 'an event cannot be handled');
      return giveUp(errorLine(error));
    }
  };

  return async (event, run) => {
    const cause = event.type in process.on ? event.meta['traceparent'] : undefined;
    const span = tracing.follow(() => spanOf(process.name, event), cause);
    // The wakeup of a partition may run within another span.
    if (!span) return tracing.apart(() => react(event, run));
    const outcome = await span.run(() => react(event, run));
    // Most events have no effects: a span that is not ended is not sent.
    if (outcome !== noEffects) endSpan(span, outcome);
    return outcome;
  };
};

/** As `done`, but distinguishable, because it needs no record. */
const noEffects: Outcome = { ...done };

/** The span by the conventions for messaging. */
const spanOf = (process: string, { id, type, stream }: StoredEvent): NewSpan => ({
  name: `process ${process}`,
  kind: 'consumer',
  attributes: {
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': process,
    'messaging.destination.name': stream,
    'messaging.message.id': id,
    'atrium.event.type': type,
  },
});

const endSpan = (span: Span, outcome: Outcome): void => {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  span.set({ 'atrium.outcome': outcome.outcome, 'atrium.reason': reason });
  span.end(outcome.outcome === 'given up' ? outcome.reason : undefined);
};

/** The rejection is handled later, possibly after it occurs. */
const handledLater = <Result>(promise: Promise<Result>): Promise<Result> => {
  promise.catch(() => {});
  return promise;
};

/** A transient failure: the same request may succeed later. */
export const isFailure = (error: unknown): boolean =>
  error instanceof LogUnavailable ||
  error instanceof DependencyUnavailable ||
  error instanceof WrongRevision ||
  error instanceof GuardMoved ||
  isUnreachable(error);

const isList = <Item>(value: readonly Item[] | Ignored): value is readonly Item[] =>
  Array.isArray(value);
