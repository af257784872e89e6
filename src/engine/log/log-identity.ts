import { randomUUID } from 'node:crypto';
import { WrongRevision, type EventStore, type Position } from './event-store.ts';
import { categoryOf, streamOf } from './streams.ts';

/**
 * The category of the streams in which a log describes itself. Positions are valid in one log
 * alone; a copy made event by event is another log, so these streams are never copied.
 */
export const OWN_CATEGORY = 'log';

export const isOwn = (stream: string): boolean => categoryOf(stream) === OWN_CATEGORY;

/** Its last event names the log; its first one names the origin of the log. */
const IDENTITY_STREAM = streamOf(OWN_CATEGORY, 'identity');

/** The type of the event that begins a later timeline. */
export const LOG_RESTORED = 'LogRestored';

/**
 * A stretch of a log's history. After a restore from a backup the log continues in a new timeline:
 * positions after {@link after} are reused for other events.
 */
export interface Timeline {
  readonly id: string;
  /** The last position that it shares with the timeline before it; `null` for the first. */
  readonly after: Position | null;
  /**
   * The name of the restore that began it; `null` for the first, and for one of an older release.
   */
  readonly name: string | null;
  /** The position of the event that begins it. */
  readonly position: Position;
}

type Readable = Pick<EventStore, 'readStream'>;
type Appendable = Pick<EventStore, 'append' | 'readStream'>;

/**
 * The identity of the log in its current timeline; generated when it is first needed. It is stored
 * with every position outside the log.
 *
 * @throws {@link LogUnavailable} as the log does.
 */
export const logIdentity = async (log: Appendable): Promise<string> =>
  (await currentTimelineId(log)) ?? generatedOnce(log, IDENTITY_STREAM, 'LogBegun');

/** The identity of the log; `null` before it was generated. @throws As the log does. */
export const currentTimelineId = async (log: Readable): Promise<string | null> => {
  const [last] = await log.readStream(IDENTITY_STREAM, { backwards: true, limit: 1 });
  return last?.id ?? null;
};

/** The timelines of the log, oldest first; none before its identity was generated. */
export const logTimelines = async (log: Readable): Promise<readonly Timeline[]> =>
  (await log.readStream(IDENTITY_STREAM)).map(({ id, data, position }) => ({
    id,
    ...restoreIn(data),
    position,
  }));

/**
 * Begins a new timeline for a log that was restored from a backup and is unchanged up to `after`.
 *
 * @returns Its id.
 * @throws {@link WrongRevision} if another process does the same; {@link LogUnavailable}.
 */
export const beginTimeline = async (
  log: Appendable,
  { after, name }: Pick<Timeline, 'after' | 'name'>,
): Promise<string> => {
  await logIdentity(log);
  const [last] = await log.readStream(IDENTITY_STREAM, { backwards: true, limit: 1 });
  const id = randomUUID();
  const event = { id, type: LOG_RESTORED, data: { after, name }, meta: {} };
  await log.append(IDENTITY_STREAM, last!.revision, [event]);
  return id;
};

const restoreIn = (data: unknown): Pick<Timeline, 'after' | 'name'> => {
  const { after, name } = data as { readonly after?: unknown; readonly name?: unknown };
  return {
    after: typeof after === 'string' ? after : null,
    name: typeof name === 'string' ? name : null,
  };
};

/** The id of the stream's first event, which is recorded if missing. */
export const generatedOnce = async (
  log: Pick<EventStore, 'append' | 'readStream'>,
  stream: string,
  type: string,
): Promise<string> => {
  const firstId = await firstIdOf(log, stream);
  if (firstId !== null) return firstId;
  const id = randomUUID();
  try {
    await log.append(stream, 'no_stream', [{ id, type, data: {}, meta: {} }]);
    return id;
  } catch (error) {
    // Another process has recorded it meanwhile.
    const others = error instanceof WrongRevision ? await firstIdOf(log, stream) : null;
    if (others === null) throw error;
    return others;
  }
};

/** The id of the stream's first event; `null`: it has none. @throws As the log does. */
export const firstIdOf = async (
  log: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<string | null> => {
  const [first] = await log.readStream(stream, { limit: 1 });
  return first?.id ?? null;
};
