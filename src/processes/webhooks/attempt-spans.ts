/**
 * Attempts as spans, by OpenTelemetry's conventions for HTTP clients. The receiver is a stranger:
 * its path and query may be a secret, and it is told nothing of the trace. It knows the delivery by
 * its `webhook-id`, which the span has as the message's id. docs/decisions/0049.
 */
import type { NewSpan, Span, Tracing } from '../../engine/observe/tracing.ts';
import type { Made } from './attempts.ts';
import type { Place } from './fair-scheduler.ts';

/** `null` where the event was not traced, or what it says of that cannot be read now. */
export const attemptSpan = async (place: Place, tracing: Tracing): Promise<Span | null> => {
  try {
    const cause = await place.work.cause();
    return tracing.follow(() => spanOf(place), cause);
  } catch {
    // The attempt itself needs nothing of it.
    return null;
  }
};

export const endAttempt = (span: Span, { succeeded, error, httpCode }: Made): void => {
  span.set({ 'http.response.status_code': httpCode ?? undefined });
  span.end(succeeded ? undefined : (error ?? 'failed'));
};

const spanOf = ({ lane, work }: Place): NewSpan => {
  const { protocol, hostname, port } = new URL(lane.subscription.url);
  const { messageId, attempt } = work.outgoing;
  return {
    name: 'POST',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'url.scheme': protocol.slice(0, -1),
      'messaging.message.id': messageId,
      'atrium.webhook.id': lane.webhookId,
    },
  };
};
