/** Diagnostic rules as forms and sentences, and the axes of their charts. */
import { describe, expect, it } from 'vitest';
import { AtriumError } from '../packages/sdk/src/index.ts';
import { linesOf, marksOf, rangeOf } from '../packages/portal/src/pages/buildings/time-scale.ts';
import { BLANK, ruleOf, spoken, valuesOf } from '../packages/portal/src/pages/rules/draft.ts';
import { plainly } from '../packages/portal/src/pages/rules/problems.ts';
import { conditionWords, secondsWords } from '../packages/portal/src/pages/rules/words.ts';

const warmth = { valueType: 'number', unit: '°C' } as const;
const fan = { valueType: 'boolean', unit: null } as const;
const made = { ruleId: 'r', createdAt: '2026-03-01T00:00:00.000Z' };

describe('the form of a rule', () => {
  it('gives the rule that is typed, with a decimal comma too', () => {
    const values = {
      ...BLANK,
      title: ' Too warm ',
      pointClass: 'Air',
      comparison: 'gte',
      threshold: '24,5',
      lasting: '2',
      lastingUnit: '3600',
    };
    expect(ruleOf(values, warmth, { isTrial: false })).toEqual({
      rule: {
        title: 'Too warm',
        severity: 'high',
        pointClass: 'Air',
        comparison: 'gte',
        threshold: 24.5,
        forSeconds: 7_200,
      },
    });
  });

  it('says yes and no of a boolean, and offers it no other comparison', () => {
    const values = { ...BLANK, title: 'x', target: 'point', pointId: 'p', comparison: 'no' };
    const no = { comparison: 'lte', threshold: 0 };
    expect(ruleOf(values, fan, { isTrial: false })).toMatchObject({ rule: no });
    const other = ruleOf({ ...values, comparison: 'gt' }, fan, { isTrial: false });
    expect(other).toMatchObject({ rule: { comparison: 'gte', threshold: 1 } });
  });

  it('names missing fields; a trial needs no title', () => {
    const empty = { ...BLANK, severity: ' ', lasting: 'x' };
    const outcome = ruleOf(empty, warmth, { isTrial: false });
    const errors = 'errors' in outcome ? Object.keys(outcome.errors).toSorted() : [];
    expect(errors).toEqual(['lasting', 'pointClass', 'severity', 'threshold', 'title']);
    const whole = { ...BLANK, pointClass: 'Air', threshold: '1' };
    expect(ruleOf(whole, warmth, { isTrial: true })).toHaveProperty('rule.title', 'Trial');
  });

  it('requires the time without an observation to be above 0', () => {
    const silent = { ...BLANK, title: 'x', pointClass: 'Air', comparison: 'stale', silence: '90' };
    expect(ruleOf({ ...silent, silenceUnit: '60' }, warmth, { isTrial: false })).toMatchObject({
      rule: { comparison: 'stale', threshold: 5_400, forSeconds: 0 },
    });
    for (const silence of ['0', '-1', ''])
      expect(ruleOf({ ...silent, silence }, warmth, { isTrial: false })).toHaveProperty(
        'errors.silence',
      );
  });

  it.each([
    { comparison: 'gt', threshold: 26, forSeconds: 900, pointClass: 'Air' },
    { comparison: 'stale', threshold: 7_200, forSeconds: 0, pointId: 'p' },
    {
      comparison: 'lt',
      threshold: -1.5,
      forSeconds: 61,
      pointId: 'p',
      raiseTicket: { priority: 'low', category: 'heat' },
    },
  ] as const)('begins as a copy that gives the same rule: $comparison', (members) => {
    const rule = { title: 'A', severity: 'low', ...members };
    const copy = spoken(valuesOf({ ...made, ...rule }), warmth);
    expect(ruleOf(copy, warmth, { isTrial: false })).toEqual({ rule });
  });

  it('begins as a copy of a boolean’s rule', () => {
    const rule = {
      title: 'A',
      severity: 'low',
      pointId: 'p',
      comparison: 'lte',
      threshold: 0,
      forSeconds: 60,
    } as const;
    const copy = spoken(valuesOf({ ...made, ...rule }), fan);
    expect(copy.comparison).toBe('no');
    expect(ruleOf(copy, fan, { isTrial: false })).toEqual({ rule });
  });
});

