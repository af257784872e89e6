/** The answer to `after`: the audit in log order. contract.md section 3. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { RecordsParked, type AuditFollowing } from '../../projections/keys/audit-following.ts';
import type { LogCursors } from '../../engine/log/cursors.ts';
import { callerIn } from '../sessions/authenticate.ts';
import { cursorProblem } from '../http/lost-cursors.ts';
import { goneSignal, withPermit } from '../http/permits.ts';
import { Problem } from '../http/problems.ts';
import { AUDIT_START, auditItemOf, type AuditPageBody, type AuditQuery } from './audit-schemas.ts';

export interface FollowingParts {
  readonly follow: AuditFollowing;
  readonly cursors: LogCursors;
  /** Bounds concurrent long polls. */
  readonly waits: FairSemaphore;
  /** Aborts when the server stops: pending long polls are answered. */
  readonly stopping: AbortSignal;
}

type Query = z.output<typeof AuditQuery> & { readonly after: string };

/**
 * @throws Problem `VALIDATION_FAILED` for a cursor of another list; `CURSOR_LOST`; `UNAVAILABLE`.
 */
export const answerFollowing =
  ({ follow, cursors, waits, stopping }: FollowingParts) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    { after, limit, wait, ...filter }: Query,
  ): Promise<z.input<typeof AuditPageBody>> => {
    try {
      const written = await cursors();
      const place = after === AUDIT_START ? null : written.positionIn(after);
      const held = (gone: AbortSignal) =>
        follow({
          selection: { organisation: callerIn(request).organisation, ...filter },
          after: place,
          limit,
          waitMs: wait * 1000,
          signal: AbortSignal.any([gone, stopping]),
        });
      const { rows, next } =
        wait === 0 ? await held(goneSignal(reply)) : await withPermit(waits, request, reply, held);
      return {
        items: rows.map(auditItemOf),
        nextCursor: next === null ? AUDIT_START : written.textOf(next),
      };
    } catch (error) {
      if (error instanceof RecordsParked) throw new Problem('UNAVAILABLE', ASIDE);
      throw cursorProblem(error, { beginning: AUDIT_START, of: 'list' });
    }
  };

const ASIDE = 'Some records are not readable yet, and this list must not skip any.';
