import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import type { Visibility } from './commands.ts';
import { invalid } from './problems.ts';

/**
 * Holds a GET that sends back the `X-Atrium-Position` of a command until the read models it asks
 * have caught up, at most `READ_YOUR_WRITES_WAIT_MS`; then it is answered as things are, with
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
  const shown = await visibility.waitFor(names, position, visibility.readWaitMs);
  if (!shown) void reply.header('x-atrium-stale', 'true');
};

/**
 * Holds a GET in the same way until the read models have reached the log's head as it is now,
 * whether or not a position is sent: what is there was recorded before the caller asked.
 *
 * @throws {@link Problem} as {@link holdRead} does; `LogUnavailable`.
 */
export const holdToHead = async (
  request: FastifyRequest,
  reply: FastifyReply,
  names: readonly string[],
  { log, visibility }: { readonly log: EventStore; readonly visibility: Visibility },
): Promise<void> => {
  // Lies before the head, if it is one of this log.
  positionIn(request, visibility);
  const { position } = await log.head();
  if (position === null) return;
  const shown = await visibility.waitFor(names, position, visibility.readWaitMs);
  if (!shown) void reply.header('x-atrium-stale', 'true');
};

const positionIn = (request: FastifyRequest, visibility: Visibility): Position | null => {
  const position = request.headers['x-atrium-position'];
  if (position === undefined) return null;
  if (typeof position === 'string' && visibility.isPosition(position)) return position;
  throw invalid([{ path: 'X-Atrium-Position', message: 'is not a position of this log' }]);
};
