/**
 * Maps errors to problems. There are three separate kinds: a refusal is explained in full, a
 * failure is reported as such (503), a bug is only logged (500).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isResponseSerializationError } from 'fastify-type-provider-zod';
import { BusUnavailable, MessageTooLarge } from '../../bus/bus.ts';
import { isMissingTable, isUnreachable } from '../../engine/postgres/errors.ts';
import {
  IdentityUnavailable,
  NotForCaller,
  OrganisationRequired,
  Unauthenticated,
} from '../../identity/caller.ts';
import { FilesUnavailable } from '../../files/file-store.ts';
import { ImportTooSlow } from '../../building/imports/imports.ts';
import { refusedFile } from '../../domain/tickets/attachments.ts';
import { ScannerUnavailable } from '../../files/scanner/scanner.ts';
import { FileRefused } from '../../files/screening.ts';
import { FAILURE_LINE_EVERY_MS } from '../../engine/limits.ts';
import { boundedLines, type BoundedLine } from '../../engine/observe/bounded-lines.ts';
import { RETRY_AFTER_S } from './limits.ts';
import { NoPermit } from '../../engine/concurrency/fair-semaphore.ts';
import { Refused } from '../../engine/aggregates/aggregate.ts';
import { NewerReleaseNeeded } from '../../engine/log/codec.ts';
import { LogUnavailable } from '../../engine/log/event-store.ts';
import { ReportTooLarge } from '../../projections/reports/query/queries.ts';
import { SearchTooWide } from '../../projections/tickets/query/queries.ts';
import { CallerGone } from './permits.ts';
import { invalid, isTemporary, Problem, problemBody, problems, refused } from './problems.ts';
import { SchemaMismatch } from './validation.ts';

type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Logs an error that is answered with `problem`, if it is a bug or a failure. */
export type LogError = (error: unknown, problem: Problem, request: FastifyRequest) => void;

/**
 * Each bug is logged. Of failures, such as a full disk that many requests meet at once, one per
 * kind is logged in {@link FAILURE_LINE_EVERY_MS}, with the number of suppressed ones (`unlogged`).
 */
export const errorLog = (): LogError => {
  /** By the problem's text: few texts exist. */
  const lines = new Map<string, BoundedLine>();
  const lineOf = (detail: string): BoundedLine => {
    const line = lines.get(detail) ?? boundedLines(FAILURE_LINE_EVERY_MS);
    lines.set(detail, line);
    return line;
  };
  return (error, { code, message }, request) => {
    const { status } = problems[code];
    if (status === 500) request.log.error({ err: error }, 'request failed');
    else if (status === 503)
      lineOf(message)((unlogged) =>
        request.log.warn({ err: error, unlogged }, 'request could not be answered'),
      );
  };
};

/** Answers errors with problems. */
export const errorAnswers =
  (logError: LogError = errorLog()): AnswerError =>
  (error, request, reply) => {
    const problem = problemOf(error);
    logError(error, problem, request);
    return sendProblem(problem, request, reply);
  };

export const sendProblem = (problem: Problem, request: FastifyRequest, reply: FastifyReply) => {
  const { status } = problems[problem.code];
  if (status === 401) void reply.header('www-authenticate', 'Bearer');
  if (isTemporary(problem.code))
    void reply.header('retry-after', String(problem.retryAfterS ?? RETRY_AFTER_S));
  return reply
    .code(status)
    .type('application/problem+json')
    .serializer((body: unknown) => JSON.stringify(body))
    .send(problemBody(problem, request.id));
};

/** The problem that an error is answered with. */
export const problemOf = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (error instanceof Refused) return refused(error.refusal);
  if (error instanceof Unauthenticated) return new Problem('UNAUTHENTICATED', error.message);
  if (error instanceof OrganisationRequired) {
    return new Problem('ORGANISATION_REQUIRED', error.message);
  }
  if (error instanceof NotForCaller) return new Problem('NOT_FOUND', error.message);
  if (error instanceof LogUnavailable) {
    return new Problem('UNAVAILABLE', 'The event log cannot be reached.');
  }
  if (error instanceof BusUnavailable) {
    return new Problem('UNAVAILABLE', 'The bus cannot be reached.');
  }
  if (error instanceof MessageTooLarge) {
    return new Problem('PAYLOAD_TOO_LARGE', 'The message is larger than the bus accepts.');
  }
  if (error instanceof FilesUnavailable) {
    return new Problem('UNAVAILABLE', 'The file store cannot be reached. Repeat the request.');
  }
  if (error instanceof NewerReleaseNeeded) {
    return new Problem('NEWER_RELEASE_NEEDED', 'This was written by a newer release.');
  }
  if (error instanceof IdentityUnavailable) {
    return new Problem('UNAVAILABLE', 'The identity provider cannot be reached.');
  }
  if (error instanceof ImportTooSlow) return new Problem('UNAVAILABLE', error.message);
  if (error instanceof SearchTooWide) {
    return invalid([{ path: error.path, message: error.message }]);
  }
  if (error instanceof ReportTooLarge)
    return invalid([{ path: 'interval', message: error.message }]);
  if (error instanceof ScannerUnavailable) {
    return new Problem('UNAVAILABLE', 'The virus scanner cannot be reached. Send the file again.');
  }
  if (error instanceof FileRefused) return refused(refusedFile(error.reason, error.message));
  if (error instanceof NoPermit) return full(error);
  if (error instanceof CallerGone) return new Problem('UNAVAILABLE', 'The client disconnected.');
  if (error instanceof SchemaMismatch) return invalid(error.errors);
  if (isResponseSerializationError(error)) return new Problem('INTERNAL', error.message);
  if (isUnreachable(error)) return new Problem('UNAVAILABLE', 'The database cannot be reached.');
  if (isMissingTable(error)) return new Problem('UNAVAILABLE', 'The read model is being built.');
  return byCode[codeOf(error)]?.() ?? new Problem('INTERNAL', 'bug');
};

const full = ({ of }: NoPermit): Problem =>
  of === 'all'
    ? new Problem('UNAVAILABLE', 'Too many requests of this kind are in progress.')
    : new Problem(
        'RATE_LIMITED',
        `One ${of} cannot have more requests of this kind in progress at once.`,
      );

/** Fastify's own errors, by their code. */
const byCode: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new Problem('PAYLOAD_TOO_LARGE', 'The body is larger than this route accepts.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', 'This route accepts application/json.'),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: () =>
    new Problem('UNSUPPORTED_MEDIA_TYPE', 'This route accepts application/json.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    invalid([{ path: '', message: 'The length of the body differs from Content-Length.' }]),
  FST_ERR_BAD_URL: () => new Problem('NOT_FOUND', 'The path is not valid.'),
  ECONNRESET: () => invalid([{ path: '', message: 'The body ended early.' }]),
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
