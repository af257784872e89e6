/** Appends as spans, with the trace in the metadata of the events. docs/decisions/0049. */
import type { NewSpan, Span, Tracing } from '../observe/tracing.ts';
import type { EventStore, NewEvent } from './event-store.ts';
import { logWith } from './log-with.ts';
import { categoryOf } from './streams.ts';

/**
 * The same log; an event that is appended because of a request gets its trace in
 * `meta.traceparent`. An event that already has a traceparent continues that trace, any other the
 * current span: in a batch of several callers, each event has its caller's.
 *
 * @param untracedCategories Categories of streams whose appends cost less than a span would.
 */
export const tracedLog = (
  log: EventStore,
  tracing: Tracing,
  untracedCategories: readonly string[] = [],
): EventStore => {
  if (!tracing.isOn) return log;
  const untraced = new Set(untracedCategories);

  /** A span for each trace that has a part in the append, whose caller waits for all of it. */
  const begun = (stream: string, events: readonly NewEvent[]) => {
    const spans = new Map<string, Span>();
    const here = tracing.current();
    const traced = events.map((event) => {
      const cause = event.meta['traceparent'] ?? here;
      if (cause === undefined) return event;
      const span = spans.get(cause) ?? tracing.follow(() => spanOf(log, stream, events), cause);
      if (!span) return event;
      spans.set(cause, span);
      return { ...event, meta: { ...event.meta, traceparent: span.traceparent } };
    });
    return { spans: [...spans.values()], traced };
  };

  return logWith(log, {
    async append(stream, expected, events, options) {
      if (untraced.has(categoryOf(stream))) {
        return log.append(stream, expected, events, options);
      }
      const { spans, traced } = begun(stream, events);
      try {
        const appended = await log.append(stream, expected, traced, options);
        for (const span of spans) {
          span.set({ 'atrium.log.position': appended.position });
          span.end();
        }
        return appended;
      } catch (error) {
        for (const span of spans) span.end(error);
        throw error;
      }
    },
  });
};

/** The span by the conventions for messaging: the log is a broker for its consumers. */
const spanOf = (log: EventStore, stream: string, events: readonly NewEvent[]): NewSpan => {
  const category = categoryOf(stream);
  const [first, ...others] = events;
  return {
    name: `append ${category}`,
    kind: 'producer',
    attributes: {
      'messaging.system': log.backend,
      'messaging.operation.name': 'append',
      'messaging.operation.type': 'send',
      'messaging.destination.name': stream,
      'messaging.destination.template': `${category}-{id}`,
      ...(others.length > 0
        ? { 'messaging.batch.message_count': events.length }
        : { 'messaging.message.id': first?.id }),
      'atrium.event.type': first?.type,
    },
  };
};
