import type { Actor } from '../log/metadata.ts';
import { actorOf, type EventType } from '../log/codec.ts';
import type { EventMeta, NewEvent } from '../log/event-store.ts';
import type { SealBox } from './box.ts';
import {
  subjectOfUser,
  type PersonalEvent,
  type PersonalPart,
  type Purpose,
} from '../log/personal-data.ts';
import type { KeyOwner, SealingKey } from './person-keys.ts';

/** One box in an event's `data.sealed`. */
export interface Box {
  readonly key: string;
  /** Absent: it has no members, only the hash of the command's body. */
  readonly purpose?: Purpose;
  /** The members as they are, and the hash of the command's body: see {@link BoxContent}. */
  readonly box: string;
}

export type BoxContent = readonly [
  members: Readonly<Record<string, unknown>>,
  bodyHash?: string | undefined,
];

/** The personal data of an event of a type that is sealed. */
export interface Personal {
  readonly event: NewEvent;
  readonly parts: readonly PersonalPart[];
  /** Owners of the keys that it needs: one for each part, then that of the actor's pseudonym. */
  readonly owners: readonly KeyOwner[];
}

/** The hash of a body with personal data reveals some of it, on every event of its command. */
export const hasPersonalData = (one: Personal | null): one is Personal =>
  one !== null && one.parts.length > 0;

/** What a pseudonym in `meta.by` starts with; the id of an identity key follows. */
export const PSEUDONYM = 'person:';

/**
 * `null`: the type is not sealed, or not in the version that it is written in.
 *
 * @throws {TypeError} for personal data of no organisation: a bug, stored nowhere.
 */
export const personalIn = (
  stream: string,
  event: NewEvent,
  types: ReadonlyMap<string, EventType>,
): Personal | null => {
  const personal = types.get(event.type)?.personal;
  if (!personal || Number(event.meta['schema'] ?? 1) < personal.since) return null;
  const actor = actorOf(event.meta['by'], event.meta['byName']) ?? UNKNOWN_ACTOR;
  const data = event.data as PersonalEvent['data'];
  const { origin } = event.meta;
  const parts = personal.partsOf({ stream, data, actor, origin });
  const isPerson = actor.kind === 'user';
  if (parts.length === 0 && !isPerson) return { event, parts, owners: [] };
  const { organisation } = event.meta;
  if (organisation === undefined)
    throw new TypeError(`personal data of no organisation: ${event.type} in ${stream}`);
  const owners: KeyOwner[] = parts.map(({ subject, purpose }) => ({
    organisation,
    subject,
    purpose,
  }));
  if (isPerson) {
    const subject = subjectOfUser(actor.id);
    owners.push({ organisation, subject, purpose: 'identity', name: actor.name });
  }
  return { event, parts, owners };
};

/**
 * The event as it is stored.
 *
 * @param keys One for each of its owners.
 * @param hashUnder The key for the hash of the command's body where the event has no box for it;
 *   `null`: the body had no personal data, and its hash stays.
 */
export const sealedEvent = (
  stream: string,
  { event, parts, owners }: Personal,
  keys: readonly SealingKey[],
  hashUnder: SealingKey | null,
  seal: SealBox,
): NewEvent => {
  const { id, type, meta } = event;
  const hash = hashUnder === null ? undefined : meta['bodyHash'];
  const hasBoxes = parts.length > 0 || hash !== undefined;
  const pseudonym = owners.length > parts.length ? keys[parts.length]! : null;
  if (!hasBoxes && !pseudonym) return event;
  const used = new Set<string>();
  let { data } = event;
  if (hasBoxes) {
    const context = boxContext(stream, id);
    const clear = data as PersonalEvent['data'];
    const remaining: Record<string, unknown> = { ...clear };
    const boxes = parts.map(({ purpose, standIns }, n): Box => {
      const members: Record<string, unknown> = {};
      for (const name of Object.keys(standIns)) {
        members[name] = clear[name];
        remaining[name] = standIns[name];
      }
      const { keyId, key } = keys[n]!;
      used.add(keyId);
      const isLast = n === parts.length - 1;
      const content: BoxContent = isLast && hash !== undefined ? [members, hash] : [members];
      return { key: keyId, purpose, box: seal(JSON.stringify(content), key, context) };
    });
    if (parts.length === 0) {
      const content: BoxContent = [{}, hash];
      const { keyId, key } = hashUnder!;
      used.add(keyId);
      boxes.push({ key: keyId, box: seal(JSON.stringify(content), key, context) });
    }
    remaining['sealed'] = boxes;
    data = remaining;
  }
  if (pseudonym) used.add(pseudonym.keyId);
  return {
    id,
    type,
    data,
    meta: sealedMeta(meta, pseudonym, hash !== undefined, [...used].join(',')),
  };
};

/** Written member by member: sealing does this for every event. */
const sealedMeta = (
  meta: EventMeta,
  pseudonym: SealingKey | null,
  isHashSealed: boolean,
  personKeys: string,
): EventMeta => {
  const sealed: Record<string, string> = {};
  for (const name of Object.keys(meta)) {
    const isSealed =
      name === 'bodyHash' ? isHashSealed : pseudonym && (name === 'by' || name === 'byName');
    if (!isSealed) sealed[name] = meta[name]!;
  }
  if (pseudonym) sealed['by'] = PSEUDONYM + pseudonym.keyId;
  sealed['personKeys'] = personKeys;
  return sealed;
};

/** The context that a box is bound to. */
export const boxContext = (stream: string, eventId: string): Buffer =>
  Buffer.from(`${stream}/${eventId.toLowerCase()}`);

/** Metadata of other programs may name none. */
const UNKNOWN_ACTOR: Actor = { kind: 'system', id: '' };
