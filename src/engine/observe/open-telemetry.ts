/**
 * Spans to a collector, by the OpenTelemetry SDK. Loaded only if OTEL_* asks for tracing. Nothing
 * is registered globally.
 *
 * Ended spans wait in a bounded queue and are sent in batches; if the queue is full, or the
 * collector refuses them, they are lost without delaying any work.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  type Attributes as RecordedAttributes,
  type Context,
  type Span as RecordedSpan,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { TRACES_FLUSH_MAX_MS, LOST_SPANS_WARNING_MS } from '../limits.ts';
import type { Report } from './report.ts';
import { withTimeout } from '../concurrency/timeout.ts';
import type { Attributes, NewSpan, Span, SpanKind, Traceparent, Tracing } from './tracing.ts';
import { samplerOf, type Sampling } from './sampling.ts';

/** The destination of spans. The names of its variables are OpenTelemetry's own. */
export interface TracingSettings {
  /** OTLP over HTTP, as JSON: `http://localhost:4318/v1/traces`. */
  readonly endpoint: string;
  readonly sampling: Sampling;
  readonly serviceName: string;
  /** Spans that wait to be sent; further ones are lost. */
  readonly queueSpansMax: number;
  /** How long they wait for others, unless there are enough for a batch. */
  readonly sendEveryMs: number;
}

export interface TracingParts extends TracingSettings {
  readonly version: string;
  /** Names this process among others of the service. */
  readonly instance: string;
}

export interface RunningTracing extends Tracing {
  /** `trace_id` and `span_id` of the current span, for each line that is logged. */
  logged(): Readonly<Record<string, string>>;
  /** The log for warnings about lost spans, at most once in {@link LOST_SPANS_WARNING_MS}. */
  reportTo(report: Pick<Report, 'warn'>): void;
  /** Sends what waits, for {@link TRACES_FLUSH_MAX_MS} at most; nothing is recorded after it. */
  close(): Promise<void>;
}

const kinds = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  producer: Kind.PRODUCER,
  consumer: Kind.CONSUMER,
  internal: Kind.INTERNAL,
} as const satisfies Record<SpanKind, Kind>;

export const openTelemetry = (parts: TracingParts): RunningTracing => {
  const spans = new AsyncLocalStorage<Span | null>();
  const losses = warnOfLosses();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': parts.serviceName,
      'service.version': parts.version,
      'service.instance.id': parts.instance,
    }).merge(detectResources({ detectors: [resourceAttributesEnvDetector] })),
    sampler: samplerOf(parts.sampling),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: losses.of(new OTLPTraceExporter({ url: parts.endpoint })),
        maxQueueSize: parts.queueSpansMax,
        scheduledDelayMillis: parts.sendEveryMs,
      }),
    ],
  });
  const tracer = provider.getTracer('atrium', parts.version);

  const spanOf = (recorded: RecordedSpan): Span => {
    const { traceId, spanId } = recorded.spanContext();
    const span: Span = {
      // Only what is sampled is recorded.
      traceparent: `00-${traceId}-${spanId}-01`,
      run: (work) => spans.run(span, work),
      set: (attributes) => recorded.setAttributes(present(attributes)),
      end(failure) {
        if (!recorded.isRecording()) return;
        if (failure !== undefined) {
          const { name, message } = failureOf(failure);
          recorded.setAttribute('error.type', name);
          recorded.setStatus({ code: SpanStatusCode.ERROR, message });
        }
        recorded.end();
      },
    };
    return span;
  };

  const start = ({ name, kind, attributes }: NewSpan, parent: Context): Span | null => {
    const recorded = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: present(attributes) },
      parent,
    );
    return recorded.isRecording() ? spanOf(recorded) : null;
  };

  const follow: Tracing['follow'] = (span, cause) => {
    const parent = cause === undefined ? null : remote(cause);
    return parent?.isSampled ? start(span(), parent.context) : null;
  };

  return {
    isOn: true,
    begin: (span, caller) =>
      start(span(), (caller === undefined ? null : remote(caller)?.context) ?? ROOT_CONTEXT),
    child: (span) => follow(span, spans.getStore()?.traceparent),
    follow,
    current: () => spans.getStore()?.traceparent,
    apart: (work) => spans.run(null, work),

    logged() {
      const [, traceId, spanId] = spans.getStore()?.traceparent.split('-') ?? [];
      return traceId && spanId ? { trace_id: traceId, span_id: spanId } : {};
    },
    reportTo: losses.reportTo,
    async close() {
      try {
        await withTimeout<unknown>(provider.shutdown(), TRACES_FLUSH_MAX_MS, () => undefined);
      } catch {
        // The loss was logged before.
      }
    },
  };
};

/** The context of a header or an event; `null` if it is no traceparent. */
const remote = (traceparent: Traceparent) => {
  const parsed = parseTraceParent(traceparent);
  if (parsed === null) return null;
  return {
    context: trace.setSpanContext(ROOT_CONTEXT, { ...parsed, isRemote: true }),
    isSampled: (parsed.traceFlags & 1) === 1,
  };
};

const failureOf = (failure: unknown): Pick<Error, 'name' | 'message'> => {
  if (failure instanceof Error) return failure;
  const name = typeof failure === 'string' ? failure : 'failed';
  return { name, message: name };
};

const present = (attributes: Attributes): RecordedAttributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** An exporter whose failures are logged, at most once per interval. */
const warnOfLosses = () => {
  let report: Pick<Report, 'warn'> | null = null;
  let [lost, warnedAt] = [0, -Infinity];
  const failed = (count: number, error: unknown) => {
    lost += count;
    if (performance.now() - warnedAt < LOST_SPANS_WARNING_MS) return;
    report?.warn({ err: error, spans: lost }, 'spans could not be sent and are lost');
    [lost, warnedAt] = [0, performance.now()];
  };
  return {
    reportTo(to: Pick<Report, 'warn'>) {
      report = to;
    },
    of: (exporter: SpanExporter): SpanExporter => ({
      export: (batch, done) =>
        exporter.export(batch, (result) => {
          if (result.code !== ExportResultCode.SUCCESS) failed(batch.length, result.error);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    }),
  };
};
