import type { Codec, Recorded } from './codec.ts';
import type { StoredEvent } from './event-store.ts';

/** An event that its reader has no use for: only that it is there, and where, is known. */
export interface Unread {
  readonly type: 'Unread';
}

/**
 * Reads only what is wanted of a category in which there is much more: what an event says is
 * checked when it is read, which costs more than most of what is then done with it.
 */
export const partialCodec = <Event extends { readonly type: string }>(
  codec: Pick<Codec<Event>, 'decode'>,
  isWanted: (stored: StoredEvent) => boolean,
): Pick<Codec<Event | Unread>, 'decode'> => ({
  decode: (stored) => (isWanted(stored) ? codec.decode(stored) : unread(stored)),
});

const unread = ({ id, stream, revision, position, recordedAt }: StoredEvent): Recorded<Unread> => ({
  id,
  stream,
  revision,
  position,
  recordedAt,
  at: recordedAt,
  commandId: '',
  by: NOBODY,
  origin: 'system',
  event: UNREAD,
});

const UNREAD: Unread = { type: 'Unread' };
const NOBODY = { kind: 'system', id: 'unread' } as const;
