/**
 * Each request as a span, by OpenTelemetry's conventions for HTTP servers. A `traceparent` joins
 * the caller's own trace. docs/decisions/0049.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { NewSpan, Span, Tracing } from '../../engine/observe/tracing.ts';

/** @param isProbe Whether machines poll a route every few seconds: such requests are not traced. */
export const traceRequests = (
  app: FastifyInstance,
  tracing: Tracing,
  isProbe: (route: string) => boolean,
): void => {
  if (!tracing.isOn) return;
  const spans = new WeakMap<FastifyRequest, Span>();

  /** Runs the rest of the request within the span. */
  const goOn = (request: FastifyRequest, done: () => void) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  };

  app.addHook('onRequest', (request, _, done) => {
    const { url = '' } = request.routeOptions;
    if (!isProbe(url)) {
      const span = tracing.begin(() => requestSpan(request), traceparentOf(request));
      if (span) spans.set(request, span);
    }
    goOn(request, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request);
    const status = reply.statusCode;
    span?.set({ 'http.response.status_code': status });
    span?.end(status >= 500 ? String(status) : undefined);
    // For the request's log line.
    goOn(request, done);
  });
};

const requestSpan = ({ method, url, protocol, ip, id, routeOptions }: FastifyRequest): NewSpan => {
  const route = routeOptions.url;
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': route,
      // Without the query, which may contain personal data or secrets.
      'url.path': url.split('?', 1)[0]!,
      'url.scheme': protocol,
      'client.address': ip,
      'atrium.request.id': id,
    },
  };
};

/** Node joins several headers with commas, which is invalid. */
const traceparentOf = ({ headers }: FastifyRequest): string | undefined => {
  const sent = headers['traceparent'];
  return typeof sent === 'string' ? sent : undefined;
};
