import type { Pool } from 'pg';
import { checkpoints } from '../consumers/checkpoints.ts';
import {
  projectionId,
  projectionVersionOf,
  type ProjectionVersion,
} from '../consumers/consumer.ts';
import type { Leases, Owner } from '../consumers/leases.ts';
import { transaction } from '../postgres/transaction.ts';
import { LEASE_SILENT_MAX_MS } from '../limits.ts';
import type { Position } from '../log/event-store.ts';
import { schemaOf, type AnyProjection } from './projection.ts';

/** A read model in the database that is not of this release. */
export interface OtherVersion extends ProjectionVersion {
  readonly position: Position | null;
  readonly owner: Owner;
}

/** Read models that other releases have left, or feed beside this one. */
export const otherVersions = async (
  db: Pool,
  leases: Leases,
  projections: readonly AnyProjection[],
): Promise<readonly OtherVersion[]> => {
  const ids = new Set(projections.map(projectionId));
  const others = (await versions(db)).filter((one) => !ids.has(projectionId(one)));
  const owners = await leases.owners(others.map(projectionId));
  return others.map((one) => ({ ...one, owner: owners.get(projectionId(one)) ?? 'none' }));
};

/**
 * Drops a version of a read model, its tables and its state, while holding its lease so that no
 * process feeds it.
 *
 * @returns `fed` if a process feeds it, `unknown` if there is no such version: nothing was done.
 */
export const dropVersion = async (
  db: Pool,
  leases: Leases,
  which: ProjectionVersion,
): Promise<'dropped' | 'fed' | 'unknown'> => {
  const consumer = projectionId(which);
  const found = (await versions(db)).some((one) => projectionId(one) === consumer);
  if (!found) return 'unknown';
  if ((await leases.owners([consumer])).get(consumer) !== 'none') return 'fed';
  const over = new AbortController();
  // It was free just now; a process that has acquired it since keeps it.
  const timer = setTimeout(() => over.abort(), LEASE_SILENT_MAX_MS / 3);
  let dropped = false;
  let failure: unknown;
  const drop = () =>
    transaction(db, async (client) => {
      await client.query(`drop schema if exists ${schemaOf(which)} cascade`);
      await checkpoints(client).forget(consumer);
    });
  await leases.hold(
    consumer,
    async () => {
      try {
        await drop();
        dropped = true;
      } catch (error) {
        failure = error;
      }
      over.abort();
    },
    over.signal,
  );
  clearTimeout(timer);
  if (failure !== undefined) throw failure;
  return dropped ? 'dropped' : 'fed';
};

const versions = async (db: Pool) =>
  (await checkpoints(db).all()).flatMap(({ consumer, position }) => {
    const version = projectionVersionOf(consumer);
    return version ? [{ ...version, position }] : [];
  });
