import { describe, expect, it } from 'vitest';
import { CLOCK_WINDOW_MS } from '../../src/engine/control/limits.ts';
import { piecesOf, timeFeed } from '../../src/hosting/time-feed.ts';
import {
  SANDBOX_ADVANCE_SAMPLES_MAX,
  SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX,
  SANDBOX_ADVANCE_STOPS_MAX,
  SANDBOX_TELEMETRY_STEP_MS,
} from '../../src/hosting/limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM_MS = Date.parse('2026-03-01T09:07:00.000Z');
const timesOf = (toMs: number, points: number) =>
  piecesOf(FROM_MS, toMs, points).flatMap(({ timesMs }) => timesMs);

describe('telemetry for skipped time', () => {
  it('has samples every quarter of an hour, each at its own time', () => {
    const pieces = piecesOf(FROM_MS, FROM_MS + HOUR_MS, 10);
    expect(pieces.map(({ at }) => at)).toEqual([
      '2026-03-01T09:15:00.000Z',
      '2026-03-01T09:30:00.000Z',
      '2026-03-01T09:45:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect(pieces.map(({ timesMs }) => timesMs)).toEqual(pieces.map(({ at }) => [Date.parse(at)]));
  });

  it('has each sample once where the time is skipped in two steps', () => {
    const middleMs = FROM_MS + 8 * SANDBOX_TELEMETRY_STEP_MS;
    const second = piecesOf(middleMs, FROM_MS + DAY_MS, 10).flatMap(({ timesMs }) => timesMs);
    expect([...timesOf(middleMs, 10), ...second]).toEqual(timesOf(FROM_MS + DAY_MS, 10));
  });

  it.each([
    [366, 10],
    [30, 500],
    [366, 8_100],
    [1, 1_000_000],
  ])('of %i days is bounded for %i points, without duplicates', (days, points) => {
    const pieces = piecesOf(FROM_MS, FROM_MS + days * DAY_MS, points);
    const times = pieces.flatMap(({ timesMs }) => timesMs);
    expect(pieces.length).toBeLessThanOrEqual(SANDBOX_ADVANCE_STOPS_MAX);
    // At least one time has samples of all points, however many.
    expect((times.length - 1) * points).toBeLessThanOrEqual(SANDBOX_ADVANCE_SAMPLES_MAX);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    expect(times.every((ms) => ms > FROM_MS && ms <= FROM_MS + days * DAY_MS)).toBe(true);
    for (const { at, timesMs } of pieces) expect(Date.parse(at)).toBe(timesMs.at(-1));
  });

  it('has the last quarter of an hour where the interval is longer than what is skipped', () => {
    const samplesMax = 10;
    const pieces = piecesOf(FROM_MS, FROM_MS + HOUR_MS, 10, samplesMax);
    const lastMs = Date.parse('2026-03-01T10:00:00.000Z');
    expect(pieces).toEqual([{ at: new Date(lastMs).toISOString(), timesMs: [lastMs] }]);
    for (let skippedMs = SANDBOX_TELEMETRY_STEP_MS; skippedMs < DAY_MS; skippedMs += 660_000)
      for (let atMs = FROM_MS; atMs < FROM_MS + DAY_MS; atMs += 420_000)
        expect(piecesOf(atMs, atMs + skippedMs, 10, samplesMax)).toHaveLength(1);
  });

  it('is empty without points, and for less than a step', () => {
    expect(piecesOf(FROM_MS, FROM_MS + DAY_MS, 0)).toEqual([]);
    expect(piecesOf(FROM_MS, FROM_MS + 60_000, 10)).toEqual([]);
  });
});

it('has fewer samples once the advances of an hour have used their budget', async () => {
  const points = 1_000;
  let nowMs = 0;
  let samples = 0;
  const feed = timeFeed(
    {
      count: async () => points,
      async ingest(timesMs) {
        samples += timesMs.length * points;
      },
    },
    async () => {},
    () => nowMs,
  );
  const advanced = async () => {
    samples = 0;
    const [from, to] = [FROM_MS, FROM_MS + 366 * DAY_MS].map((ms) => new Date(ms).toISOString());
    for (const stop of await feed(from!, to!)) await stop.pass();
    return samples;
  };
  let [total, advances] = [0, 0];
  while (total < SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX - points) {
    const advancedSamples = await advanced();
    expect(advancedSamples).toBeGreaterThan(0);
    expect(advancedSamples).toBeLessThanOrEqual(SANDBOX_ADVANCE_SAMPLES_MAX);
    total += advancedSamples;
    expect((advances += 1)).toBeLessThan(1_000);
  }
  expect(total).toBeLessThanOrEqual(SANDBOX_ADVANCE_SAMPLES_OF_HOUR_MAX);
  // One time still has samples of all points.
  expect(await advanced()).toBe(points);
  nowMs += CLOCK_WINDOW_MS;
  expect(await advanced()).toBeGreaterThan(SANDBOX_ADVANCE_SAMPLES_MAX / 2);
});
