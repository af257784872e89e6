/** Compares the cost of starting programs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { median } from './figures.ts';

const TICK_MS = 10;

/** CPU time of all ended children. */
const childrenCpuMs = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
};

const started = ([program, ...words]: readonly [string, ...string[]]) => {
  const cpu = childrenCpuMs();
  const began = performance.now();
  const { status, stderr } = spawnSync(program, words, {
    env: { XDG_CONFIG_HOME: '/nonexistent' },
  });
  const ms = performance.now() - began;
  if (status !== 0) throw new Error(stderr.toString());
  return { ms, cpuMs: childrenCpuMs() - cpu };
};

/**
 * Starts programs in turn, and prints their cost. CPU is by the kernel's ticks of 10 ms, over all
 * rounds; the best time is the one least disturbed by other work on the machine.
 *
 * @param starts Name → program and arguments.
 */
export const compareStarts = (
  starts: Readonly<Record<string, readonly [string, ...string[]]>>,
  rounds: number,
): void => {
  const names = Object.keys(starts);
  // The first start fills the compile cache.
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
};
