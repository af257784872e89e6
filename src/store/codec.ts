import { z } from 'zod';
import type { Actor, Instant, Origin } from '../domain/decider.ts';
import type { EventMeta, NewEvent, Position, StoredEvent } from './event-store.ts';

/**
 * Between the domain's facts and the log's events: a schema on the way in and the same one on the
 * way out, so that nothing unreadable is stored and nothing unreadable is believed.
 *
 * An event is kept under its type and a schema version (`meta.schema`). A version below the
 * current one is lifted by its upcasters, one step each, before it is checked.
 */
export interface Codec<Event extends { readonly type: string }> {
  /** @throws {@link UnreadableEvent} if the fact does not fit its schema: a bug, stored nowhere. */
  encode(id: string, event: Event, record: RecordMeta): NewEvent;
  /**
   * @throws {@link UnknownEvent} for a type or a version that this release does not know. It must
   *   not decide on half a history: a decision stops, a projection parks the stream.
   * @throws {@link UnreadableEvent} if what is stored does not fit.
   */
  decode(stored: StoredEvent): Recorded<Event>;
}

/** What stands beside every fact. */
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
   * W3C traceparent of the span that the fact is appended because of, where that is not the span
   * in which it is appended. Whoever follows the log reads it from the metadata as it is stored.
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
}

export type Upcaster = (data: Record<string, unknown>) => Record<string, unknown>;

export interface EventType {
  readonly schema: z.ZodType;
  /** Default 1. */
  readonly version?: number;
  /** `upcasters[1]` lifts version 1 to 2, and so on. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
}

export class UnknownEvent extends Error {
  constructor(type: string, version: number) {
    super(`this release does not know the event ${type} in version ${version}`);
    this.name = 'UnknownEvent';
  }
}

export class UnreadableEvent extends Error {
  constructor(what: string, cause: unknown) {
    super(`${what} does not fit its schema`, { cause });
    this.name = 'UnreadableEvent';
  }
}

/** @param types A schema alone stands for a type that has one version so far. */
export const codecOf = <Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], EventType | z.ZodType>>,
): Codec<Event> => {
  const known = new Map<string, EventType>(
    Object.entries<EventType | z.ZodType>(types).map(([name, type]) => [
      name,
      type instanceof z.ZodType ? { schema: type } : type,
    ]),
  );

  return {
    encode(id, event, record) {
      const type = known.get(event.type);
      if (!type) throw new UnknownEvent(event.type, 0);
      const { type: name, ...data } = checked(type, event, null) as Event;
      return { id, type: name, data, meta: metaOf(record, type.version ?? 1) };
    },

    decode(stored) {
      const version = Number(stored.meta['schema'] ?? 1);
      const type = known.get(stored.type);
      if (!type || version > (type.version ?? 1)) throw new UnknownEvent(stored.type, version);
      const data = lifted(type, version, stored);
      const event = checked(type, { ...data, type: stored.type }, stored) as Event;
      return recordedOf(stored, event);
    },
  };
};

/** @param stored Where `event` comes from; `null` for a new one. */
const checked = (type: EventType, event: { type: string }, stored: StoredEvent | null): unknown => {
  const result = type.schema.safeParse(event);
  if (!result.success)
    throw new UnreadableEvent(stored ? nameOf(stored) : `new ${event.type}`, result.error);
  return result.data;
};

const nameOf = ({ type, stream, revision }: StoredEvent): string =>
  `${type} (${stream}, revision ${revision})`;

const lifted = (type: EventType, version: number, stored: StoredEvent) => {
  let data = stored.data as Record<string, unknown>;
  for (let from = version; from < (type.version ?? 1); from += 1) {
    const upcaster = type.upcasters?.[from];
    if (!upcaster) throw new UnknownEvent(stored.type, from);
    data = upcaster(data);
  }
  return data;
};

const metaOf = (record: RecordMeta, version: number): EventMeta => ({
  commandId: record.commandId,
  at: record.at,
  by: `${record.by.kind}:${record.by.id}`,
  ...(record.by.name === undefined ? {} : { byName: record.by.name }),
  origin: record.origin,
  ...(record.organisation === undefined ? {} : { organisation: record.organisation }),
  ...(record.bodyHash === undefined ? {} : { bodyHash: record.bodyHash }),
  ...(record.traceparent === undefined ? {} : { traceparent: record.traceparent }),
  schema: String(version),
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
  return recorded;
};

/** Parses `user:ada`; an id may hold further colons. `null` for anything else. */
const actorOf = (by: unknown, name: string | undefined): Actor | null => {
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
