/** The credential of a request. */
import type { IncomingMessage } from 'node:http';
import { Unauthenticated } from '../../identity/caller.ts';

/**
 * RFC 6750 section 2.1. Two headers could mean two callers, so both are refused.
 *
 * @throws {@link Unauthenticated} for a missing or malformed credential.
 */
export const bearerIn = ({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): string => {
  const { authorization } = headers;
  if (authorization === undefined) throw new Unauthenticated('Send Authorization: Bearer <token>.');
  if (isSentTwice(rawHeaders)) throw new Unauthenticated('Send one Authorization header.');
  const match = /^Bearer +(\S+) *$/i.exec(authorization);
  if (!match) throw new Unauthenticated('The Authorization header is not a Bearer token.');
  return match[1]!;
};

/** Node keeps only the first of several; in the raw headers names and values alternate. */
const isSentTwice = (rawHeaders: readonly string[]): boolean => {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (isAuthorization(rawHeaders[at]!)) times += 1;
  return times > 1;
};

const isAuthorization = (name: string): boolean =>
  name.length === 'authorization'.length && name.toLowerCase() === 'authorization';
