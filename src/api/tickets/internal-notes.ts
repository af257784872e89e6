import type { FastifyRequest } from 'fastify';
import { callerIn } from '../sessions/authenticate.ts';

/** Whether the caller may read internal notes. contract.md section 5. */
export const mayReadInternal = (request: FastifyRequest): boolean => {
  const { permissions } = callerIn(request);
  return permissions.has('service-desk.tickets:write') || permissions.has('platform.audit:read');
};
