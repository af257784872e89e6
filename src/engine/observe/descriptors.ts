/**
 * Reports when this process runs out of file descriptors: Node then closes new connections without
 * an event, and whatever opens a file or a connection fails.
 */
import { readdir, readFile } from 'node:fs/promises';
import { DESCRIPTORS_WARNING_MS, DESCRIPTORS_LOOK_MS, DESCRIPTORS_SHARE_MAX } from '../limits.ts';
import type { Report } from './report.ts';

export interface Descriptors {
  /** `null`: no descriptor is left to count them with. */
  readonly open: number | null;
  readonly max: number;
}

export interface DescriptorWatchParts {
  readonly logger: Report;
  /** Default: of this process; `null` if the system does not provide it. */
  readonly count?: () => Promise<Descriptors | null>;
  /** Milliseconds of a monotonic clock. Default: the process's. */
  readonly nowMs?: () => number;
}

export interface DescriptorWatch {
  /** One check; {@link watchDescriptors} runs it every {@link DESCRIPTORS_LOOK_MS}. */
  look(): Promise<void>;
  stop(): void;
}

/**
 * Logs a warning at most every {@link DESCRIPTORS_WARNING_MS} while few are left, and one line when
 * that is over.
 */
export const watchDescriptors = (parts: DescriptorWatchParts): DescriptorWatch => {
  const { logger, count = descriptorsOf('self'), nowMs = () => performance.now() } = parts;
  let loggedAt: number | null = null;

  const look = async () => {
    const found = await count();
    if (found === null) return;
    const { open, max } = found;
    const isShort = open === null || open > max * DESCRIPTORS_SHARE_MAX;
    if (!isShort) {
      if (loggedAt !== null) logger.info({ open, max }, 'file descriptors are free again');
      loggedAt = null;
      return;
    }
    if (loggedAt !== null && nowMs() - loggedAt < DESCRIPTORS_WARNING_MS) return;
    loggedAt = nowMs();
    logger.warn({ open: open ?? max, max }, 'file descriptors are running out');
  };

  const looking = setInterval(
    () =>
      void look().catch((error: unknown) =>
        logger.info({ err: error }, 'file descriptors cannot be counted'),
      ),
    DESCRIPTORS_LOOK_MS,
  ).unref();
  return { look, stop: () => clearInterval(looking) };
};

/** Counts the descriptors of a process; `null` if the system does not provide that. */
export const descriptorsOf = (pid: number | 'self'): (() => Promise<Descriptors | null>) => {
  /** The limit at the last check: there may be no descriptor left to read it with. */
  let max = 0;
  return async () => {
    try {
      const limits = await readFile(`/proc/${pid}/limits`, 'utf8');
      max = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
      return { open: (await readdir(`/proc/${pid}/fd`)).length, max };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EMFILE' || code === 'ENFILE') return { open: null, max };
      if (code === 'ENOENT') return null;
      throw error;
    }
  };
};
