import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Identifies this process among all that ever ran on its machine: by the machine's last start, the
 * namespace of its process ids, and its own start, so that a reused process id is another process.
 */
export interface ProcessIdentity {
  readonly machine: string;
  readonly pid: number;
  /** In ticks of the machine. */
  readonly startedAt: number;
}

/** `null` where the operating system does not provide it: on all but Linux. */
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

/** `null` for a process that does not exist, or is a zombie. */
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
