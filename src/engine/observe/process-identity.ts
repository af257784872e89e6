import { readFileSync, readlinkSync } from 'node:fs';

/**
 * This process among all that ever ran on its machine: the machine since its last start, the
 * process ids it counts in, and when the process began, so that an id given out again is no other.
 */
export interface ProcessIdentity {
  readonly machine: string;
  readonly pid: number;
  /** In ticks of the machine. */
  readonly startedAt: number;
}

/** `null` where the operating system does not tell: elsewhere than on Linux. */
export const processIdentity = (): ProcessIdentity | null => {
  const machine = machineIdentity();
  const startedAt = startOf(process.pid);
  if (machine === null || startedAt === null) return null;
  return { machine, pid: process.pid, startedAt };
};

/** Whether the process has ended; false if that cannot be determined. */
export const hasEnded = ({ machine, pid, startedAt }: Partial<ProcessIdentity>): boolean =>
  machine !== undefined &&
  pid !== undefined &&
  machine === machineIdentity() &&
  startOf(pid) !== startedAt;

const machineIdentity = (): string | null => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Containers of one machine count their processes apart.
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
};

/** `null` for a process that is not there, or has ended and was not yet waited for. */
const startOf = (pid: number): number | null => {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // The second field is the command in parentheses, and may hold any character.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? null : Number(fields[STARTED]);
};

/** proc(5) counts it as field 22; the fields here begin with the third. */
const STARTED = 19;
