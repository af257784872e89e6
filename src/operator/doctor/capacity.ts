/** Whether a server has enough file descriptors and connections to Postgres. */
import type { Pool } from 'pg';
import { LIVE_CONNECTIONS_MAX, LIVE_UNADMITTED_MAX } from '../../api/live/limits.ts';
import type { Config } from '../../config/config.ts';
import { descriptorsOf } from '../../engine/observe/descriptors.ts';
import { databaseConnections } from '../conditions/database-connections.ts';
import {
  DATABASE_CONNECTIONS_FREE_MIN,
  DESCRIPTORS_MIN,
  PROCESS_DATABASE_CONNECTIONS,
  PROCESS_DESCRIPTORS,
} from '../limits.ts';
import { failed, graded, none, ok, warned, type Finding } from './check.ts';

/**
 * Checks the limit of this process, which a server started by the same user here has too.
 *
 * @param count Default: the limit of this process.
 */
export const descriptorsFinding = async (
  { roles }: Pick<Config, 'roles'>,
  count = descriptorsOf('self'),
): Promise<Finding> => {
  const found = await count();
  if (found === null) return none('not available on this system');
  const { max } = found;
  const callers = LIVE_CONNECTIONS_MAX + LIVE_UNADMITTED_MAX;
  const needed = PROCESS_DESCRIPTORS + (roles.has('api') ? callers : 0);
  if (max < DESCRIPTORS_MIN)
    return failed(`a process may open ${max}, which must be ${DESCRIPTORS_MIN} or more`);
  if (max < needed)
    return warned(
      `a process may open ${max}: enough for ${max - PROCESS_DESCRIPTORS} callers at once, ` +
        `of ${callers} that it accepts`,
    );
  return ok(`a process may open ${max}, of which it needs ${needed} at most`);
};

/**
 * @param isServed A server runs, and has its connections already: the free ones are for one more
 *   process, such as one of the next release.
 */
export const connectionsFinding = async (
  pool: Pick<Pool, 'query'>,
  isServed: boolean,
): Promise<Finding> => {
  const { used, max } = await databaseConnections(pool);
  const free = max - used;
  const usage = `${used} of ${max} in use`;
  const needed = `${usage}; one more process needs ${PROCESS_DATABASE_CONNECTIONS}`;
  const isShort = free < PROCESS_DATABASE_CONNECTIONS;
  const isOut = free < (isServed ? DATABASE_CONNECTIONS_FREE_MIN : PROCESS_DATABASE_CONNECTIONS);
  return graded({
    wrong: isOut ? [needed] : [],
    soon: isShort && !isOut ? [needed] : [],
    detail: usage,
  });
};
