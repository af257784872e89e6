import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../src/hosting/time-feed.ts';
import {
  SANDBOX_ADVANCE_SAMPLES_MAX,
  SANDBOX_ADVANCE_STOPS_MAX,
  SANDBOX_TELEMETRY_STEP_MS,
} from '../../src/limits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FROM_MS = Date.parse('2026-03-01T09:07:00.000Z');
const timesOf = (toMs: number, points: number) =>
  piecesOf(FROM_MS, toMs, points).flatMap(({ timesMs }) => timesMs);

describe('the time that is skipped', () => {
  it('is told every quarter of an hour, each at its own time', () => {
    const told = piecesOf(FROM_MS, FROM_MS + HOUR_MS, 10);
    expect(told.map(({ at }) => at)).toEqual([
      '2026-03-01T09:15:00.000Z',
      '2026-03-01T09:30:00.000Z',
      '2026-03-01T09:45:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect(told.map(({ timesMs }) => timesMs)).toEqual(told.map(({ at }) => [Date.parse(at)]));
  });

  it('is told once where it is skipped in two steps', () => {
    const middleMs = FROM_MS + 8 * SANDBOX_TELEMETRY_STEP_MS;
    const second = piecesOf(middleMs, FROM_MS + DAY_MS, 10).flatMap(({ timesMs }) => timesMs);
    expect([...timesOf(middleMs, 10), ...second]).toEqual(timesOf(FROM_MS + DAY_MS, 10));
  });

  it.each([
    [366, 10],
    [30, 500],
    [366, 8_100],
    [1, 1_000_000],
  ])('of %i days has bounds for %i points, and none twice', (days, points) => {
    const pieces = piecesOf(FROM_MS, FROM_MS + days * DAY_MS, points);
    const times = pieces.flatMap(({ timesMs }) => timesMs);
    expect(pieces.length).toBeLessThanOrEqual(SANDBOX_ADVANCE_STOPS_MAX);
    // One time is told whole, however many points there are.
    expect((times.length - 1) * points).toBeLessThanOrEqual(SANDBOX_ADVANCE_SAMPLES_MAX);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    expect(times.every((ms) => ms > FROM_MS && ms <= FROM_MS + days * DAY_MS)).toBe(true);
    for (const { at, timesMs } of pieces) expect(Date.parse(at)).toBe(timesMs.at(-1));
  });

  it('of no points, and less than a step, is nothing', () => {
    expect(piecesOf(FROM_MS, FROM_MS + DAY_MS, 0)).toEqual([]);
    expect(piecesOf(FROM_MS, FROM_MS + 60_000, 10)).toEqual([]);
  });
});
