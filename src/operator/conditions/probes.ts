/** Probes conditions of the installation in the background, rarely, and never during a scrape. */
import { Gauge } from 'prom-client';
import { pause } from '../../engine/concurrency/backoff.ts';
import type { Logger } from '../../engine/observe/logging.ts';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';
import { PROBE_FIRST_MS, PROBE_MAX_MS, PROBE_RETRY_MS } from '../limits.ts';

export interface Probe<Found> {
  /** Label of `atrium_probe_success`. */
  readonly name: string;
  /** Milliseconds from the end of one run to the next. */
  readonly everyMs: number;
  /** Must change nothing. A result after `signal` has aborted is dropped. */
  readonly look: (signal: AbortSignal) => Promise<Found>;
  /** @param found `null`: unknown, so that no stale value is shown. */
  readonly show: (found: Found | null) => void;
}

/** A probe with a result of any type. */
export interface AnyProbe {
  readonly name: string;
  readonly everyMs: number;
  /** @returns Shows the result. */
  readonly look: (signal: AbortSignal) => Promise<() => void>;
  readonly forget: () => void;
}

export const probe = <Found>({ name, everyMs, look, show }: Probe<Found>): AnyProbe => ({
  name,
  everyMs,
  async look(signal) {
    const found = await look(signal);
    return () => show(found);
  },
  forget: () => show(null),
});

export interface ProbeResults {
  ended(name: string, hasSucceeded: boolean): void;
}

export const probeMetrics = ({ registry }: MetricRegistry): ProbeResults => {
  const success = new Gauge({
    name: 'atrium_probe_success',
    help: '1 if the last look at a condition of the installation gave a result, else 0',
    labelNames: ['probe'],
    registers: [registry],
  });
  return {
    ended: (name, hasSucceeded) => success.set({ probe: name }, hasSucceeded ? 1 : 0),
  };
};

export interface ProbesParts {
  readonly probes: readonly AnyProbe[];
  readonly measured: ProbeResults;
  readonly logger: Logger;
  /** Longest time to the first run. Default {@link PROBE_FIRST_MS}. */
  readonly firstMs?: number;
  /** Timeout of a run. Default {@link PROBE_MAX_MS}. */
  readonly withinMs?: number;
  /** Longest time from a failed run to the next. Default {@link PROBE_RETRY_MS}. */
  readonly retryMs?: number;
}

interface Turn {
  readonly probe: AnyProbe;
  dueMs: number;
  /** A run has not ended yet, even if it timed out; a probe never runs twice at once. */
  isUnderWay: boolean;
  /** A failure is logged once, until a run has succeeded. */
  isLogged: boolean;
}

/**
 * Runs probes one after the other, so that they never need more than one connection to the
 * database at a time. A probe that fails or hangs loses its values, is counted and logged, and
 * delays the others once, by its timeout at most.
 *
 * @returns Ends the probes, and does not wait for one that is running.
 */
export const runProbes = (parts: ProbesParts): (() => Promise<void>) => {
  const { probes, measured, logger, withinMs = PROBE_MAX_MS } = parts;
  const { firstMs = PROBE_FIRST_MS, retryMs = PROBE_RETRY_MS } = parts;
  const stopping = new AbortController();
  const turns = probes.map((one): Turn => {
    one.forget();
    return { probe: one, dueMs: 0, isUnderWay: false, isLogged: false };
  });

  const take = async (turn: Turn): Promise<void> => {
    const { name, everyMs, forget } = turn.probe;
    try {
      const show = await inTime(turn, AbortSignal.timeout(withinMs), stopping.signal);
      show();
      measured.ended(name, true);
      turn.isLogged = false;
      turn.dueMs = performance.now() + everyMs;
    } catch (error) {
      if (stopping.signal.aborted) return;
      forget();
      measured.ended(name, false);
      if (!turn.isLogged) logger.warn({ err: error, probe: name }, 'a probe has failed');
      turn.isLogged = true;
      turn.dueMs = performance.now() + Math.min(everyMs, retryMs);
    }
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    // A jitter, so that processes started together do not probe together.
    await pause(firstMs * (0.5 + Math.random() / 2), signal);
    while (!signal.aborted && turns.length > 0) {
      const due = turns.filter(({ dueMs }) => dueMs <= performance.now());
      for (const turn of due) if (!signal.aborted) await take(turn);
      const nextMs = Math.min(...turns.map(({ dueMs }) => dueMs));
      await pause(Math.max(0, nextMs - performance.now()), signal);
    }
  };
  const running = run(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
};

const inTime = async (turn: Turn, late: AbortSignal, stop: AbortSignal): Promise<() => void> => {
  if (turn.isUnderWay) throw new Error('the look before has not ended yet');
  const signal = AbortSignal.any([late, stop]);
  const { promise, reject } = Promise.withResolvers<never>();
  const over = () => reject(new Error('no answer in time'));
  signal.addEventListener('abort', over, { once: true });
  turn.isUnderWay = true;
  const look = turn.probe.look(signal).finally(() => {
    turn.isUnderWay = false;
  });
  try {
    return await Promise.race([look, promise]);
  } finally {
    signal.removeEventListener('abort', over);
  }
};
