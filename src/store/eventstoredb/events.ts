import type { EventData, ResolvedEvent } from '@eventstore/db-client';
import type { EventMeta, StoredEvent } from '../event-store.ts';
import { textOf } from './positions.ts';
import type { SerialisedEvent } from '../serialised.ts';
import { categoryOf } from '../streams.ts';

/**
 * As the client wants it. Taken from the text, so that what fails to serialise never gets here; of
 * the metadata, the client takes the bytes themselves.
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
 * An event as the port gives it, `null` for what is the server's own. What others have written in
 * another form comes with the data and metadata that could be read of it: a codec turns it away.
 */
export const storedOf = ({ event }: ResolvedEvent): StoredEvent | null => {
  if (!event || isSystem(event.streamId)) return null;
  if (!event.position) throw new Error('an EventStoreDB before 22.10 tells no positions');
  return {
    id: event.id,
    type: event.type,
    data: event.isJson ? event.data : null,
    meta: isMeta(event.metadata) ? event.metadata : {},
    stream: event.streamId,
    revision: Number(event.revision),
    position: textOf(event.position),
    recordedAt: event.created.toISOString(),
  };
};

/** The server keeps its own streams, and what it knows about ours, under names of this form. */
export const isSystem = (stream: string): boolean => stream.startsWith('$');

export const isIn = (stream: string, categories: readonly string[] | undefined): boolean =>
  categories === undefined || (stream.includes('-') && categories.includes(categoryOf(stream)));

const isMeta = (metadata: unknown): metadata is EventMeta =>
  typeof metadata === 'object' && metadata !== null && !(metadata instanceof Uint8Array);
