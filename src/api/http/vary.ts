import type { FastifyReply } from 'fastify';

/** Adds names of request headers to `Vary`, for caches between the server and the caller. */
export const varyBy = (reply: FastifyReply, ...names: readonly string[]): void => {
  const listed = [reply.getHeader('vary') ?? []].flat().map(String);
  const known = new Set(listed.flatMap((header) => header.toLowerCase().split(/\s*,\s*/)));
  const added = names.filter((name) => !known.has(name));
  if (added.length > 0) void reply.header('vary', [...listed, ...added].join(', '));
};
