import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { comparedFigures, comparisonTable, figureTable } from '../bench/support/figure-table.ts';
import { FIGURES_FILE, recordFigures, type Figure } from '../bench/support/figures.ts';

const rates = (...values: readonly number[]): readonly Figure[] =>
  values.map((value) => ({ name: 'rate', value, unit: '/s', better: 'more' }));
const times = (...values: readonly number[]): readonly Figure[] =>
  values.map((value) => ({ name: 'time', value, unit: 'ms', better: 'less' }));

describe('figures of two commits', () => {
  it.each([
    ['more of what is better', rates(10, 11), rates(12, 13), 'better'],
    ['less of it', rates(10, 11), rates(8, 9), 'worse'],
    ['more of what is worse', times(10, 11), times(12, 13), 'worse'],
    ['less of it', times(10, 11), times(8, 9), 'better'],
    ['ranges that overlap', rates(10, 12), rates(11, 13), 'within noise'],
    ['one range within the other', times(10, 13), times(11, 12), 'within noise'],
    ['ranges that touch', times(10, 11), times(11, 12), 'within noise'],
    ['a figure that is new', [], rates(10), 'only after'],
    ['a figure that went', rates(10), [], 'only before'],
  ] as const)('calls %s %s', (_, before, after, moved) => {
    expect(comparedFigures(before, after).map((one) => one.moved)).toEqual([moved]);
  });

  it('prints medians, ranges, and regressions in bold', () => {
    const compared = comparedFigures(
      [...rates(1_000, 1_200, 1_100), ...times(1, 2, 3)],
      [...rates(900, 950, 800), ...times(2, 3, 4)],
    );
    expect(comparisonTable(compared).split('\n').slice(2)).toEqual([
      '| rate | 1,100/s (1,000 to 1,200) | 900/s (800 to 950) | **worse** |',
      '| time | 2 ms (1 to 3) | 3 ms (2 to 4) | within noise |',
    ]);
  });
});

it('prints figures beside their bars', () => {
  const [rate] = rates(2_999.6);
  const [time] = times(0.12345);
  expect(
    figureTable('node bench/one.ts', [
      { ...rate!, bar: 3_000 },
      { ...time!, bar: 0.2 },
      { ...time!, name: 'no bar' },
    ])
      .split('\n')
      .slice(5),
  ).toEqual([
    '| rate | 3,000/s | ≥ 3,000/s: **missed** |',
    '| time | 0.123 ms | ≤ 0.2 ms: held |',
    '| no bar | 0.123 ms |  |',
  ]);
});

it('records figures only where the variable names a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'atrium-figures-'));
  const file = join(directory, 'figures');
  try {
    recordFigures(...rates(1));
    process.env[FIGURES_FILE] = file;
    recordFigures(...rates(2, 3));
    recordFigures(...times(4));
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Figure).value)).toEqual([2, 3, 4]);
  } finally {
    delete process.env[FIGURES_FILE];
    rmSync(directory, { recursive: true });
  }
});

it.each([
  ['nothing', []],
  ['both', ['--table', '--against', 'HEAD']],
  ['no benchmark', ['--table', '--only', 'shipped,nonsense']],
  ['no round', ['--against', 'HEAD', '--rounds', '0']],
])('refuses to measure %s, and names the benchmarks', (_, words) => {
  const run = fileURLToPath(new URL('../bench/run.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [run, ...words], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toMatch(/--against <commit>.*\n.*shipped, key-check/s);
});
