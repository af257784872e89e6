/**
 * The HTTP shell: everything common to all routes. The routes are plugins that the composition root
 * registers.
 */
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import {
  CONNECTION_IDLE_MAX_MS,
  EVENT_LOOP_DELAY_MAX_MS,
  LARGE_BODIES,
  REQUEST_RECEIVE_TIMEOUT_MS,
} from './limits.ts';
import { BODY_BYTES_MAX, HEADER_BYTES_MAX } from '../../limits.ts';
import { requestLines, type Logger } from '../../engine/observe/logging.ts';
import { loopDelay } from '../../engine/observe/loop-delay.ts';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';
import { fairSemaphore, type FairSemaphore } from '../../engine/concurrency/fair-semaphore.ts';
import { untraced, type Tracing } from '../../engine/observe/tracing.ts';
import {
  authenticate,
  recordUnrouted,
  templateOf,
  type AuthenticationParts,
} from '../sessions/authenticate.ts';
import { parseJsonBodies, unstorable } from './bodies.ts';
import { brokenRequest, expectationRefusal, lateRequest } from './broken-requests.ts';
import { commonHeaders, EXPOSED_HEADERS } from './common-headers.ts';
import { compressResponses } from './compression.ts';
import { answerUnchanged } from './conditional.ts';
import { endConnections } from './connections.ts';
import { answerInTime } from './deadline.ts';
import { errorAnswers, errorLog, type LogError } from './errors.ts';
import { respondUnrouted } from './methods.ts';
import { httpBounds, type HttpBounds } from './http-bounds.ts';
import { requestMetrics } from './metrics.ts';
import { registerOpenApi, type ApiTag } from './openapi.ts';
import { undecodable } from './percent-encoding.ts';
import { inTurn } from './pipelining.ts';
import { problemPages } from './problem-pages.ts';
import { invalid, Problem } from './problems.ts';
import { requestIdOf } from './request-id.ts';
import { securityHeaders } from './security-headers.ts';
import { sourceIps } from './source-ip.ts';
import { serializeInSlices } from './slices.ts';
import { boundUnreadAnswers } from './unread-answers.ts';
import { NoQuery } from './text.ts';
import { traceRequests } from './tracing.ts';
import { isUpgrade } from './upgrades.ts';
import { validatorCompiler } from './validation.ts';

export interface ServerParts extends AuthenticationParts {
  readonly logger: Logger;
  readonly metrics: MetricRegistry;
  /** Permits for requests with large bodies. Default: {@link LARGE_BODIES} of this server. */
  readonly largeBodies?: FairSemaphore;
  /** Default: those of this server alone. */
  readonly httpBounds?: HttpBounds;
  /** Default: no tracing. */
  readonly tracing?: Tracing;
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  /** Addresses and networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Aborts when clients should use another process; the listener stays open. Default: never. */
  readonly draining?: AbortSignal;
  /** Handles requests before the routes. Default: none. */
  readonly takeRequest?: TakeRequest;
  /** For routes without their own deadline. Default {@link REQUEST_ANSWER_MAX_MS}. */
  readonly answerMaxMs?: number;
  /** Requests are refused above this delay; 0: never. Default {@link EVENT_LOOP_DELAY_MAX_MS}. */
  readonly eventLoopDelayMaxMs?: number;
  /** Whether requests are refused because of the delay. Default: this server measures it. */
  readonly isUnderPressure?: () => boolean;
  /** Yields to other work in long loops. Default: until the next turn of the event loop. */
  readonly giveWay?: () => Promise<unknown>;
  /** Generates `/openapi.json` from the routes instead of the committed copy. Default: no. */
  readonly generatesDocument?: boolean;
  /** Whether the routes are those of a sandbox, as its document is. Default: no. */
  readonly isSandbox?: boolean;
  /** The host below which the addresses of sandboxes are. Default: there are none. */
  readonly sandboxHost?: string;
  /** Maximum of `limit` in the document by `operationId`. Default: those of the committed copy. */
  readonly pageMaxima?: Readonly<Record<string, number>>;
  /** For the generated document, in their order. Default: none. */
  readonly tags?: readonly ApiTag[];
  /** Called after each answer, except to probes. Must return at once. Default: nothing. */
  readonly onAnswered?: (answered: Answered) => void;
}

