import { z } from 'zod';
import type { Actor, Origin } from './metadata.ts';
import type { Instant } from '../time/instant.ts';
import type { PersonalType } from './personal-data.ts';
import type { EventMeta, NewEvent, Position, StoredEvent } from './event-store.ts';
import { readWith } from './tolerant-reading.ts';

/**
 * Between the domain's facts and the log's events: a schema on the way in and the same one on the
 * way out, so that no unreadable event is stored, and none is accepted.
 *
 * An event is kept under its type and a schema version (`meta.schema`). A version below the current
 * one is lifted by its upcasters, one step each, before it is checked. A version above it is read
 * if the event says so (`meta.readableAs`: the oldest version whose readers can read it). Strict on
 * the way in; on the way out, unknown members are dropped: a newer release has added them. decision
 * 0050.
 */
export interface Codec<Event extends { readonly type: string }> {
  /** @throws {@link UnreadableEvent} if the fact does not fit its schema: a bug, stored nowhere. */
  encode(id: string, event: Event, record: RecordMeta): NewEvent;
  /**
   * @throws {@link NewerReleaseNeeded} for a type or a version that this release does not read. It
   *   must not decide on half a history: a decision stops, a consumer waits or parks the stream.
   * @throws {@link UnreadableEvent} if the stored event does not fit.
   */
  decode(stored: StoredEvent): Recorded<Event>;
}

/** A codec of the events of one release, with its definition of each type. */
export interface TypedCodec<Event extends { readonly type: string }> extends Codec<Event> {
  readonly types: ReadonlyMap<string, EventType>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of codecs is of many events
export type AnyTypedCodec = TypedCodec<any>;

/** Metadata of every fact. */
export interface RecordMeta {
  readonly commandId: string;
  readonly at: Instant;
  readonly by: Actor;
  readonly origin: Origin;
  /** The organisation the fact belongs to, where there is one. */
  readonly organisation?: string;
  /** Hash of the body that came with an `Idempotency-Key`. */
  readonly bodyHash?: string;
  /**
   * W3C traceparent of the span that caused the fact, if that is not the span of the append.
   * Consumers of the log read it from the stored metadata.
   */
  readonly traceparent?: string | undefined;
}

/** A fact, and where and when it was recorded. */
export interface Recorded<Event = { readonly type: string }> extends RecordMeta {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly recordedAt: Instant;
  readonly event: Event;
  /**
   * Parts of its personal data that can no longer be opened: `actor` is {@link RecordMeta.by},
   * `identity` and `texts` are members of the event. Absent: none. decision 0123.
   */
  readonly erased?: readonly ErasedPart[];
  /** Ids of the keys that its personal data is sealed under. Absent: it has none. */
  readonly personKeys?: readonly string[];
}

export type ErasedPart = 'actor' | 'identity' | 'texts';

export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

export interface EventType {
  readonly schema: z.ZodType;
  /** Default 1. */
  readonly version?: number;
  /** `upcasters[1]` lifts version 1 to 2, and so on. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  /**
   * The oldest version whose readers can read this one as their own, because it only adds members
   * that they may leave out. Default: none but readers of this version can.
   */
  readonly readableAs?: number;
  /**
   * How the event is written until an operator confirms that no older release runs: in the previous
   * version, which older releases read. Members that it lacks are lost. decision 0050.
   */
  readonly writtenBefore?: WrittenBefore;
  /** Members that are sealed under the keys of persons. Default: none. decision 0123. */
  readonly personal?: PersonalType;
}

export interface WrittenBefore {
  readonly version: number;
  /** Converts the members of this version to those of that one. */
  readonly data: Upcaster;
}

export interface CodecOptions {
  /**
   * `refused`: an unknown member may be a restriction that must not be ignored, so only a newer
   * release reads such an event. Default `left out`.
   */
  readonly unknownMembers?: 'left out' | 'refused';
}

/** The event is valid, but written by a newer release than this one. */
export class NewerReleaseNeeded extends Error {
  readonly type: string;
  readonly version: number;

