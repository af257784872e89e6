import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import type { Visibility } from './commands.ts';
import { invalid } from './problems.ts';

/**
 * Delays a GET with the `X-Atrium-Position` of a command until its read models have caught up, at
 * most `READ_YOUR_WRITES_WAIT_MS`; then it is answered from the current state, with
 * `X-Atrium-Stale: true`. contract.md section 1.
 *
 * @throws {@link Problem} `VALIDATION_FAILED` for a text that is no position of this log.
 */
export const holdRead = async (
  request: FastifyRequest,
  reply: FastifyReply,
  names: readonly string[],
  visibility: Visibility,
): Promise<void> => {
  const position = positionIn(request, visibility);
  if (position === null) return;
  const isVisible = await visibility.waitFor(names, position, visibility.readWaitMs);
  if (!isVisible) void reply.header('x-atrium-stale', 'true');
};

/**
 * Delays a GET until the read models have reached the log's current head, with or without a
 * position: the answer includes everything recorded before the request.
 *
 * @throws {@link Problem} as {@link holdRead} does; `LogUnavailable`.
 */
export const holdToHead = async (
  request: FastifyRequest,
  reply: FastifyReply,
  names: readonly string[],
  { log, visibility }: { readonly log: EventStore; readonly visibility: Visibility },
): Promise<void> => {
  // A valid position is before the head.
  positionIn(request, visibility);
  const { position } = await log.head();
  if (position === null) return;
  const isVisible = await visibility.waitFor(names, position, visibility.readWaitMs);
  if (!isVisible) void reply.header('x-atrium-stale', 'true');
};

const positionIn = (request: FastifyRequest, visibility: Visibility): Position | null => {
  const position = request.headers['x-atrium-position'];
  if (position === undefined) return null;
  if (typeof position === 'string' && visibility.isPosition(position)) return position;
  throw invalid([{ path: 'X-Atrium-Position', message: 'is not a position of this log' }]);
};
