/**
 * Requests that count only for some revisions: `If-Match`, `If-None-Match`. A tag is the revision
 * of an aggregate, and strong. RFC 9110 section 13.1, contract.md section 1.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const etagOf = (revision: number): string => `"${revision}"`;

/**
 * The revisions that `If-Match` names, one of which the aggregate must have; `undefined` without
 * the header and for `*`. `[]` where it names none of this server: weak tags never match here.
 */
export const expectedRevisionsOf = ({ headers }: FastifyRequest): readonly number[] | undefined => {
  const sent = headers['if-match'];
  if (sent === undefined || sent.trim() === '*') return undefined;
  return tagsIn(sent)
    .map((tag) => /^"(\d{1,15})"$/.exec(tag)?.[1])
    .filter((revision) => revision !== undefined)
    .map(Number);
};

/** Answers 304 without a body to a GET whose `If-None-Match` names what there is. */
export const answerUnchanged = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!isUnchanged(request, reply)) return done(null, payload);
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
};

const isUnchanged = ({ method, headers }: FastifyRequest, reply: FastifyReply): boolean => {
  const sent = headers['if-none-match'];
  if (sent === undefined || reply.statusCode !== 200) return false;
  const tag = reply.getHeader('etag');
  if (typeof tag !== 'string') return false;
  const isRead = method === 'GET' || method === 'HEAD';
  // This comparison is the weak one.
  return isRead && (sent.trim() === '*' || tagsIn(sent.replaceAll('W/', '')).includes(tag));
};

/** None of ours has a comma in it, so that a foreign one that has is none of ours in two parts. */
const tagsIn = (list: string): readonly string[] => list.split(',').map((tag) => tag.trim());
