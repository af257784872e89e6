import { Counter, Gauge, type Registry } from 'prom-client';

/** What is measured of sandboxes. */
export interface SandboxMetrics {
  /** Provisioning was given up, whatever the reason. */
  failed(): void;
  /** Asked at every scrape, by status; where it fails, the others are printed all the same. */
  standing(read: () => Promise<ReadonlyMap<string, number>>): void;
}

/** The measurements, and what is to be called before each scrape. */
export const sandboxMetrics = (
  registry: Registry,
): { readonly metrics: SandboxMetrics; readonly look: () => Promise<void> } => {
  const registers = [registry];
  let standing: (() => Promise<ReadonlyMap<string, number>>) | null = null;
  const sandboxes = new Gauge({
    name: 'atrium_sandboxes',
    help: 'Sandboxes that there are, by status',
    labelNames: ['status'],
    registers,
  });
  const failures = new Counter({
    name: 'atrium_sandbox_provisioning_failures_total',
    help: 'Sandboxes whose provisioning was given up in this process',
    registers,
  });
  return {
    metrics: {
      failed: () => failures.inc(),
      standing(read) {
        standing = read;
      },
    },
    async look() {
      // An old figure would look like a good one.
      sandboxes.reset();
      const now = await standing?.();
      if (!now) return;
      for (const status of ['provisioning', 'ready', 'failed'])
        sandboxes.set({ status }, now.get(status) ?? 0);
    },
  };
};
