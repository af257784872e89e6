import { z } from 'zod';
import type { ErasedPart } from '../log/codec.ts';
import type { StoredEvent } from '../log/event-store.ts';
import { openBox } from './box.ts';
import { ERASED_USER_ID, subjectOfUser } from '../log/personal-data.ts';
import type { OpeningKey } from './person-keys.ts';
import { boxContext, PSEUDONYM, type Box, type BoxContent } from './seal-events.ts';

/** The ids of the keys that these events are sealed under; empty: none is sealed. */
export const keysNamedIn = (events: readonly StoredEvent[]): ReadonlySet<string> => {
  // Most events of a page are of few persons.
  const lists = new Set<string>();
  for (const { meta } of events) {
    const keys = keysOf(meta);
    if (keys !== undefined) lists.add(keys);
  }
  const named = new Set<string>();
  for (const list of lists)
    for (const id of list.split(',')) if (z.regexes.guid.test(id)) named.add(id);
  return named;
};

/**
 * The event with its boxes opened, and stand-ins where a key is missing. An altered box makes it
 * unreadable, and never an event of another content.
 */
export const openedEvent = (
  event: StoredEvent,
  keys: ReadonlyMap<string, OpeningKey | null>,
): StoredEvent => {
  if (keysOf(event.meta) === undefined) return event;
  const meta: Record<string, string> = { ...event.meta };
  const by = typeof meta['by'] === 'string' ? meta['by'] : '';
  const erased: ErasedPart[] = [];
  let { data } = event;
  const sealed = boxesIn(data);
  if (sealed === null) return { ...event, data: { sealed } };
  if (sealed !== undefined) {
    const members = withoutBoxes(data as Readonly<Record<string, unknown>>);
    const context = boxContext(event.stream, event.id);
    for (const { key: keyId, purpose, box } of sealed) {
      const key = keys.get(keyId);
      if (key) {
        const content = contentOf(box, key, context);
        if (content === null) return { ...event, data: { sealed } };
        Object.assign(members, content[0]);
        if (content[1] !== undefined) meta['bodyHash'] = content[1];
      } else if (purpose !== undefined && !erased.includes(purpose)) erased.push(purpose);
    }
    data = members;
  }
  if (by.startsWith(PSEUDONYM)) {
    const key = keys.get(by.slice(PSEUDONYM.length));
    if (key?.subject) {
      meta['by'] = key.subject;
      if (key.name !== null) meta['byName'] = key.name;
    } else {
      meta['by'] = subjectOfUser(ERASED_USER_ID);
      erased.push('actor');
    }
  }
  if (erased.length > 0) {
    meta['erased'] = erased.join(',');
    // It is a fingerprint of the whole body.
    delete meta['bodyHash'];
  }
  const { id, type, stream, revision, position, recordedAt } = event;
  return { id, type, data, meta, stream, revision, position, recordedAt };
};

/** `undefined`: none is sealed; `null`: another program has written something else. */
const boxesIn = (data: unknown): readonly Box[] | undefined | null => {
  if (typeof data !== 'object' || data === null) return null;
  const { sealed } = data as { readonly sealed?: unknown };
  if (sealed === undefined) return undefined;
  return Array.isArray(sealed) && sealed.every(isBox) ? sealed : null;
};

const isBox = (box: unknown): box is Box =>
  typeof box === 'object' &&
  box !== null &&
  typeof (box as Box).key === 'string' &&
  typeof (box as Box).box === 'string';

/** Copied member by member: `delete` would make every later access slow. */
const withoutBoxes = (data: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const left: Record<string, unknown> = {};
  for (const name of Object.keys(data)) if (name !== 'sealed') left[name] = data[name];
  return left;
};

const contentOf = (box: string, { key }: OpeningKey, context: Buffer): BoxContent | null => {
  try {
    return JSON.parse(openBox(box, key, context)) as BoxContent;
  } catch {
    return null;
  }
};

/** Other programs may have written metadata that is not text. */
const keysOf = ({ personKeys }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof personKeys === 'string' ? personKeys : undefined;
