import type { Pool } from 'pg';
import { isMissingTable } from '../db/errors.ts';
import type { Owner, Ownership } from '../consumers/leases.ts';
import { transaction } from '../db/transaction.ts';
import { OWNER_SILENT_MAX_MS } from '../limits.ts';
import type { Position } from '../store/event-store.ts';
import { schemaOf, type AnyProjection } from './projection.ts';
import { ownerNameOf } from './read-models.ts';

export interface Version {
  readonly name: string;
  readonly version: number;
}

/** A read model that stands in the database and is not of this release. */
export interface OtherVersion extends Version {
  readonly position: Position | null;
  readonly owner: Owner;
}

/** What other releases have left, or feed beside this one. */
export const otherVersions = async (
  db: Pool,
  owners: Ownership,
  mine: readonly AnyProjection[],
): Promise<readonly OtherVersion[]> => {
  const known = new Set(mine.map(schemaOf));
  const others = (await versions(db)).filter((one) => !known.has(schemaOf(one)));
  const fedBy = await owners.owners(others.map(ownerNameOf));
  return others.map((one) => ({ ...one, owner: fedBy.get(ownerNameOf(one)) ?? 'none' }));
};

/**
 * Drops a version of a read model, its tables and what is known about it, as its owner: so that
 * nobody feeds it meanwhile.
 *
 * @returns `fed` where a process feeds it, `unknown` where there is no such version: nothing was
 *   done.
 */
export const dropVersion = async (
  db: Pool,
  owners: Ownership,
  which: Version,
): Promise<'dropped' | 'fed' | 'unknown'> => {
  const { name, version } = which;
  const found = (await versions(db)).some((one) => one.name === name && one.version === version);
  if (!found) return 'unknown';
  const owner = ownerNameOf(which);
  if ((await owners.owners([owner])).get(owner) !== 'none') return 'fed';
  const over = new AbortController();
  // It was free just now; whoever has taken it since keeps it.
  const timer = setTimeout(() => over.abort(), OWNER_SILENT_MAX_MS / 3);
  let dropped = false;
  const drop = async () => {
    await transaction(db, async (client) => {
      await client.query(`drop schema if exists ${schemaOf(which)} cascade`);
      for (const table of ['checkpoint', 'parked', 'skipped', 'request'])
        await client.query(`delete from projections.${table} where name = $1 and version = $2`, [
          name,
          version,
        ]);
    });
    dropped = true;
  };
  let failure: unknown;
  await owners.hold(
    owner,
    async () => {
      try {
        await drop();
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

const versions = async (db: Pool): Promise<readonly Omit<OtherVersion, 'owner'>[]> => {
  try {
    const { rows } = await db.query<Omit<OtherVersion, 'owner'>>(
      `select name, version, position from projections.checkpoint
       where name ~ '^[a-z][a-z0-9-]*$' order by name, version`,
    );
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
};
