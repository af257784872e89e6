/**
 * Spans of the work that one request causes. The event carries the trace in its metadata, so that a
 * process that handles it hours later, on another machine, continues it. docs/decisions/0049.
 *
 * The recorder is injected, as the clock is: {@link untraced} unless OTEL_* is set.
 */

/** W3C Trace Context, version 00: `00-<trace id>-<span id>-<flags>`. */
export type Traceparent = string;

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/**
 * Attributes by the names of OpenTelemetry's conventions, else `atrium.*`. `undefined` is omitted.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface NewSpan {
  /** A name of low cardinality: without ids. */
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
}

/** A recorded span. It is sent once it has ended. */
export interface Span {
  readonly traceparent: Traceparent;
  /** `work`, and everything that it starts, is done within the span, also after its end. */
  run<Result>(work: () => Result): Result;
  set(attributes: Attributes): void;
  /** Idempotent. @param failure What went wrong: an error, or its name. */
  end(failure?: unknown): void;
}

/** @param span Called only if the span will be recorded. */
type Start<Given extends readonly unknown[]> = (
  span: () => NewSpan,
  ...given: Given
) => Span | null;

export interface Tracing {
  /** False: callers need not collect attributes. */
  readonly isOn: boolean;
  /** Continues the caller's trace, or begins one; `null` if it is not sampled. */
  readonly begin: Start<[caller: Traceparent | undefined]>;
  /** Within the span in which this is called; `null` where there is none. */
  readonly child: Start<[]>;
  /** Continues a stored trace; `null` if there is none, or it is not sampled. */
  readonly follow: Start<[cause: Traceparent | undefined]>;
  /** The traceparent of the span in which this is called. */
  current(): Traceparent | undefined;
  /** Runs work that belongs to many callers, or to none, outside any span. */
  apart<Result>(work: () => Result): Result;
}

export const untraced: Tracing = {
  isOn: false,
  begin: () => null,
  child: () => null,
  follow: () => null,
  current: () => undefined,
  apart: (work) => work(),
};

/** Does `work` within `span`, which ends with it. Without one, `work` alone. */
export const within = async <Result>(
  span: Span | null,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!span) return work();
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
};
