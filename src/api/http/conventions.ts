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
    description: 'Names the request on both sides; answered as it came, where it is a sane one.',
    schema: text(REQUEST_ID_CHARACTERS_MAX),
  },
  'Idempotency-Key': {
    description:
      'Names the command: the same key with an equal body records nothing more and is answered ' +
      'as the first was. Visible characters.',
    schema: { ...text(IDEMPOTENCY_KEY_CHARACTERS_MAX), pattern: '^[!-~]+$' },
  },
  'If-Match': {
    description: 'The `ETag` that was read, or several: another revision by now is a 412.',
    schema: text(HEADER_BYTES_MAX),
  },
  'If-None-Match': {
    description:
      'With a GET a cached `ETag`: while it still matches, there is only a ' +
      '304. With a PUT `*`: only where nothing is there yet.',
    schema: text(HEADER_BYTES_MAX),
  },
  Range: {
    description: 'A part of the bytes, such as `bytes=0-1023`; several are answered by all of it.',
    schema: text(HEADER_BYTES_MAX),
  },
  'If-Range': {
    description: 'The `ETag` that the part belongs to: without a match all of it is answered.',
    schema: text(HEADER_BYTES_MAX),
  },
  'X-Atrium-Proof': {
    description: 'A solved challenge: `<challenge>.<answer>`.',
    schema: text(PROOF_CHARACTERS_MAX),
  },
  'X-Atrium-Status-Token': {
    description: 'What follows `#` in a `statusUrl`.',
    schema: text(STATUS_TOKEN_CHARACTERS),
  },
  'X-Atrium-Position': {
    description:
      'Of a command that was answered: the request is held, at most 2 s, until its effect shows.',
    schema: text(CURSOR_CHARACTERS_MAX),
  },
} as const satisfies Readonly<Record<string, Header>>;

/** Headers that an answer may carry. */
export const responseHeaders = {
  'X-Request-Id': {
    description: 'As it was sent, or drawn. In the log it names this request.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: '`Bearer`', schema: { type: 'string' } },
  ETag: {
    description:
      'In quotes: the revision, for `If-Match`; a digest follows where the answer also depends ' +
      'on who reads it. Where nothing has a revision, a digest alone.',
    schema: { type: 'string', pattern: '^"[\\w-]+"$' },
  },
  Location: {
    description: 'The path of what was made.',
    schema: { type: 'string', format: 'uri-reference' },
  },
  'X-Atrium-Position': {
    description: 'The position of the command in the log; a GET with it sees the command.',
    schema: { type: 'string' },
  },
  'X-Atrium-Stale': {
    description: 'The answer may lack what `X-Atrium-Position` asked for.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Idempotent-Replayed': {
    description: 'The `Idempotency-Key` was used before: this is the result of the first command.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Accept-Ranges': { description: '`bytes`', schema: { type: 'string' } },
  'Content-Range': {
    description: 'Which bytes these are, of how many.',
    schema: { type: 'string' },
  },
  'Content-Disposition': {
    description: 'The name of the file, where it is one.',
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
    takes: ['Range', 'If-Range'],
    gives: ['Accept-Ranges', 'Content-Range', 'Content-Disposition'],
  },
} as const satisfies Readonly<Record<string, Convention>>;

export type ConventionName = keyof typeof conventions;
