/** Encoding and decoding of NATS messages. */
import { v5 as uuidFrom } from 'uuid';
import { z } from 'zod';
import type { Payload } from '../../domain/bus/events.ts';
import { isLongerThan } from '../../domain/characters.ts';
import { cloudEventHeaders } from '../../domain/cloud-events.ts';
import { happenedAt } from '../../domain/bus/happened-at.ts';
import { subjectOf, subjectText, type Subject } from '../../domain/bus/subject.ts';
import type { Actor } from '../../engine/aggregates/decider.ts';
import { isJsonObject } from '../../engine/json-object.ts';
import { asStorable, unstorableIn, unstorableText } from '../../engine/storable.ts';
import { excessOf } from '../../domain/tickets/free-form.ts';
import {
  isInvalidMessage,
  workOrderEventOf,
  workOrderTypes,
} from '../../domain/work-orders/message.ts';
import { NATS_UNREADABLE_CHARACTERS_MAX } from '../limits.ts';
import { BUS_DATA_BYTES_MAX } from '../../domain/bus/limits.ts';
import { BUS_EVENT_ID_CHARACTERS_MAX } from '../../limits.ts';
import type { PublishOptions } from '../bus.ts';
import { messageIdOf } from '../log/messages.ts';
import type { Incoming, Outgoing } from './nats.ts';

/** Header of a message published by Atrium: its id, time and actor as JSON. */
const MESSAGE_HEADER = 'Atrium-Message';
const MESSAGE_ID = 'Nats-Msg-Id';

const name = z
  .string()
  .min(1)
  .refine((text) => unstorableText(text) === null);

const messageHeader = z.object({
  eventId: name,
  at: z.iso.datetime({ precision: 3 }),
  by: z.object({
    kind: z.enum(['user', 'client', 'key', 'system']),
    id: name,
    name: name.or(z.literal('')).optional(),
  }),
});

/** @param source The URI of this platform. */
export const outgoingOf = (
  { prefix, source }: { readonly prefix: string; readonly source: string },
  subject: Subject,
  data: Payload,
  { eventId, at, by = NOBODY }: PublishOptions,
): Outgoing => {
  const { buildingId, type } = subject;
  const id = messageIdOf(buildingId, eventId);
  return {
    subject: subjectText(prefix, subject),
    id,
    headers: {
      'Content-Type': 'application/json',
      ...cloudEventHeaders({ id, source, type, time: at, subject: buildingId }),
      [MESSAGE_HEADER]: asciiOf({ eventId, at, by }),
    },
    body: JSON.stringify(data),
  };
};

/** A message for the journal of its building. */
export interface ReadMessage extends Required<PublishOptions> {
  readonly subject: Subject;
  readonly data: Payload;
}

/** A message that is parked, with the parts to list. */
export interface InvalidMessage {
  readonly rejection: string;
  /** Its type is none of the accepted ones; then its subject is valid. */
  readonly isOfOtherType: boolean;
  readonly subject: Subject;
  readonly eventId: string;
  readonly data: Payload;
}

export interface Reading {
  readonly prefix: string;
  /** Its NATS stream. */
  readonly stream: string;
  /** The accepted types. */
  readonly types: readonly string[];
}

/** The message, or why it is refused, by the same rules as over HTTP. Deterministic. */
export const messageIn = (incoming: Incoming, reading: Reading): ReadMessage | InvalidMessage => {
  const { prefix, types } = reading;
  const fallback = {
    subject: subjectShown(prefix, incoming.subject),
    eventId: nameOf(incoming, reading),
    isOfOtherType: false,
  };
  const subject = subjectOf(prefix, incoming.subject);
  const data = keepableIn(incoming.body);
  const unfit = (rejection: string): InvalidMessage => ({
    ...fallback,
    rejection,
    data: typeof data === 'string' ? { text: beginningOf(incoming.body) } : data,
  });
  if (subject !== null && !types.includes(subject.type))
    return { ...unfit(otherTypeThan(types)), isOfOtherType: true };
  if (typeof data === 'string') return unfit(data);
  if (subject === null) return unfit(`the subject is not ${prefix}.building.{buildingId}.{type}`);
  if (workOrderTypes.includes(subject.type)) {
    const event = workOrderEventOf(subject, data);
    if (isInvalidMessage(event))
      return unfit(event.map(({ path, message }) => `${path || 'data'}: ${message}`).join('; '));
  }
  return { subject, data, ...circumstancesOf(incoming, data, fallback.eventId) };
};

const otherTypeThan = (types: readonly string[]): string =>
  `the type is none of the accepted ones: ${types.join(', ')}; ` +
  'the later messages of this subject are counted, not listed';

/**
 * A permanent id of a message by its position in the stream: ids inside the message may be forged.
 */
export const placeIdOf = ({ sequence, storedAt }: Incoming, stream: string): string =>
  uuidFrom(`${stream}/${sequence}/${storedAt}`, NAMESPACE);

const NAMESPACE = 'b2c5b6d2-0f0c-4a57-9d0e-7a6f3d1c8e54';
const NOBODY: Actor = { kind: 'system', id: 'bus' };
/** Building of a parked message whose subject names none. */
const NO_BUILDING = '00000000-0000-0000-0000-000000000000';

const dataIn = (body: Uint8Array): Payload | string => {
  if (body.length > BUS_DATA_BYTES_MAX)
    return `data may have ${BUS_DATA_BYTES_MAX} bytes as JSON; it has ${body.length}`;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return 'data is no JSON in UTF-8';
  }
  return isJsonObject(value) ? value : 'data is no JSON object';
};

/** Text that cannot be stored here cannot be listed among the parked ones either. */
const keepableIn = (body: Uint8Array): Payload | string => {
  const data = dataIn(body);
  if (typeof data === 'string') return data;
  const wrong = excessOf(data) ?? unstorableIn(data);
  return wrong === null ? data : `data ${wrong}`;
};

const beginningOf = (body: Uint8Array): string =>
  asStorable(new TextDecoder().decode(body.subarray(0, NATS_UNREADABLE_CHARACTERS_MAX)));

const subjectShown = (prefix: string, text: string): Subject =>
  subjectOf(prefix, text) ?? {
    buildingId: NO_BUILDING,
    type: text.replaceAll(/\p{C}/gu, '\uFFFD'),
  };

/** The publisher's id: in the data, as over HTTP, or else in the header that NATS uses. */
const nameOf = (incoming: Incoming, { stream }: Reading): string => {
  const data = dataIn(incoming.body);
  const named = typeof data === 'string' ? undefined : data['eventId'];
  for (const name of [named, incoming.header(MESSAGE_ID)])
    if (typeof name === 'string' && isName(name)) return name;
  return placeIdOf(incoming, stream);
};

const isName = (text: string): boolean =>
  /^[^\p{C}]+$/u.test(text) && !isLongerThan(text, BUS_EVENT_ID_CHARACTERS_MAX);

/** Metadata from Atrium's own header; for other publishers, derived from the message. */
const circumstancesOf = (
  { header, storedAt }: Incoming,
  data: Payload,
  eventId: string,
): Required<PublishOptions> => {
  const parsed = messageHeader.safeParse(jsonOf(header(MESSAGE_HEADER)));
  if (parsed.success) {
    const { by, ...circumstances } = parsed.data;
    const { name, ...who } = by;
    return { ...circumstances, by: name === undefined ? who : { ...who, name } };
  }
  return { eventId, at: happenedAt(data, storedAt), by: NOBODY };
};

const jsonOf = (text: string | null): unknown => {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Some clients accept only ASCII headers. */
const asciiOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
