import type { ClientBase } from 'pg';
import { validate as isUuid } from 'uuid';
import { refuse, type Refusal } from '../../engine/aggregates/decider.ts';
import { BUILDING_BUSY_MAX_MS } from './limits.ts';

/**
 * Locks a building against imports until the transaction ends; other writes are possible meanwhile.
 * Waits up to {@link BUILDING_BUSY_MAX_MS} for a running import.
 *
 * Refuses `NOT_FOUND` for a building that is not the organisation's.
 */
export const holdBuilding = async (
  client: ClientBase,
  organisation: string,
  buildingId: string,
): Promise<Refusal | null> => {
  await client.query(`set local lock_timeout = ${BUILDING_BUSY_MAX_MS}`);
  const { rowCount } = isUuid(buildingId)
    ? await client.query(
        'select from graph.building where id = $1 and organisation = $2 for key share',
        [buildingId, organisation],
      )
    : { rowCount: 0 };
  return rowCount === 0 ? refuse('NOT_FOUND', 'No building has this id.') : null;
};
