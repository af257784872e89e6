import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mergedSamples,
  packed,
  samplesOf,
  sealedDayOf,
  unpacked,
  type DaySample,
} from '../../../src/domain/telemetry/sealed-day.ts';

const DAY_MS = 86_400_000;

const value = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  fc.integer({ min: -400_000, max: 400_000 }).map((each) => each / 10),
  fc.constantFrom(0, 1, 21.5, 123_456.78, 1e15, -9_007_199_254_740_991, 5e-324, 1.7e308),
);
const at = fc.oneof(
  fc.nat({ max: DAY_MS - 1 }),
  fc.nat({ max: 143 }).map((each) => each * 600_000),
);
const day = (values: fc.Arbitrary<number> = value): fc.Arbitrary<readonly DaySample[]> =>
  fc
    .uniqueArray(fc.record({ ms: at, value: values }), { selector: ({ ms }) => ms, minLength: 1 })
    .map((samples) => samples.toSorted((a, b) => a.ms - b.ms));

/** A sample every ten minutes, except at the indexes in `missing`. */
const regular = (valueAt: (place: number) => number, missing: readonly number[] = []) =>
  Array.from({ length: 144 }, (_, place) => ({
    ms: place * 600_000,
    value: valueAt(place),
  })).filter((_, place) => !missing.includes(place));

describe('a sealed day', () => {
  it('round-trips any samples bit for bit', () => {
    fc.assert(
      fc.property(day(), (samples) => {
        expect(samplesOf(sealedDayOf(samples))).toEqual(samples);
      }),
    );
  });

  it('fits its columns: whole numbers of few bytes, and arrays of one length', () => {
    fc.assert(
      fc.property(day(), (samples) => {
        const { firstMs, stepMs, offsetsMs, packing, values } = sealedDayOf(samples);
        const kept = values.filter((each) => !Number.isNaN(each));
        expect(kept).toHaveLength(samples.length);
        expect([stepMs, offsetsMs].filter((each) => each !== null)).toHaveLength(1);
        expect(offsetsMs?.length ?? values.length).toBe(values.length);
        expect(values.length).toBeLessThanOrEqual(2 * samples.length);
        expect(firstMs).toBeGreaterThanOrEqual(0);
        if (packing === null) return;
        expect(Number.isSafeInteger(packing.base)).toBe(true);
        const integers = Array.from(kept, (each) => packed(each, packing));
        expect(integers.filter((each) => !(Math.abs(each) <= 32_767))).toEqual([]);
        expect(integers.map((each) => unpacked(each, packing))).toEqual([...kept]);
      }),
    );
  });

  it('stores no times for a periodic sensor, and two bytes per value', () => {
    const sealed = sealedDayOf(regular((place) => 20 + place / 100));
    expect(sealed).toMatchObject({ firstMs: 0, stepMs: 600_000, offsetsMs: null });
    expect(sealed.packing?.divisor).toBe(100);
    expect(sealed.values).toHaveLength(144);
  });

  it('leaves gaps for missing samples', () => {
    const sealed = sealedDayOf(regular(() => 1, [7]));
    expect(sealed.values).toHaveLength(144);
    expect(sealed.values[7]).toBeNaN();
  });

  it('stores a rising meter in two bytes per value, and noise in eight', () => {
    const meter = regular((place) => Math.round((1_234_567 + place * 3.41) * 100) / 100);
    expect(sealedDayOf(meter).packing?.divisor).toBe(100);
    expect(sealedDayOf(regular((place) => Math.sin(place))).packing).toBeNull();
  });
});

it('the later of two samples with the same time wins', () => {
  fc.assert(
    fc.property(day(), day(), (earlier, later) => {
      const expected = new Map([...earlier, ...later].map(({ ms, value: kept }) => [ms, kept]));
      const merged = mergedSamples(earlier, later);
      expect(new Map(merged.map(({ ms, value: kept }) => [ms, kept]))).toEqual(expected);
      expect(merged.map(({ ms }) => ms)).toEqual([...expected.keys()].toSorted((a, b) => a - b));
    }),
  );
});
