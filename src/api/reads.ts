import type { FastifyReply, FastifyRequest } from 'fastify';
import { READ_YOUR_WRITES_WAIT_MS } from '../limits.ts';
import type { Visibility } from './commands.ts';
import { invalid } from './problems.ts';

/**
 * Holds a GET that sends back the `X-Atrium-Position` of a command until the read models it asks
 * have caught up, at most {@link READ_YOUR_WRITES_WAIT_MS}; then it is answered as things are, with
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
  const position = request.headers['x-atrium-position'];
  if (position === undefined) return;
  if (typeof position !== 'string' || !visibility.isPosition(position)) {
    throw invalid([{ path: 'X-Atrium-Position', message: 'is not a position of this log' }]);
  }
  const shown = await visibility.waitFor(names, position, READ_YOUR_WRITES_WAIT_MS);
  if (!shown) void reply.header('x-atrium-stale', 'true');
};
