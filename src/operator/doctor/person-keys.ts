import type { Pool } from 'pg';
import type { EventStore } from '../../engine/log/event-store.ts';
import { lostPersonKeys } from '../../projections/erasures/missing-keys.ts';
import { failed, ok, type Finding } from './check.ts';

/** Whether keys of persons are lost that no erasure destroyed. */
export const personKeysFinding = async (pool: Pool, log: EventStore): Promise<Finding> => {
  const lost = await lostPersonKeys(pool, log);
  if (lost === 0) return ok('none is lost');
  return failed(
    `${lost} keys that events refer to are gone, and no erasure destroyed them: their persons ` +
      'read as erased. Stop the servers and load personal.keys from a backup',
  );
};
