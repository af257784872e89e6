import type { FastifyRequest } from 'fastify';
import type { Graph } from '../../building/graph/graph.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { Problem } from '../http/problems.ts';

/**
 * The buildings whose messages the caller may read, restricted to `named` if present; `undefined`
 * for an operator, who belongs to no organisation and reads all. contract.md section 2.
 *
 * @throws {@link Problem} `NOT_FOUND` for a building of another organisation.
 */
export const buildingsSeenBy = async (
  request: FastifyRequest,
  graph: Pick<Graph, 'building' | 'buildingIds'>,
  named: string | undefined,
): Promise<ReadonlySet<string> | undefined> => {
  const { organisation } = callerIn(request);
  if (organisation === null) return named === undefined ? undefined : new Set([named]);
  if (named === undefined) return graph.buildingIds(organisation);
  if ((await graph.building(organisation, named)) === null) {
    throw new Problem('NOT_FOUND', 'There is no such building.');
  }
  return new Set([named]);
};