  constructor(type: string, version: number) {
    super(`this release does not know the event ${type} in version ${version}`);
    this.name = 'NewerReleaseNeeded';
    this.type = type;
    this.version = version;
  }
}

export class UnreadableEvent extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} does not fit its schema`, { cause });
    this.name = 'UnreadableEvent';
  }
}

/** Whether this release cannot read an event: a retry would fail again. */
export const isUnreadable = (error: unknown): error is NewerReleaseNeeded | UnreadableEvent =>
  error instanceof NewerReleaseNeeded || error instanceof UnreadableEvent;

/** For a `catch`: `null` for what {@link isUnreadable this release cannot read}; else it throws. */
export const nullIfUnreadable = (error: unknown): null => {
  if (isUnreadable(error)) return null;
  throw error;
};

/** @returns `null` if this release cannot read the event. */
export const decodeReadable = <Event extends { readonly type: string }>(
  codec: Pick<Codec<Event>, 'decode'>,
  stored: StoredEvent,
): Recorded<Event> | null => {
  try {
    return codec.decode(stored);
  } catch (error) {
    return nullIfUnreadable(error);
  }
};

/** @param types A schema alone is a type with a single version. */
export const codecOf = <Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], EventType | z.ZodType>>,
  { unknownMembers = 'left out' }: CodecOptions = {},
): TypedCodec<Event> => {
  const eventTypes = new Map<string, EventType>(
    Object.entries<EventType | z.ZodType>(types).map(([name, type]) => [
      name,
      type instanceof z.ZodType ? { schema: type } : type,
    ]),
  );

  return {
    types: eventTypes,

    encode(id, event, record) {
      const type = eventTypes.get(event.type);
      if (!type) throw new UnreadableEvent(`new ${event.type}`, 'there is no schema of its type');
      const result = type.schema.safeParse(event);
      if (!result.success) throw new UnreadableEvent(`new ${event.type}`, result.error);
      const { type: name, ...data } = result.data as Event;
      return { id, type: name, data, meta: metaOf(record, type) };
    },

    decode(stored) {
      const version = Number(stored.meta['schema'] ?? 1);
      const type = eventTypes.get(stored.type);
      if (!type || !isReadable(type, version, stored))
        throw new NewerReleaseNeeded(stored.type, version);
      const data = lifted(type, version, stored);
      const read = readWith(type.schema, { ...data, type: stored.type });
      if (read.unknownMembers && unknownMembers === 'refused')
        throw new NewerReleaseNeeded(stored.type, version);
      if (!read.result.success) throw new UnreadableEvent(nameOf(stored), read.result.error);
      return recordedOf(stored, read.result.data as Event);
    },
  };
};

/**
 * An event whose data and metadata are not read, as a fact of the caller's: recorded by the system
 * at the time of the log's own clock.
 */
export const recordedAs = <Event>(
  { id, stream, revision, position, recordedAt }: StoredEvent,
  event: Event,
): Recorded<Event> => ({
  id,
  stream,
  revision,
  position,
  recordedAt,
  at: recordedAt,
  commandId: id,
  by: THE_LOG,
  origin: 'system',
  event,
});

const THE_LOG: Actor = { kind: 'system', id: 'log' };

/** A version above this release's own is read if it says that readers of this one can. */
const isReadable = ({ version: own = 1 }: EventType, version: number, { meta }: StoredEvent) =>
  version <= own || Number(meta['readableAs'] ?? Infinity) <= own;

const nameOf = ({ type, stream, revision }: StoredEvent): string =>
  `${type} (${stream}, revision ${revision})`;

const lifted = (type: EventType, version: number, stored: StoredEvent) => {
  let data = stored.data as Record<string, unknown>;
  for (let from = version; from < (type.version ?? 1); from += 1) {
    const upcaster = type.upcasters?.[from];
    if (!upcaster) throw new UnreadableEvent(nameOf(stored), `nothing lifts version ${from}`);
    data = upcaster(data);
  }
  return data;
};

const metaOf = (record: RecordMeta, { version = 1, readableAs }: EventType): EventMeta => ({
  commandId: record.commandId,
  at: record.at,
  by: `${record.by.kind}:${record.by.id}`,
  ...(record.by.name === undefined ? {} : { byName: record.by.name }),
  origin: record.origin,
  ...(record.organisation === undefined ? {} : { organisation: record.organisation }),
  ...(record.bodyHash === undefined ? {} : { bodyHash: record.bodyHash }),
  ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
  schema: String(version),
  ...(readableAs === undefined ? {} : { readableAs: String(readableAs) }),
});

/**
 * The reverse of {@link metaOf}. Missing metadata makes the event unreadable. Written member by
 * member, because a rebuild does this for every event.
 */
const recordedOf = <Event>(stored: StoredEvent, event: Event): Recorded<Event> => {
  const { commandId, at, by, origin, organisation, bodyHash } = stored.meta;
  const actor = actorOf(by, stored.meta['byName']);
  if (!commandId || !at || !actor || !origin)
    throw new UnreadableEvent(`meta of ${nameOf(stored)}`, stored.meta);
  const recorded: { -readonly [K in keyof Recorded]: Recorded<Event>[K] } = {
    id: stored.id,
    stream: stored.stream,
    revision: stored.revision,
    position: stored.position,
    recordedAt: stored.recordedAt,
    event,
    commandId,
    at,
    by: actor,
    origin: origin as Origin,
  };
  if (organisation !== undefined) recorded.organisation = organisation;
  if (bodyHash !== undefined) recorded.bodyHash = bodyHash;
  const { erased, personKeys } = stored.meta;
  if (erased !== undefined) {
    recorded.erased = erased.split(',') as ErasedPart[];
    if (recorded.erased.includes('actor')) recorded.by = { ...actor, erased: true };
  }
  if (personKeys !== undefined) recorded.personKeys = personKeys.split(',');
  return recorded;
};

/** Parses `user:ada`; an id may hold further colons. `null` for anything else. */
export const actorOf = (by: unknown, name: string | undefined): Actor | null => {
  // Other programs may have written metadata that is not text.
  if (typeof by !== 'string') return null;
  const end = by.indexOf(':');
  if (end < 0) return null;
  const kind = by.slice(0, end);
  if (!isActorKind(kind)) return null;
  const id = by.slice(end + 1);
  return name === undefined ? { kind, id } : { kind, id, name };
};

const isActorKind = (kind: string): kind is Actor['kind'] =>
  kind === 'user' || kind === 'client' || kind === 'key' || kind === 'system';