/** A request and its answer, without the concrete path, the query, the headers and the bodies. */
export interface Answered {
  readonly method: string;
  /** The template, such as `/api/v1/buildings/{id}`; `unknown` without a route. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The accepted key; `null` for any other credential and for a refused one. */
  readonly keyId: string | null;
  readonly requestId: string;
}

/**
 * Whether it handles the request itself, because its address belongs to another platform.
 *
 * @param own Returns an accepted request to this platform.
 */
export type TakeRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  own: RequestListener,
) => boolean;

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * A server with `routes` registered, not listening yet.
 *
 * @param routes Registers the routes; runs inside the shell, after its hooks.
 */
export const createServer = async (
  parts: ServerParts,
  routes: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> => {
  // Widened, so that plugins written for any logger accept it.
  const baseLogger: FastifyBaseLogger = parts.logger;
  const logError = errorLog();
  const answerError = errorAnswers(logError);
  const app: FastifyInstance = fastify({
    loggerInstance: baseLogger,
    genReqId: ({ headers }) => requestIdOf(headers),
    // One log line per request, written below after its answer. Without options a child logger
    // costs a third: no level, no serializer.
    childLoggerFactory: (logger, bindings) => logger.child(bindings),
    logController: new LogController({
      requestIdLogLabel: 'requestId',
      disableRequestLogging: true,
    }),
    bodyLimit: BODY_BYTES_MAX,
    // A plugin waits for the processor alone, which a busy machine may withhold for long.
    pluginTimeout: 0,
    // Schemas bound parameters: no path may be refused before its route's schema.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    serverFactory: serversWith(parts.takeRequest ?? (() => false)),
    // Otherwise Fastify loads compilers of its own, a hundred modules, before those below are set.
    schemaController: { compilersFactory: { buildValidator: unused, buildSerializer: unused } },
    trustProxy: parts.trustedProxies.length === 0 ? false : [...parts.trustedProxies],
    // Idle keep-alive connections must not hold up a stop; those with a request may finish. The
    // others are ended below.
    forceCloseConnections: 'idle',
    // Requests on open connections are still answered, and then the connection ends.
    return503OnClosing: false,
    clientErrorHandler: brokenRequest,
    // No hook runs before this handler.
    frameworkErrors(error, request, reply) {
      const { headers } = commonHeaders(request.headers, parts.corsOrigins);
      const answer = reply.headers({ ...headers, 'x-request-id': request.id });
      void answerError(error, request, answer);
    },
  })
    .setValidatorCompiler(validatorCompiler)
    .setSerializerCompiler(serializerCompiler)
    .setErrorHandler(answerError)
    .decorate('logError', logError);

  app.server.on('checkExpectation', expectationRefusal(parts.corsOrigins));
  endConnections(app, { draining: parts.draining ?? new AbortController().signal });

  const sourceOf = sourceIps(parts.trustedProxies);
  app.addHook('onRequest', (request, _reply, done) => {
    // Fastify itself keeps ports and wrapped addresses, so that one client would have several.
    Object.defineProperty(request, 'ip', { value: sourceOf(request.raw) });
    done();
  });
  traceRequests(app, parts.tracing ?? untraced, isProbe);
  // Synchronous hooks call `done`: a promise per hook would cost every request.
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(securityHeaders);
    const hostless = request.raw.httpVersion === '1.1' && request.headers.host === undefined;
    done(hostless ? invalid([{ path: 'Host', message: 'must be there' }]) : undefined);
  });
  const { requestDone } = requestMetrics(parts.metrics);
  const lines = requestLines(parts.logger);
  app.addHook('onResponse', ({ id, method, routeOptions, caller, ip }, reply, done) => {
    const route = routeOptions.url ?? 'unknown';
    const status = reply.statusCode;
    const tookMs = reply.elapsedTime;
    requestDone({ method, route, status }, tookMs / 1000);
    const ms = Math.round(tookMs * 10) / 10;
    const line = { requestId: id, method, route, status, ms, ip };
    const identity = caller
      ? { ...line, by: caller.actor.id, organisation: caller.organisation }
      : line;
    if (isProbe(route)) lines.debug(identity, 'request');
    else {
      lines.info(identity, 'request');
      const keyId = caller?.actor.kind === 'key' ? caller.actor.id : null;
      const template = templateOf(route);
      parts.onAnswered?.({ method, route: template, status, ms, keyId, requestId: id });
    }
    done();
  });

  await app.register(cors, {
    origin: [...parts.corsOrigins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    // Fastify's refusal of an incomplete pre-flight is not a problem document.
    strictPreflight: false,
  });
  turnAwayUnderPressure(app, parts);

  respondUnrouted(app, parts.isSandbox ? recordUnrouted(parts) : undefined);
  answerUnchanged(app);
  const bounds = parts.httpBounds ?? httpBounds();
  compressResponses(app, bounds.compress);
  boundUnreadAnswers(app, bounds.unread);
  serializeInSlices(app, parts.giveWay);
  parseJsonBodies(app, {
    largeBodies: parts.largeBodies ?? fairSemaphore(LARGE_BODIES),
    received: bounds.received,
  });
  authenticate(app, parts);
  answerInTime(app, parts.answerMaxMs);
  app.addHook('onRoute', (route) => {
    if (route.config?.permission === 'public' || route.schema?.querystring) return;
    route.schema = { ...route.schema, querystring: NoQuery };
  });
  app.addHook('preValidation', ({ url, query }, _reply, done) => {
    const wrong = undecodable(url) ?? unstorable(query, '');
    done(wrong ? invalid([wrong]) : undefined);
  });

  const generated = parts.generatesDocument === true;
  const { isSandbox = false, sandboxHost = null, tags = [], pageMaxima = {} } = parts;
  if (generated) {
    const { describeApi } = await import('./openapi/generated.ts');
    await describeApi(app, tags, isSandbox);
  }
  await routes(app);
  await app.register(async (pages) => {
    await pages.register(problemPages);
    await registerOpenApi(pages, { generated, isSandbox, sandboxHost, pageMaxima });
  });
  return app;
};

