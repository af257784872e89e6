import { expect, it } from 'vitest';
import { durationMs } from '../../../src/engine/time/duration.ts';

it.each([
  ['PT1H', 3_600_000],
  ['P1D', 86_400_000],
  ['P2W', 1_209_600_000],
  ['P1DT2H3M4.5S', 93_784_500],
  ['PT0.001S', 1],
  ['PT0S', 0],
])('reads %s', (text, ms) => expect(durationMs(text)).toBe(ms));

it.each(['', 'P', 'PT', 'P1DT', '1H', 'PT1', 'P1M', 'P1Y', 'PT-1H', '-PT1H', 'PT1.5H', 'pt1h'])(
  'does not read %j',
  (text) => expect(durationMs(text)).toBeNull(),
);
