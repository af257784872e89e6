import { randomUUID } from 'node:crypto';
import { WrongRevision, type EventStore } from './event-store.ts';
import { categoryOf, streamOf } from './streams.ts';

/**
 * The category of what a log knows about itself. Positions mean something in one log alone; one
 * that was copied event by event is another log, and these streams are never copied.
 */
export const OWN_CATEGORY = 'log';

export const isOwn = (stream: string): boolean => categoryOf(stream) === OWN_CATEGORY;

/** The id of its first event names the log. */
const IDENTITY_STREAM = streamOf(OWN_CATEGORY, 'identity');

/**
 * The identity of the log; given to it when it is first asked. Whoever writes a position down
 * writes it beside it.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const logIdentity = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
): Promise<string> => {
  const known = await knownIdentity(log);
  if (known !== null) return known;
  const id = randomUUID();
  try {
    await log.append(IDENTITY_STREAM, 'no_stream', [{ id, type: 'LogBegun', data: {}, meta: {} }]);
    return id;
  } catch (error) {
    // Another process was quicker.
    const others = error instanceof WrongRevision ? await knownIdentity(log) : null;
    if (others === null) throw error;
    return others;
  }
};

/** The identity of the log; `null` while nobody has asked for it. @throws As the log does. */
export const knownIdentity = async (
  log: Pick<EventStore, 'readStream'>,
): Promise<string | null> => {
  const [first] = await log.readStream(IDENTITY_STREAM, { limit: 1 });
  return first?.id ?? null;
};