const unused = (): never => {
  throw new Error('no route is without the compilers of zod');
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether requests are refused because of the event loop's delay. */
    isUnderPressure(): boolean;
    /** For handlers that answer an error themselves. */
    readonly logError: LogError;
  }
}

/** One measurement of the loop is enough for a process. */
const turnAwayUnderPressure = (app: FastifyInstance, parts: ServerParts): void => {
  const isUnderPressure = parts.isUnderPressure ?? pressureOf(app, parts);
  app.decorate('isUnderPressure', isUnderPressure);
  app.addHook('onRequest', (_request, _reply, done) =>
    done(isUnderPressure() ? new Problem('UNAVAILABLE', 'The server is overloaded.') : undefined),
  );
};

const pressureOf = (
  app: FastifyInstance,
  { eventLoopDelayMaxMs = EVENT_LOOP_DELAY_MAX_MS }: ServerParts,
): (() => boolean) => {
  if (eventLoopDelayMaxMs === 0) return () => false;
  const delay = loopDelay();
  app.addHook('onClose', async () => delay.stop());
  return () => delay.ms() > eventLoopDelayMaxMs;
};

/** Fastify's own server, plus the order of requests and the decision whose platform's they are. */
const serversWith =
  (take: TakeRequest) =>
  (own: RequestListener): Server => {
    const serve: RequestListener = (request, response) => {
      if (!take(request, response, own)) own(request, response);
    };
    return createHttpServer(CONNECTION, inTurn(serve, { late: lateRequest }));
  };

const CONNECTION = {
  requestTimeout: REQUEST_RECEIVE_TIMEOUT_MS,
  keepAliveTimeout: CONNECTION_IDLE_MAX_MS,
  maxHeaderSize: HEADER_BYTES_MAX,
  // Node would answer a request without `Host` itself, with neither problem nor id.
  requireHostHeader: false,
  shouldUpgradeCallback: isUpgrade,
};

/** Polled every few seconds by machines, so not logged. */
const isProbe = (route: string): boolean => route.startsWith('/health/') || route === '/metrics';
