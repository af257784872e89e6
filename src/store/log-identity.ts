import { randomUUID } from 'node:crypto';
import { WrongRevision, type EventStore } from './event-store.ts';

/**
 * The first event of this stream names the log: its id is the log's own. Positions mean something
 * in one log alone, so whoever writes a position down writes beside it which log it is of. A log
 * that was copied event by event is another one: this stream is never copied.
 */
export const LOG_IDENTITY_STREAM = 'log-identity';

/**
 * The identity of the log; given to it when it is first asked.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const logIdentity = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
): Promise<string> => {
  const known = await identityIn(log);
  if (known !== null) return known;
  const id = randomUUID();
  try {
    await log.append(LOG_IDENTITY_STREAM, 'no_stream', [
      { id, type: 'LogBegun', data: {}, meta: {} },
    ]);
    return id;
  } catch (error) {
    // Another process was quicker.
    const others = error instanceof WrongRevision ? await identityIn(log) : null;
    if (others === null) throw error;
    return others;
  }
};

const identityIn = async (log: Pick<EventStore, 'readStream'>): Promise<string | null> => {
  const [first] = await log.readStream(LOG_IDENTITY_STREAM, { limit: 1 });
  return first?.id ?? null;
};
