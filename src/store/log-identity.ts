import { randomUUID } from 'node:crypto';
import { WrongRevision, type EventStore } from './event-store.ts';
import { categoryOf, streamOf } from './streams.ts';

/**
 * The category of the streams in which a log describes itself. Positions are valid in one log
 * alone; a copy made event by event is another log, so these streams are never copied.
 */
export const OWN_CATEGORY = 'log';

export const isOwn = (stream: string): boolean => categoryOf(stream) === OWN_CATEGORY;

/** The id of its first event is the log's identity. */
const IDENTITY_STREAM = streamOf(OWN_CATEGORY, 'identity');

/**
 * The identity of the log; drawn when it is first asked for. It is stored beside every position
 * that is kept outside the log.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const logIdentity = (log: Pick<EventStore, 'append' | 'readStream'>): Promise<string> =>
  drawnOnce(log, IDENTITY_STREAM, 'LogBegun');

/** The identity of the log; `null` before it is first asked for. @throws As the log does. */
export const knownIdentity = (log: Pick<EventStore, 'readStream'>): Promise<string | null> =>
  firstIdOf(log, IDENTITY_STREAM);

/** The id of the stream's first event, which is recorded where there is none. */
export const drawnOnce = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  type: string,
): Promise<string> => {
  const known = await firstIdOf(log, stream);
  if (known !== null) return known;
  const id = randomUUID();
  try {
    await log.append(stream, 'no_stream', [{ id, type, data: {}, meta: {} }]);
    return id;
  } catch (error) {
    // Another process has drawn it meanwhile.
    const others = error instanceof WrongRevision ? await firstIdOf(log, stream) : null;
    if (others === null) throw error;
    return others;
  }
};

const firstIdOf = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<string | null> => {
  const [first] = await log.readStream(stream, { limit: 1 });
  return first?.id ?? null;
};
