import { readFileSync, readdirSync } from 'node:fs';

/** Processor time of this process and of a Postgres server, in microseconds. */
export interface CpuTime {
  readonly nodeUs: number;
  /** `null` without `/proc`. */
  readonly postgresUs: number | null;
}

/** @param postmaster The server's process, which is counted with its children. */
export const cpuTime = (postmaster: number): CpuTime => {
  const { user, system } = process.cpuUsage();
  return { nodeUs: user + system, postgresUs: treeUs(postmaster) };
};

export const cpuSince = (before: CpuTime, after: CpuTime): CpuTime => ({
  nodeUs: after.nodeUs - before.nodeUs,
  postgresUs:
    before.postgresUs === null || after.postgresUs === null
      ? null
      : after.postgresUs - before.postgresUs,
});

/** Processor time of one process without its children, in microseconds. */
export const processUs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6;
};

/** An ended backend is counted with the postmaster, which has reaped it. */
export const treeUs = (postmaster: number): number | null => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, pid) => sum + usedUs(Number(pid), postmaster), 0);
  } catch {
    return null;
  }
};

const usedUs = (pid: number, postmaster: number): number => {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // After the name in brackets: state, parent, …; 11 to 14 are user and system time, and those of
  // children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (pid !== postmaster && Number(fields[1]) !== postmaster) return 0;
  const own = Number(fields[11]) + Number(fields[12]);
  const waited = pid === postmaster ? Number(fields[13]) + Number(fields[14]) : 0;
  return ((own + waited) / TICKS_PER_SECOND) * 1e6;
};

/** `USER_HZ`, which is fixed by the kernel's ABI, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100;
