import type { EventData, ResolvedEvent } from '@eventstore/db-client';
import { estimatedRowSize } from '../../concurrency/estimated-size.ts';
import type { EventMeta, SerialisedEvent, StoredEvent } from '../event-store.ts';
import { positionText } from './positions.ts';
import { categoryOf } from '../streams.ts';

/**
 * The event in the client's form: data from the serialised text, so that it cannot fail here, and
 * metadata as bytes.
 */
export const eventDataOf = ({ id, type, data, meta }: SerialisedEvent): EventData => ({
  id,
  type,
  contentType: 'application/json',
  data: JSON.parse(data) as Record<string, unknown>,
  metadata: utf8.encode(meta),
});

const utf8 = new TextEncoder();

/**
 * An event in the port's form; `null` for one of the server's own. An event in another program's
 * format has the data and metadata that could be read: a codec refuses it.
 */
export const storedOf = ({ event }: ResolvedEvent): StoredEvent | null => {
  if (!event || isSystem(event.streamId)) return null;
  if (!event.position) throw new Error('an EventStoreDB before 22.10 returns no positions');
  return {
    id: event.id,
    type: event.type,
    data: event.isJson ? event.data : null,
    meta: isMeta(event.metadata) ? event.metadata : {},
    stream: event.streamId,
    revision: Number(event.revision),
    position: positionText(event.position),
    recordedAt: event.created.toISOString(),
  };
};

/** Estimated bytes of an event's data. */
export const sizeOf = ({ event }: ResolvedEvent): number => {
  if (!event) return 0;
  return event.isJson ? estimatedRowSize(event.data as object) : event.data.length;
};

/** The names of the server's own streams, and of the metadata of all others. */
export const isSystem = (stream: string): boolean => stream.startsWith('$');

export const isIn = (stream: string, categories: readonly string[] | undefined): boolean =>
  categories === undefined || (stream.includes('-') && categories.includes(categoryOf(stream)));

const isMeta = (metadata: unknown): metadata is EventMeta =>
  typeof metadata === 'object' && metadata !== null && !(metadata instanceof Uint8Array);
