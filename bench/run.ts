/**
 * The figures of docs/reference/performance.md, printed anew; or those of two commits, in turns.
 *
 *     npm run bench -- --table [--only shipped,idle]
 *     npm run bench -- --against <commit> [--rounds 5] [--only shipped,idle]
 *
 * `--against` measures this checkout and a clean copy of another commit, each with its own packages
 * and benchmarks, in turns, so that a slowdown of the machine affects both. A figure has changed
 * beyond noise if the ranges of the two commits do not overlap; with five rounds the probability of
 * a false positive is 1 in 126. Figures of only one commit are listed, not compared.
 *
 * A failed benchmark is reported, the others continue, and the exit code is 1; it is also 1 if a
 * figure got worse beyond noise.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { FIGURES_FILE, type Figure } from './support/figures.ts';
import { comparedFigures, comparisonTable, figureTable } from './support/figure-table.ts';

/** Arguments of `node`, by benchmark. */
const BENCHES: Readonly<Record<string, readonly string[]>> = {
  shipped: ['bench/shipped.ts', '2', '1'],
  'key-check': ['bench/key-check.ts', '3', '3'],
  projection: ['bench/projection.ts', '100000', '10000'],
  rebuild: ['bench/rebuild.ts', '1000000', '100000', '--list-only'],
  'rebuild-eventstoredb': ['bench/rebuild.ts', '300000', '30000', '--list-only', '--eventstore'],
  lag: ['bench/lag.ts', '12'],
  'lag-eventstoredb': ['bench/lag.ts', '--eventstoredb', '12'],
  webhooks: ['bench/webhooks.ts', '20000', '3', '50'],
  idle: ['bench/idle.ts', '1', '30'],
  'idle-ten': ['bench/idle.ts', '10', '30'],
  sandboxes: ['bench/sandboxes.ts', '5'],
  'import-log': ['bench/import-log.ts', '20000', '8'],
  personal: ['bench/personal.ts'],
  erasure: ['bench/erasure.ts', '3000', '50'],
  raised: ['bench/raised.ts', '12', '40', '1'],
};

const { values: flags } = parseArgs({
  options: {
    table: { type: 'boolean', default: false },
    against: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
const rounds = Number(flags.rounds);
const names = flags.only?.split(',') ?? Object.keys(BENCHES);
const unknown = names.filter((name) => !(name in BENCHES));
if (flags.table === (flags.against !== undefined) || !(rounds >= 1) || unknown.length > 0) {
  console.error('npm run bench -- --table | --against <commit> [--rounds n] [--only a,b]');
  console.error(`Benchmarks: ${Object.keys(BENCHES).join(', ')}`);
  process.exit(2);
}

const HERE = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'atrium-figures-'));
const failed = new Set<string>();

/** Runs a command with its output shown, and throws if it fails. */
const must = (program: string, words: readonly string[], cwd: string) => {
  const { status } = spawnSync(program, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: exit code ${status}`);
};

const measured = (name: string, checkout: string): readonly Figure[] => {
  const file = join(scratch, 'figures');
  writeFileSync(file, '');
  const load = loadavg()[0]!.toFixed(1);
  console.error(`${name} in ${checkout === HERE ? 'this checkout' : flags.against}, load ${load}`);
  const { status } = spawnSync(process.execPath, BENCHES[name]!, {
    cwd: checkout,
    env: { ...process.env, [FIGURES_FILE]: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed.add(name);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const figure = JSON.parse(line) as Figure;
      return { ...figure, name: `${name}: ${figure.name}` };
    });
};

const table = () => {
  for (const name of names) {
    const command = `node ${BENCHES[name]!.join(' ')}`;
    console.log(figureTable(command, measured(name, HERE)));
  }
};

const against = (commit: string) => {
  const other = join(scratch, 'other');
  must('git', ['worktree', 'add', '--detach', other, commit], HERE);
  try {
    must('npm', ['ci'], other);
    const values = { here: [] as Figure[], other: [] as Figure[] };
    for (let round = 0; round < rounds; round += 1)
      for (const name of names) {
        values.other.push(...measured(name, other));
        values.here.push(...measured(name, HERE));
      }
    const compared = comparedFigures(values.other, values.here);
    console.log(comparisonTable(compared));
    if (compared.some(({ moved }) => moved === 'worse')) process.exitCode = 1;
  } finally {
    must('git', ['worktree', 'remove', '--force', other], HERE);
  }
};

try {
  if (flags.against === undefined) table();
  else against(flags.against);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (failed.size > 0) {
  console.error(`failed: ${[...failed].join(', ')}`);
  process.exitCode = 1;
}
