import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { READINESS_ANSWER_MAX_MS } from '../limits.ts';
import { inTime } from './timeout.ts';

/** What is measured of the process itself, and of the disk that it writes to. */
export interface OwnMetrics {
  /** Asked at every scrape, for {@link READINESS_ANSWER_MAX_MS} at most: why it is not ready. */
  ready(reasons: () => Promise<readonly string[]>): void;
  /** The disk of this directory is looked at with every scrape. */
  disk(directory: string): void;
}

/** The measurements, and what is to be called before each scrape. */
export const ownMetrics = (
  registry: Registry,
): { readonly metrics: OwnMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let reasons: () => Promise<readonly string[]> = async () => ['nobody can say'];
  let directory: string | null = null;
  const ready = new Gauge({
    name: 'atrium_ready',
    help: '1 if this process should get traffic, as /health/ready says, else 0',
    registers,
  });
  const free = new Gauge({
    name: 'atrium_data_disk_free_bytes',
    help: 'What is left of the disk that ATRIUM_DATA is on',
    registers,
  });
  const size = new Gauge({
    name: 'atrium_data_disk_size_bytes',
    help: 'The size of the disk that ATRIUM_DATA is on',
    registers,
  });

  const lookAtDisk = async () => {
    if (directory === null) return;
    try {
      const { bavail, blocks, bsize } = await statfs(directory);
      free.set(bavail * bsize);
      size.set(blocks * bsize);
    } catch {
      // It is made at the first start. An old figure would look like a good one.
      for (const gone of [free, size]) gone.remove();
    }
  };

  return {
    metrics: {
      ready(read) {
        reasons = read;
      },
      disk(of) {
        directory = of;
      },
    },
    async look() {
      const unknown = () => ['no answer'];
      const [why] = await Promise.all([
        inTime<readonly string[]>(reasons(), READINESS_ANSWER_MAX_MS, unknown).catch(unknown),
        lookAtDisk(),
      ]);
      ready.set(why.length === 0 ? 1 : 0);
    },
  };
};
