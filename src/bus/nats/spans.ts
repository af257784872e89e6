/**
 * Messages as spans, by OpenTelemetry's conventions for messaging. A message carries the trace in
 * its header `traceparent`: clients of NATS are internal. docs/decisions/0049.
 */
import type { NewSpan, Span, Tracing } from '../../engine/observe/tracing.ts';
import type { Incoming, Nats } from './nats.ts';

const HEADER = 'traceparent';

/** Also traces publications caused by a request. */
export const tracedNats = (
  nats: Pick<Nats, 'publish'>,
  tracing: Tracing,
): Pick<Nats, 'publish'> => {
  if (!tracing.isOn) return nats;
  return {
    async publish(message) {
      const span = tracing.child(() => publishSpan(message.subject, message.id));
      if (!span) return nats.publish(message);
      const headers = { ...message.headers, [HEADER]: span.traceparent };
      try {
        const published = await nats.publish({ ...message, headers });
        span.end();
        return published;
      } catch (error) {
        span.end(error);
        throw error;
      }
    },
  };
};

/** Continues the trace of a message; `null` without one. */
export const intakeSpan = ({ header, subject }: Incoming, tracing: Tracing): Span | null =>
  tracing.isOn ? tracing.follow(() => takeSpan(subject), header(HEADER) ?? undefined) : null;

const publishSpan = (subject: string, id: string): NewSpan => ({
  name: 'publish bus',
  kind: 'producer',
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.name': 'publish',
    'messaging.operation.type': 'send',
    'messaging.destination.name': subject,
    'messaging.message.id': id,
  },
});

const takeSpan = (subject: string): NewSpan => ({
  name: 'process bus-intake',
  kind: 'consumer',
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': 'bus-intake',
    'messaging.destination.name': subject,
  },
});
