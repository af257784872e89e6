import { Gauge, type Registry } from 'prom-client';
import { READINESS_ANSWER_MAX_MS } from '../limits.ts';
import { diskSpace, fullestDisk, type DiskSpace } from './disk-space.ts';
import type { ReadinessSource } from './readiness-error.ts';
import { singleFlight } from '../concurrency/single-flight.ts';
import { withTimeout } from '../concurrency/timeout.ts';

/** Metrics of the process and the disks that it writes to. */
export interface OwnMetrics {
  /** Queried at every scrape, for {@link READINESS_ANSWER_MAX_MS} at most. */
  readiness(source: ReadinessSource): void;
  /** Of their disks, the one with the least free share is read at every scrape. */
  disks(directories: readonly string[]): void;
}

/**
 * The measurements, and a function to call before each scrape.
 *
 * @param spaceOf Reads the disk of a directory; only tests replace it.
 */
export const ownMetrics = (
  registry: Registry,
  spaceOf: (directory: string) => Promise<DiskSpace> = diskSpace,
): { readonly metrics: OwnMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let source: ReadinessSource | null = null;
  let looks: readonly (() => Promise<DiskSpace>)[] = [];
  const ready = new Gauge({
    name: 'atrium_ready',
    help: '1 if this process serves requests (ready or degraded at /health/ready), else 0',
    registers,
  });
  const degraded = new Gauge({
    name: 'atrium_degraded',
    help: '1 while an optional part is unavailable, by part, else 0',
    labelNames: ['part'],
    registers,
  });
  const free = new Gauge({
    name: 'atrium_data_disk_free_bytes',
    help: 'Free space of the fullest disk: of ATRIUM_DATA, the embedded Postgres or FILES_URL',
    registers,
  });
  const size = new Gauge({
    name: 'atrium_data_disk_size_bytes',
    help: 'Size of the disk of atrium_data_disk_free_bytes',
    registers,
  });

  const serves = async () => source !== null && (await source.reasons()).length === 0;

  const lookAtDisk = async () => {
    if (looks.length === 0) return;
    // A directory is created at its first use, and a network file system may not answer.
    const looked = looks.map((look) =>
      withTimeout(look(), READINESS_ANSWER_MAX_MS, () => null).catch(() => null),
    );
    const disks = (await Promise.all(looked)).filter((disk) => disk !== null);
    // A stale figure would look like a current one.
    if (disks.length === 0) for (const gone of [free, size]) gone.remove();
    else {
      const { freeBytes, totalBytes } = fullestDisk(disks);
      free.set(freeBytes);
      size.set(totalBytes);
    }
  };

  return {
    metrics: {
      readiness(of) {
        source = of;
      },
      disks(of) {
        // One look at a time: each that hangs holds one of the few threads for files.
        looks = of.map((directory) => singleFlight(() => spaceOf(directory)));
      },
    },
    async look() {
      const [isServing, degradations] = await Promise.all([
        withTimeout(serves(), READINESS_ANSWER_MAX_MS, () => false).catch(() => false),
        source?.degradations() ?? [],
        lookAtDisk(),
      ]);
      ready.set(isServing ? 1 : 0);
      const away = new Set(degradations.map(({ part }) => part));
      for (const part of source?.parts ?? []) degraded.set({ part }, away.has(part) ? 1 : 0);
    },
  };
};
