import type { z } from 'zod';
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
   * @throws {@link UnknownEvent} for a type or a version this binary has never heard of. An older
   *   binary must not decide on half a history: a decision stops, a projection parks the stream.
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

export const codecOf = <Event extends { readonly type: string }>(
  types: Readonly<Record<Event['type'], EventType>>,
): Codec<Event> => {
  const known = new Map<string, EventType>(Object.entries(types));

  return {
    encode(id, event, record) {
      const type = known.get(event.type);
      if (!type) throw new UnknownEvent(event.type, 0);
      const { type: name, ...data } = checked(type, event, `new ${event.type}`) as Event;
      return { id, type: name, data, meta: metaOf(record, type.version ?? 1) };
    },

    decode(stored) {
      const version = Number(stored.meta['schema'] ?? 1);
      const type = known.get(stored.type);
      if (!type || version > (type.version ?? 1)) throw new UnknownEvent(stored.type, version);
      const data = lifted(type, version, stored);
      const what = `${stored.type} (${stored.stream}, revision ${stored.revision})`;
      const event = checked(type, { ...data, type: stored.type }, what) as Event;
      const { id, stream, revision, position, recordedAt } = stored;
      return { id, stream, revision, position, recordedAt, event, ...recordOf(stored.meta, what) };
    },
  };
};

const checked = (type: EventType, event: unknown, what: string): unknown => {
  const result = type.schema.safeParse(event);
  if (!result.success) throw new UnreadableEvent(what, result.error);
  return result.data;
};

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
  schema: String(version),
});

/** The way back from {@link metaOf}. What is missing there is a broken event here. */
const recordOf = (meta: EventMeta, what: string): RecordMeta => {
  const { commandId, at, by, byName, origin, organisation, bodyHash } = meta;
  const parts = /^(user|client|key|system):(.*)$/s.exec(by ?? '');
  if (!commandId || !at || !parts || !origin) throw new UnreadableEvent(`meta of ${what}`, meta);
  return {
    commandId,
    at,
    by: {
      kind: parts[1] as Actor['kind'],
      id: parts[2] ?? '',
      ...(byName === undefined ? {} : { name: byName }),
    },
    origin: origin as Origin,
    ...(organisation === undefined ? {} : { organisation }),
    ...(bodyHash === undefined ? {} : { bodyHash }),
  };
};
