/**
 * What a start of the command line costs, beside a start of Node that does nothing.
 *
 *     node bench/command-line.ts [rounds]
 *
 * Programs are started in turn. The CPU is what the kernel counts of them, in ticks of 10 ms, over
 * all rounds; the best time is the one that other work on the machine has disturbed least.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { median } from './support/figures.ts';

const rounds = Number(process.argv[2] ?? 20);
const program = fileURLToPath(new URL('../packages/cli/src/atrium.ts', import.meta.url));
const starts: Readonly<Record<string, readonly string[]>> = {
  'node --eval 0': ['--eval', '0'],
  'atrium --help': [program, '--help'],
  'atrium profiles': [program, 'profiles'],
};

const TICK_MS = 10;

/** Of every child that has ended. */
const childrenCpuMs = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
};

const started = (words: readonly string[]) => {
  const cpu = childrenCpuMs();
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [...words], {
    env: { XDG_CONFIG_HOME: '/nonexistent' },
  });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(stderr.toString());
  return { ms, cpuMs: childrenCpuMs() - cpu };
};

const names = Object.keys(starts);
// The first start compiles what the others find compiled.
for (const name of names) started(starts[name]!);
const measured = new Map(names.map((name) => [name, [] as ReturnType<typeof started>[]]));
for (let round = 0; round < rounds; round += 1)
  for (const name of names) measured.get(name)!.push(started(starts[name]!));

console.table(
  names.map((start) => {
    const all = measured.get(start)!;
    const times = all.map(({ ms }) => ms);
    return {
      start,
      'best ms': Math.min(...times).toFixed(0),
      'median ms': median(times).toFixed(0),
      'CPU ms': (all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / rounds).toFixed(0),
    };
  }),
);
