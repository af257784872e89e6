/**
 * Preloaded into a server: reports to its parent process how long the event loop was held,
 * measured in CPU time of the loop's thread per turn, which a busy machine does not increase.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export interface Holding {
  /** CPU time of the longest turn of the event loop. */
  readonly heldMs: number;
  /** The longest delay of a timer in wall-clock time, including that of the machine. */
  readonly delayMs: number;
  /** CPU time of the loop's thread, of all turns. */
  readonly cpuMs: number;
  /** Peak memory of the process since then. */
  readonly rssMib: number;
  /** Heap in use after garbage collection; `null` if not requested. */
  readonly heapMib: number | null;
  /** CPU time of a fixed piece of work in this process. */
  readonly calibrationMs: number;
}

const MIB = 1024 * 1024;

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

const sample = Object.fromEntries(
  Array.from({ length: 2_000 }, (_, index) => [`member ${index}`, { index, text: 'x'.repeat(50) }]),
);

/** The shortest of several runs, because the first ones include compilation. */
const calibrated = (): number => {
  const rounds = Array.from({ length: 5 }, () => {
    const before = cpuMs();
    for (let round = 0; round < 20; round += 1) JSON.parse(JSON.stringify(sample));
    return cpuMs() - before;
  });
  return Math.min(...rounds);
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

let calibrationMs = calibrated();
let heapMib: number | null = null;
let since = cpuMs();
let began = since;
let heldMs = 0;
let rssMib = 0;
const delays = monitorEventLoopDelay({ resolution: 2 });
delays.enable();

setInterval(() => {
  const now = cpuMs();
  heldMs = Math.max(heldMs, now - since);
  since = now;
}, 1).unref();
setInterval(() => {
  rssMib = Math.max(rssMib, process.memoryUsage.rss() / MIB);
}, 50).unref();

const holding = (): Holding => ({
  heldMs: Math.max(heldMs, cpuMs() - since),
  delayMs: delays.max / 1e6,
  cpuMs: cpuMs() - began,
  rssMib,
  heapMib,
  calibrationMs,
});

process.on('message', (ask) => {
  heapMib = null;
  if (ask === 'measure') {
    calibrationMs = Math.max(calibrationMs, calibrated());
    collectGarbage();
    heapMib = process.memoryUsage().heapUsed / MIB;
  }
  process.send?.(holding());
  heldMs = 0;
  rssMib = process.memoryUsage.rss() / MIB;
  delays.reset();
  since = cpuMs();
  began = since;
});
process.channel?.unref();
