/**
 * Conditional requests: `If-Match`, `If-None-Match`. A tag is the revision of an aggregate, and
 * strong; a digest follows where the revision does not determine the answer. RFC 9110 section 13.1,
 * contract.md section 1.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { varyBy } from './vary.ts';

/**
 * The tag of a response.
 *
 * @param shown The response, if it depends on its reader or on state beyond the aggregate too.
 */
export const etagOf = (revision: number, shown: object | null = null): string =>
  shown === null ? `"${revision}"` : `"${revision}-${digestOf(JSON.stringify(shown))}"`;

/** The tag of a response without a revision: a digest of its body. */
export const contentTagOf = (text: string): string => `"${digestOf(text)}"`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/**
 * The revisions in `If-Match`, one of which the aggregate must have; `undefined` without the header
 * and for `*`. `[]` if it names none of this server's tags: weak tags never match here. The digest
 * of {@link etagOf} is not compared: a command is about the aggregate.
 */
export const expectedRevisionsOf = ({ headers }: FastifyRequest): readonly number[] | undefined => {
  const sent = headers['if-match'];
  if (sent === undefined || sent.trim() === '*') return undefined;
  return tagsIn(sent)
    .map((tag) => /^"(\d{1,15})(?:-[\w-]{43})?"$/.exec(tag)?.[1])
    .filter((revision) => revision !== undefined)
    .map(Number);
};

/** Whether `If-Match` permits an answer with this tag, which is strong. */
export const isMatched = ({ headers }: FastifyRequest, etag: string): boolean => {
  const sent = headers['if-match'];
  return sent === undefined || sent.trim() === '*' || tagsIn(sent).includes(etag);
};

/**
 * Answers 304 without a body to a GET whose `If-None-Match` matches. A cache asks again each time,
 * and never gives a caller the answer to another.
 */
export const answerUnchanged = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.caller !== null && isRead(request) && reply.hasHeader('etag')) {
      if (!reply.hasHeader('cache-control')) {
        void reply.header('cache-control', 'private, no-cache');
      }
      varyBy(reply, 'authorization', 'cookie');
    }
    if (!isUnchanged(request, reply)) return done(null, payload);
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
};

/** Whether the caller already has the representation with the response's `etag`. */
export const isUnchanged = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const sent = request.headers['if-none-match'];
  if (sent === undefined || reply.statusCode !== 200) return false;
  const tag = reply.getHeader('etag');
  if (typeof tag !== 'string') return false;
  // `If-None-Match` uses weak comparison.
  return (
    isRead(request) &&
    (sent.trim() === '*' || tagsIn(sent.replaceAll('W/', '')).includes(tag.replace('W/', '')))
  );
};

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Our tags have no comma, so splitting a foreign tag at one cannot produce ours. */
const tagsIn = (list: string): readonly string[] => list.split(',').map((tag) => tag.trim());
