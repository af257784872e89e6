/**
 * Events that were stored in the clear by releases before their types were sealed: which of their
 * members a sealed log would seal. decision 0127.
 */
import type { EventType } from '../log/codec.ts';
import type { NewEvent, StoredEvent } from '../log/event-store.ts';
import { readWith } from '../log/tolerant-reading.ts';
import { hasPersonalData, personalIn, PSEUDONYM, type Personal } from './seal-events.ts';

/** It is unknown which of its members are personal data. */
export class CannotSeal extends Error {
  constructor({ type, stream, revision }: StoredEvent, why: string, cause?: unknown) {
    super(`${stream}, revision ${revision}: ${type} cannot be sealed: ${why}`, { cause });
    this.name = 'CannotSeal';
  }
}

/**
 * The personal data of an event that was stored in the clear; `null`: its type is not sealed, or
 * the event is.
 *
 * @throws {@link CannotSeal} for an event that does not fit its schema, or has no organisation.
 */
export const personalInClear = (
  event: StoredEvent,
  types: ReadonlyMap<string, EventType>,
): Personal | null => {
  const type = types.get(event.type);
  const version = Number(event.meta['schema'] ?? 1);
  if (!type?.personal || version >= type.personal.since || isSealed(event)) return null;
  const lifted = liftedTo(type, type.personal.since, version, event);
  const { result } = readWith(type.schema, { ...(lifted.data as object), type: event.type });
  if (!result.success) throw new CannotSeal(event, 'it does not fit its schema', result.error);
  try {
    return personalIn(event.stream, lifted, types);
  } catch (error) {
    if (error instanceof TypeError) throw new CannotSeal(event, error.message, error);
    throw error;
  }
};

const liftedTo = (
  { upcasters }: EventType,
  since: number,
  version: number,
  stored: StoredEvent,
): NewEvent => {
  const { id, type, meta } = stored;
  let data = stored.data as Record<string, unknown>;
  for (let from = version; from < since; from += 1) {
    const upcaster = upcasters?.[from];
    if (!upcaster) throw new CannotSeal(stored, `nothing lifts version ${from}`);
    data = upcaster(data);
  }
  return { id, type, data, meta: { ...meta, schema: String(since) } };
};

export type UnsealedPart = Pick<StoredEvent, 'data' | 'meta'>;

/**
 * The parts of one command's events that are never sealed, with stand-ins in place of the rest: the
 * same before and after sealing, under any keys.
 *
 * @throws {@link CannotSeal}
 */
export const unsealedParts = (
  command: readonly StoredEvent[],
  types: ReadonlyMap<string, EventType>,
): readonly UnsealedPart[] => {
  const personal = command.map((event) => personalInClear(event, types));
  const hashIsSealed = personal.some(hasPersonalData);
  return command.map((event, n) => {
    if (isSealed(event)) return ofSealed(event);
    const one = personal[n];
    return one ? ofClear(event, one, hashIsSealed) : event;
  });
};

const ofSealed = ({ data, meta }: StoredEvent): UnsealedPart => {
  const { sealed: _, ...left } = data as Readonly<Record<string, unknown>>;
  const { personKeys: _keys, schema: _schema, ...rest } = meta;
  const isPerson = rest['by']?.startsWith(PSEUDONYM) === true;
  return { data: left, meta: isPerson ? { ...rest, by: PSEUDONYM } : rest };
};

const ofClear = (
  stored: StoredEvent,
  { event, parts, owners }: Personal,
  hashIsSealed: boolean,
): UnsealedPart => {
  const { schema: _, bodyHash, by, byName, ...rest } = stored.meta;
  const hasSealedHash = hashIsSealed && bodyHash !== undefined;
  if (owners.length === 0 && !hasSealedHash) return stored;
  const standIns = Object.assign({}, ...parts.map((part) => part.standIns));
  const isPerson = owners.length > parts.length;
  return {
    data: { ...(event.data as object), ...standIns },
    meta: {
      ...rest,
      ...(isPerson
        ? { by: PSEUDONYM }
        : { ...(by === undefined ? {} : { by }), ...(byName === undefined ? {} : { byName }) }),
      ...(bodyHash === undefined || hasSealedHash ? {} : { bodyHash }),
    },
  };
};

const isSealed = ({ meta }: StoredEvent): boolean => meta['personKeys'] !== undefined;
