/**
 * Messages as spans, by OpenTelemetry's conventions for messaging. The trace goes with a message in
 * its header `traceparent`: who is connected to NATS belongs to the house. docs/decisions/0049.
 */
import type { NewSpan, Span, Tracing } from '../../engine/observe/tracing.ts';
import type { Incoming, Nats } from './nats.ts';

const HEADER = 'traceparent';

/** The same, and what is published because of a request says so. */
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

/** Goes on with the trace that a message came with; `null` where there is none. */
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
