/**
 * CloudEvents 1.0.2 in binary content mode: the context attributes as headers beside an unchanged
 * body. Webhooks (HTTP binding) and NATS messages have the same headers. docs/decisions/0033.
 */
import type { Instant } from '../engine/aggregates/decider.ts';

/** The context attributes of an event whose data is JSON. */
export interface CloudEvent {
  /** Unique within `source`, and the same in every repeat of the event. */
  readonly id: string;
  /** The URI of the platform that the event is of: its public address. */
  readonly source: string;
  /** The name of the event, as in its body or subject. */
  readonly type: string;
  readonly time: Instant;
  /** The building; `null`: the event is of none, and the header is absent. */
  readonly subject: string | null;
}

/** The `ce-` headers of an event. Its media type is in `Content-Type`, which is not among them. */
export const cloudEventHeaders = (event: CloudEvent): Readonly<Record<string, string>> => {
  const { id, source, type, time, subject } = event;
  return {
    'ce-specversion': '1.0',
    'ce-id': encoded(id),
    'ce-source': encoded(source),
    'ce-type': encoded(type),
    'ce-time': time,
    ...(subject === null ? {} : { 'ce-subject': encoded(subject) }),
  };
};

/** HTTP binding, section 3.1.3.2: all but printable ASCII, space, quotation mark and percent. */
const encoded = (value: string): string =>
  value.replaceAll(/[^\x21\x23\x24\x26-\x7e]+/g, (text) =>
    [...new TextEncoder().encode(text.toWellFormed())]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
