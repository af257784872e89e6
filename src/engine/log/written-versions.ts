import { v5 as uuidFrom } from 'uuid';
import type { Actor } from './metadata.ts';
import type { Instant } from '../time/instant.ts';
import { RELEASE_BEAT_MS } from '../limits.ts';
import type { EventType } from './codec.ts';
import { releaseCodec } from './release-events.ts';
import type { EventStore, NewEvent } from './event-store.ts';
import { pagesOf } from './history.ts';
import { logWith } from './log-with.ts';
import { streamOf } from './streams.ts';

/**
 * The versions in which the events of a log are written: readers are upgraded first, writers
 * second. An event whose type has a `writtenBefore` is written in that form until an operator
 * confirms that no older release runs. The confirmation is recorded in the log, once for all
 * processes. decision 0050.
 */
export interface WrittenVersions {
  /**
   * The events as they are to be stored. An operator's change takes effect within
   * {@link RELEASE_BEAT_MS}.
   *
   * @throws `LogUnavailable`.
   */
  asWritten(events: readonly NewEvent[]): Promise<readonly NewEvent[]>;
  /** Types that are not written in this release's version yet, and that one. Throws as above. */
  toRaise(): Promise<Readonly<Record<string, number>>>;
  /** Types that were raised to a version which this release does not read. Throws as above. */
  unread(): Promise<Readonly<Record<string, number>>>;
  /**
   * Raises all of them from now on. Idempotent.
   *
   * @throws `WrongRevision` if another operator changes them concurrently; `LogUnavailable`.
   */
  raise(by: Actor, at: Instant): Promise<Readonly<Record<string, number>>>;
}

const STREAM = streamOf('release', 'main');

export const writtenVersions = (
  log: Pick<EventStore, 'append' | 'readStream'>,
  types: ReadonlyMap<string, EventType>,
): WrittenVersions => {
  const changing = new Map([...types].filter(([, { writtenBefore }]) => writtenBefore));
  const raised = new Map<string, number>();
  let revision = -1;
  let lookedAt = -Infinity;

  const look = async () => {
    for await (const page of pagesOf(log, STREAM, revision + 1))
      for (const stored of page) {
        const { versions } = releaseCodec.decode(stored).event;
        for (const [type, version] of Object.entries(versions)) raised.set(type, version);
        ({ revision } = stored);
      }
    lookedAt = performance.now();
  };

  const isRaised = (name: string, { version = 1 }: EventType): boolean =>
    (raised.get(name) ?? 0) >= version;

  const notRaised = () =>
    Object.fromEntries(
      [...changing].flatMap(([name, type]) =>
        isRaised(name, type) ? [] : [[name, type.version ?? 1]],
      ),
    );

  const lowered = (event: NewEvent): NewEvent => {
    const type = changing.get(event.type);
    if (!type?.writtenBefore || isRaised(event.type, type)) return event;
    if (event.meta['schema'] !== String(type.version ?? 1)) return event;
    const { version, data } = type.writtenBefore;
    const { readableAs: _, ...meta } = event.meta;
    return {
      ...event,
      data: data(event.data as Record<string, unknown>),
      meta: { ...meta, schema: String(version) },
    };
  };

  return {
    async asWritten(events) {
      const notRaisedTypes = events.flatMap(({ type: name }) => {
        const type = changing.get(name);
        return type && !isRaised(name, type) ? [type] : [];
      });
      if (notRaisedTypes.length === 0) return events;
      if (performance.now() - lookedAt > RELEASE_BEAT_MS) await look();
      return events.map(lowered);
    },

    async toRaise() {
      await look();
      return notRaised();
    },

    async unread() {
      await look();
      const isUnread = ([name, version]: readonly [string, number]) =>
        version > (types.get(name)?.version ?? (types.has(name) ? 1 : 0));
      return Object.fromEntries([...raised].filter(isUnread));
    },

    async raise(by, at) {
      await look();
      const versions = notRaised();
      if (Object.keys(versions).length === 0) return versions;
      const id = uuidFrom(`${revision}/${JSON.stringify(versions)}`, NAMESPACE);
      const fact = { type: 'EventVersionsRaised' as const, versions };
      const event = releaseCodec.encode(id, fact, { commandId: id, at, by, origin: 'system' });
      await log.append(STREAM, revision < 0 ? 'no_stream' : revision, [event]);
      await look();
      return versions;
    },
  };
};

/** The log, with its events written in those versions. */
export const writtenIn = (log: EventStore, versions: Pick<WrittenVersions, 'asWritten'>) =>
  logWith(log, {
    async append(stream, expected, events, options) {
      const stored = await versions.asWritten(events);
      const appended = await log.append(stream, expected, stored, options);
      return stored === events ? appended : { stored, ...appended };
    },
  });

const NAMESPACE = 'b3c7a1de-1f0a-4a51-8d7e-6a0c3d8f5e21';