describe('a rule in words', () => {
  it.each([
    [{ comparison: 'gt', threshold: 26, forSeconds: 900 }, warmth, 'above 26 °C for 15 minutes'],
    [{ comparison: 'lte', threshold: 0 }, warmth, 'at most 0 °C'],
    [{ comparison: 'gte', threshold: 1, forSeconds: 60 }, fan, 'yes for 1 minute'],
    [{ comparison: 'stale', threshold: 90_000 }, fan, 'no observation for 1 day 1 hour'],
  ] as const)('%o', (rule, measure, words) => {
    expect(conditionWords(rule, measure)).toBe(words);
  });

  it('says seconds in the two largest units that they fill', () => {
    expect([0, 1, 61, 3_600, 90_061].map(secondsWords)).toEqual([
      '0 seconds',
      '1 second',
      '1 minute 1 second',
      '1 hour',
      '1 day 1 hour',
    ]);
  });
});

describe('a refused trial', () => {
  const refusal = (code: string, detail: string) =>
    plainly(
      new AtriumError(
        { code, detail, title: 'x', requestId: 'r', status: 400, type: 't' } as never,
        new Response(),
      ),
    );

  it.each([
    ['20 points over 365 days are more than 3660.', 'Try at most 183 days, or one point.'],
    ['4000 points over 1 days are more than 3660.', 'Try one point.'],
    ['There are more than 10000.', 'More than 10,000 faults would have opened'],
  ])('%s', (detail, words) => {
    expect(String(refusal('VALIDATION_FAILED', detail))).toContain(words);
  });

  it('keeps its message when no plainer one is known', () => {
    expect(refusal('VALIDATION_FAILED', 'Something else')).toBeInstanceOf(AtriumError);
    const broken = new TypeError('x');
    expect(plainly(broken)).toBe(broken);
  });
});

describe('a chart of readings', () => {
  it('shows all values and the threshold, with air around them', () => {
    const [low, high] = rangeOf([{ min: 10, max: 20 }], 30);
    expect(low).toBeLessThan(10);
    expect(high).toBeGreaterThan(30);
    expect(rangeOf([], null)).toEqual([0, 1]);
    const [flat, above] = rangeOf([{ min: 5, max: 5 }], null);
    expect(above).toBeGreaterThan(flat);
  });

  it.each([
    [0, 1],
    [-3.7, 4.1],
    [17.2, 26.4],
    [399, 401],
    [0, 250_000],
  ])('has round marks from %d to %d', (low, high) => {
    const marks = marksOf(low, high);
    expect(marks.length).toBeGreaterThanOrEqual(2);
    expect(marks.length).toBeLessThanOrEqual(6);
    for (const mark of marks) {
      expect(mark).toBeGreaterThanOrEqual(low);
      expect(mark).toBeLessThanOrEqual(high);
    }
  });

  it('breaks its line where readings are missing', () => {
    const bucket = (minute: number) => ({
      timestamp: new Date(minute * 60_000).toISOString(),
      min: 0,
      mean: 1,
      max: 2,
      count: 1,
    });
    const drawn = (minutes: readonly number[]) =>
      linesOf(
        minutes.map(bucket),
        (at) => at / 60_000,
        (value) => value,
        60_000,
      ).line;
    expect(drawn([0, 1, 2])).toBe('M0.0 1.0L1.0 1.0L2.0 1.0h0');
    expect(drawn([0, 4, 9])).toBe('M0.0 1.0L4.0 1.0h0M9.0 1.0h0');
  });
});
