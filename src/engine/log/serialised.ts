import { z } from 'zod';
import type { NewEvent, SerialisedEvent } from './event-store.ts';

/**
 * The events of one append as they will be stored. All reasons for a backend's refusal are checked
 * here, so that a bad append fails alone, before it shares a commit with others.
 *
 * @throws {TypeError} see `EventStore.append`.
 */
export const serialised = (
  stream: string,
  events: readonly NewEvent[],
): readonly SerialisedEvent[] => {
  checkText(stream, 'stream');
  if (events.length === 0) throw new TypeError(`an append to ${stream} without events`);
  const made = events.map(serialisedEvent);
  if (made.length > 1 && new Set(made.map(({ id }) => id)).size < made.length)
    throw new TypeError(`an append to ${stream} that names two events alike`);
  return made;
};

const serialisedEvent = ({ id, type, data, meta }: NewEvent): SerialisedEvent => {
  if (!z.regexes.guid.test(id)) throw new TypeError(`an event id that is no UUID: ${id}`);
  checkText(type, 'event type');
  const text: string | undefined = JSON.stringify(data);
  if (text === undefined) throw new TypeError(`${type} has data that JSON cannot say`);
  return { id: id.toLowerCase(), type, data: text, meta: JSON.stringify(meta) };
};

/** A lone surrogate would be stored as another name, and Postgres has no text with U+0000. */
const checkText = (text: string, what: string): void => {
  if (text === '' || !text.isWellFormed() || text.includes('\0'))
    throw new TypeError(`a ${what} that cannot be stored: ${JSON.stringify(text)}`);
};
