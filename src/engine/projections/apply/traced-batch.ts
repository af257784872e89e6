import { TRACED_OF_BATCH_MAX } from '../../limits.ts';
import type { NewSpan, Span, Tracing } from '../../observe/tracing.ts';
import type { StoredEvent } from '../../log/event-store.ts';
import type { AnyProjection } from '../projection.ts';

/**
 * Applies a batch as a span of each trace that has a part in it, up to {@link TRACED_OF_BATCH_MAX}.
 * All of them begin and end with the batch, because its rows are written by one statement.
 */
export const tracedBatch = async (
  events: readonly StoredEvent[],
  apply: () => Promise<void>,
  { tracing, projection }: { readonly tracing: Tracing; readonly projection: AnyProjection },
): Promise<void> => {
  const spans = new Map<string, Span>();
  for (const { meta } of events) {
    const cause = meta['traceparent'];
    if (cause === undefined || spans.has(cause)) continue;
    if (spans.size === TRACED_OF_BATCH_MAX) break;
    const span = tracing.follow(() => spanOf(projection, events.length), cause);
    if (span) spans.set(cause, span);
  }
  try {
    await apply();
    for (const span of spans.values()) span.end();
  } catch (error) {
    for (const span of spans.values()) span.end(error);
    throw error;
  }
};

/** The span by the conventions for messaging and for databases. */
const spanOf = ({ name, version }: AnyProjection, events: number): NewSpan => ({
  name: `apply ${name}`,
  kind: 'consumer',
  attributes: {
    'messaging.operation.name': 'apply',
    'messaging.operation.type': 'process',
    'messaging.consumer.group.name': name,
    'messaging.batch.message_count': events,
    'db.system.name': 'postgresql',
    'atrium.projection.version': version,
  },
});
