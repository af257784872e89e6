/** Requests from this machine, also to names that only browsers and curl know. */
import { nodeFetch } from '../../../sdk/src/node-fetch.ts';
import { CommandFailed } from '../failures.ts';

/**
 * `fetch`, for addresses below `localhost` too.
 *
 * @throws {@link CommandFailed} if nobody answers.
 */
export const fetchHere = async (request: Request): Promise<Response> => {
  try {
    return await nodeFetch(request);
  } catch (error) {
    if (request.signal.aborted && !isTimeout(request.signal.reason)) throw error;
    throw new CommandFailed(`no server answers at ${new URL(request.url).origin}`, error);
  }
};

const isTimeout = (reason: unknown): boolean => (reason as Error | null)?.name === 'TimeoutError';
