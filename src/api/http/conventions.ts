/**
 * Facts about a route beside its schemas, for OpenAPI. A convention is a shared helper of handlers,
 * with the headers that it reads and sends and the codes that it refuses with. A route that uses a
 * helper names the convention in its `schema`; tests detect undeclared headers and codes.
 * contract.md section 1.
 */
import type { z } from 'zod';
import { IDEMPOTENCY_KEY_CHARACTERS_MAX, REQUEST_ID_CHARACTERS_MAX } from './limits.ts';
import { CURSOR_CHARACTERS_MAX, HEADER_BYTES_MAX } from '../../limits.ts';
import { PROOF_CHARACTERS_MAX } from '../../use-cases/public-reports/proofs.ts';
import { STATUS_TOKEN_CHARACTERS } from '../../use-cases/public-reports/status-tokens.ts';
import type { ProblemCode } from './problems.ts';

declare module 'fastify' {
  interface FastifySchema {
    /** The shared helpers of the handler. */
    conventions?: readonly ConventionName[];
    /** Codes in addition to those of all routes of its kind and of its conventions. */
    problems?: readonly ProblemCode[];
    /** Files accepted as the body instead of JSON: media type → description. */
    files?: Readonly<Record<string, string>>;
    /** Accepted as the body instead of JSON, as `multipart/form-data`. */
    form?: z.ZodType;
  }
}

interface Header {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });

/** Headers that a request may carry. None is ever required. */
export const requestHeaders = {
  'X-Request-Id': {
    description: 'Identifies the request for both sides. A valid value is echoed in the response.',
    schema: text(REQUEST_ID_CHARACTERS_MAX),
  },
  'Idempotency-Key': {
    description:
      'Makes the request idempotent: a repeat with the same key and an equal body changes ' +
      'nothing and returns the result of the first request. Visible ASCII characters.',
    schema: { ...text(IDEMPOTENCY_KEY_CHARACTERS_MAX), pattern: '^[!-~]+$' },
  },
  'If-Match': {
    description:
      'The `ETag` that was read, or a list. If the current revision is another one, the ' +
      'response is 412.',
    schema: text(HEADER_BYTES_MAX),
  },
  'If-None-Match': {
    description:
      'With GET, a cached `ETag`: if it still matches, the response is 304 without a body. ' +
      'With PUT, `*`: write only if nothing exists yet.',
    schema: text(HEADER_BYTES_MAX),
  },
  Range: {
    description:
      'One range of bytes, such as `bytes=0-1023`. Several ranges return the whole file.',
    schema: text(HEADER_BYTES_MAX),
  },
  'If-Range': {
    description:
      'The `ETag` to which the range belongs. If it no longer matches, the whole file is ' +
      'returned.',
    schema: text(HEADER_BYTES_MAX),
  },
  'X-Atrium-Proof': {
    description: 'A solved challenge: `<challenge>.<answer>`.',
    schema: text(PROOF_CHARACTERS_MAX),
  },
  'X-Atrium-Status-Token': {
    description: 'The part of a `statusUrl` after `#`.',
    schema: text(STATUS_TOKEN_CHARACTERS),
  },
  'X-Atrium-Position': {
    description:
      'The `X-Atrium-Position` of an earlier command. The read waits, at most 2 s, until ' +
      'it includes the effect of the command.',
    schema: text(CURSOR_CHARACTERS_MAX),
  },
} as const satisfies Readonly<Record<string, Header>>;

/** Headers that an answer may carry. */
export const responseHeaders = {
  'X-Request-Id': {
    description:
      "The id that was sent, or a generated one. The server's log identifies the request " +
      'by it.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
  ETag: {
    description:
      'The quoted revision, for `If-Match`, followed by a digest where the response also ' +
      'depends on the caller. A digest alone for responses without a revision.',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  Location: {
    description: 'The path of the created resource.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'X-Atrium-Position': {
    description:
      'The position of the command in the log. Send it with a GET to read your own write.',
    schema: { type: 'string' },
  },
  'X-Atrium-Stale': {
    description: 'The response may not include everything up to the requested `X-Atrium-Position`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Idempotent-Replayed': {
    description: 'The `Idempotency-Key` was used before: this is the result of the first request.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Accept-Ranges': { description: '`bytes`', schema: { type: 'string' } },
  'Content-Range': {
    description: 'The range of the returned bytes and the total size.',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The file name, for responses that are files.',
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Header>>;

export type RequestHeader = keyof typeof requestHeaders;
export type ResponseHeader = keyof typeof responseHeaders;

export interface Convention {
  readonly takes?: readonly RequestHeader[];
  /** Sent with its success. */
  readonly gives?: readonly ResponseHeader[];
  readonly problems?: readonly ProblemCode[];
  /** Answers 304 too. */
  readonly unchanged?: true;
}

/** The headers and codes of each shared helper. */
export const conventions = {
  /** `commandIdOf`: a command may have a name. */
  'idempotency-key': {
    takes: ['Idempotency-Key'],
    gives: ['Idempotent-Replayed'],
    problems: ['IDEMPOTENCY_KEY_REUSED'],
  },
  /** A report without sign-in may be proven by work. */
  proof: { takes: ['X-Atrium-Proof'], problems: ['PROOF_REQUIRED'] },
  /** The token of a status link, which is never part of an address. */
  'status-token': { takes: ['X-Atrium-Status-Token'] },
  /** `answerCommand`: the answer has the revision and position after the command. */
  command: { gives: ['ETag', 'X-Atrium-Position'] },
  /** `expectedRevisionsOf`: only at the revision that was read. */
  'if-match': { takes: ['If-Match'], problems: ['PRECONDITION_FAILED'] },
  /** Only if nothing exists yet. */
  'if-none-match-any': { takes: ['If-None-Match'], problems: ['PRECONDITION_FAILED'] },
  /** `etagOf`: a read with its revision, answered 304 if the caller has it already. */
  etag: { takes: ['If-None-Match'], gives: ['ETag'], unchanged: true },
  /** A read tagged by its content, answered 304 if the caller has it already. */
  'content-etag': { takes: ['If-None-Match'], gives: ['ETag'], unchanged: true },
  /** A 201 or 202 with the location of the result. */
  location: { gives: ['Location'] },
  /** Unfinished: when to poll again. */
  unfinished: { gives: ['Retry-After'] },
  /** `holdRead`, `holdToHead`: read your writes. */
  'read-your-writes': { takes: ['X-Atrium-Position'], gives: ['X-Atrium-Stale'] },
  /** The log position of an accepted request whose answer is no aggregate. */
  position: { gives: ['X-Atrium-Position'] },
  /** Answered as a file if `Accept` asks for one. */
  file: { gives: ['Content-Disposition'] },
  /** `answerBytes`: a stored file, or a part of it. */
  bytes: {
    takes: ['If-Match', 'Range', 'If-Range'],
    gives: ['Accept-Ranges', 'Content-Range', 'Content-Disposition'],
    problems: ['PRECONDITION_FAILED'],
  },
} as const satisfies Readonly<Record<string, Convention>>;

export type ConventionName = keyof typeof conventions;
