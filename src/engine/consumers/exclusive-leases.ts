import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { RETRY_FIRST_MS } from '../limits.ts';
import { repeat } from '../concurrency/repeat.ts';
import type { Logger } from '../observe/logging.ts';
import { leaseRows } from './lease-rows.ts';
import type { Lease, Leases } from './leases.ts';

export interface ExclusiveLeasesParts {
  readonly db: { readonly pool: Pool };
  readonly logger: Logger;
  /** Aborts when this platform may no longer be the only one. */
  readonly until: AbortSignal;
}

/**
 * The leases of a platform that is alone on its database, because an outer lease covers it: a
 * sandbox. Every name is granted at once, without heartbeats or polling.
 *
 * Each name's epoch is raised nevertheless, which fences out an earlier holder.
 */
export const exclusiveLeases = ({ db, logger, until }: ExclusiveLeasesParts): Leases => {
  const rows = leaseRows(db.pool, { holder: randomUUID(), silentMaxMs: 0, address: null });
  const closing = new AbortController();
  const holds = new Set<Promise<void>>();
  const held = new Set<string>();
  /** Names requested in one turn of the event loop are acquired by one statement. */
  let pending: { readonly names: string[]; readonly epochs: Promise<Map<string, number>> } | null =
    null;

  const seized = async (names: readonly string[]) => {
    await Promise.resolve();
    pending = null;
    const leases = await rows.seize(names);
    return new Map(leases.map(({ name, epoch }) => [name, epoch]));
  };

  const epochOf = async (name: string): Promise<number> => {
    if (!pending) {
      const names: string[] = [];
      pending = { names, epochs: seized(names) };
    }
    const { names, epochs } = pending;
    names.push(name);
    return (await epochs).get(name)!;
  };

  const keepHolding = (name: string, run: (lease: Lease) => Promise<void>, signal: AbortSignal) =>
    repeat(
      async () => {
        const epoch = await epochOf(name);
        if (!signal.aborted) await run({ epoch, signal });
        return RETRY_FIRST_MS;
      },
      {
        signal,
        failed: (error) =>
          logger.error({ err: error, lease: name }, 'what ran under a lease has failed'),
      },
    );

  return {
    async hold(name, run, stop) {
      if (held.has(name)) throw new Error(`${name} is held here already`);
      held.add(name);
      const hold = keepHolding(name, run, AbortSignal.any([stop, until, closing.signal]));
      holds.add(hold);
      await hold.finally(() => {
        holds.delete(hold);
        held.delete(name);
      });
    },

    owners: async (names) => new Map(names.map((name) => [name, held.has(name) ? 'this' : 'none'])),

    async close() {
      closing.abort();
      await Promise.all(holds);
    },
  };
};
