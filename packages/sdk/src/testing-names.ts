/** Names of sandboxes that tests create; they show which ones are left over. */
import { hostname } from 'node:os';

interface Named {
  readonly name: string;
  readonly createdAt: string;
}

/** The server limits the length of a name. */
const HOST_CHARACTERS_MAX = 30;
/** Longer than any run. */
const LEFT_OVER_AFTER_MS = 3_600_000;

const hostHere = () =>
  hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, HOST_CHARACTERS_MAX);

/** `<prefix> <process>@<host>`. */
export const nameOf = (prefix: string): string => `${prefix} ${process.pid}@${hostHere()}`;

/** Of this prefix, and of a process of this machine that has ended, or of an hour ago. */
export const isLeftOver = (prefix: string, { name, createdAt }: Named): boolean => {
  if (!name.startsWith(`${prefix} `)) return false;
  const [, pid, host] = /^(\d+)@(.+)$/.exec(name.slice(prefix.length + 1)) ?? [];
  if (pid === undefined) return false;
  if (host === hostHere() && !isAlive(Number(pid))) return true;
  return Date.now() - Date.parse(createdAt) > LEFT_OVER_AFTER_MS;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
