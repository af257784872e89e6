import { recordedAs, type Codec } from './codec.ts';
import type { StoredEvent } from './event-store.ts';

/** An event that its reader does not decode: only its position in the log is known. */
export interface Unread {
  readonly type: 'Unread';
}

/** Decodes only the events that a reader needs: checking a schema costs more than most readers. */
export const partialCodec = <Event extends { readonly type: string }>(
  codec: Pick<Codec<Event>, 'decode'>,
  isWanted: (stored: StoredEvent) => boolean,
): Pick<Codec<Event | Unread>, 'decode'> => ({
  decode: (stored) => (isWanted(stored) ? codec.decode(stored) : recordedAs(stored, UNREAD)),
});

const UNREAD: Unread = { type: 'Unread' };
