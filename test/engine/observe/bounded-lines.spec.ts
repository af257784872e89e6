import { expect, it, vi } from 'vitest';
import { boundedLines } from '../../../src/engine/observe/bounded-lines.ts';

it('writes one line in an interval, with the number of those that were left out', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  const lines: number[] = [];
  const failed = boundedLines(1_000);
  const at = (ms: number) => {
    now.mockReturnValue(ms);
    failed((unlogged) => lines.push(unlogged));
  };
  for (const ms of [5_000, 5_001, 5_999]) at(ms);
  expect(lines).toEqual([0]);
  for (const ms of [6_000, 6_500, 9_000]) at(ms);
  expect(lines).toEqual([0, 2, 1]);
  now.mockRestore();
});
