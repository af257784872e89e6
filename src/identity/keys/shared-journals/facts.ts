import { v5 as uuidFrom } from 'uuid';
import { SHARED_JOURNALS, type SharedJournalEvent } from '../../../domain/keys/shared-journals.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { sharedJournalCodec } from '../../../domain/keys/codecs.ts';
import type { SerialisedEvent } from '../../../engine/log/event-store.ts';
import { serialised } from '../../../engine/log/serialised.ts';

/** A fact about shared journals, ready to be appended to `stream`. */
export interface Fact {
  readonly stream: string;
  readonly expected: 'any';
  readonly events: readonly SerialisedEvent[];
}

/**
 * A fact for `stream`. Its id is derived, so that a repeat is stored once while the server
 * remembers the first one; a duplicate in the log has no further effect.
 */
export const factIn = (stream: string, event: SharedJournalEvent, clock: Clock): Fact => {
  const id = uuidFrom(`${stream} ${JSON.stringify(event)}`, NAMESPACE);
  const encoded = sharedJournalCodec.encode(id, event, {
    commandId: id,
    at: clock.now(),
    by: { kind: 'system', id: 'log' },
    origin: 'system',
  });
  return { stream, expected: 'any', events: serialised(stream, [encoded]) };
};

export const listed = (event: SharedJournalEvent, clock: Clock): Fact =>
  factIn(SHARED_JOURNALS, event, clock);

const NAMESPACE = '6b1f0a52-9a0b-4f3c-8c56-64a3b5b0c1d7';
