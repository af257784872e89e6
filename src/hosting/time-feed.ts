import { CLOCK_WINDOW_MS } from '../engine/control/limits.ts';
import type { Instant } from '../engine/aggregates/decider.ts';
import {
  SANDBOX_ADVANCE_SAMPLES_MAX,
  SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX,
  SANDBOX_ADVANCE_STOPS_MAX,
  SANDBOX_TELEMETRY_STEP_MS,
} from './limits.ts';
import type { OnTheWay, Stop } from '../engine/control/virtual-time.ts';
import type { FeedPoints } from './feed-points.ts';

/**
 * Samples for time that the owner skips: from the same curves, at a bounded number of stops, so
 * that rules and stale points see them in order. The advances of an hour of real time share {@link
 * SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX} samples: the more have been used, the longer the interval.
 *
 * @param relayed Moves announcements to the log.
 * @param real Monotonic, in milliseconds. Default `performance.now`.
 */
export const timeFeed = (
  points: FeedPoints,
  relayed: () => Promise<unknown>,
  real: () => number = () => performance.now(),
): OnTheWay => {
  let planned: readonly { readonly atMs: number; readonly samples: number }[] = [];

  return async (from, to) => {
    const count = await points.count();
    const now = real();
    planned = planned.filter(({ atMs }) => atMs > now - CLOCK_WINDOW_MS);
    const used = planned.reduce((sum, { samples }) => sum + samples, 0);
    const left = SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX - used;
    const samplesMax = Math.min(SANDBOX_ADVANCE_SAMPLES_MAX, left);
    const pieces = piecesOf(Date.parse(from), Date.parse(to), count, samplesMax);
    const times = pieces.reduce((sum, { timesMs }) => sum + timesMs.length, 0);
    planned = [...planned, { atMs: now, samples: times * count }];
    return pieces.map(({ at, timesMs }): Stop => ({
      at,
      async pass() {
        await points.ingest(timesMs, at);
        await relayed();
      },
    }));
  };
};

interface Piece {
  readonly at: Instant;
  readonly timesMs: readonly number[];
}

/**
 * The sample times after `fromMs` up to `toMs`: every {@link SANDBOX_TELEMETRY_STEP_MS}, or a
 * multiple of it to stay below `samplesMax` samples, but the last one at least; in at most {@link
 * SANDBOX_ADVANCE_STOPS_MAX} pieces, each ingested at its last time.
 */
export const piecesOf = (
  fromMs: number,
  toMs: number,
  points: number,
  samplesMax: number = SANDBOX_ADVANCE_SAMPLES_MAX,
): readonly Piece[] => {
  if (points === 0) return [];
  const timesMax = Math.max(1, Math.floor(samplesMax / points));
  const every = Math.ceil((toMs - fromMs) / SANDBOX_TELEMETRY_STEP_MS / timesMax);
  const stepMs = Math.max(1, every) * SANDBOX_TELEMETRY_STEP_MS;
  const firstMs = (Math.floor(fromMs / stepMs) + 1) * stepMs;
  const times: number[] = [];
  for (let atMs = firstMs; atMs <= toMs; atMs += stepMs) times.push(atMs);
  const lastMs = Math.floor(toMs / SANDBOX_TELEMETRY_STEP_MS) * SANDBOX_TELEMETRY_STEP_MS;
  if (times.length === 0 && lastMs > fromMs) times.push(lastMs);
  const perPiece = Math.ceil(times.length / SANDBOX_ADVANCE_STOPS_MAX);
  const pieces: Piece[] = [];
  for (let first = 0; first < times.length; first += perPiece) {
    const timesMs = times.slice(first, first + perPiece);
    pieces.push({ at: new Date(timesMs.at(-1)!).toISOString(), timesMs });
  }
  return pieces;
};
