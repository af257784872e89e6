/** The host that a request is for. RFC 9112, section 3.2. */
import type { IncomingMessage } from 'node:http';
import { authorityOf } from '../api/http/origin-form.ts';
import { hostNameOf } from '../composition/request-address.ts';

/**
 * The host name of a request, in lower case, without port and trailing dot; `''` if it has none.
 */
export type Addressed = { readonly name: string } | { readonly malformed: string };

type Head = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'url'>;

/**
 * Two `Host` headers, a malformed one, and an absolute URI with another authority are malformed: no
 * platform may serve them, whichever one a part of them names.
 */
export const addressed = ({ headers, rawHeaders, url = '' }: Head): Addressed => {
  const { host = '' } = headers;
  if (host.length > HOST_CHARACTERS_MAX) return { malformed: 'The Host header is too long.' };
  if (isSentTwice(rawHeaders)) return { malformed: 'Send one Host header.' };
  if (host !== '' && !HOST.test(host)) return { malformed: 'The Host header is malformed.' };
  const authority = authorityOf(url);
  if (authority !== undefined && authority.toLowerCase() !== host.toLowerCase())
    return { malformed: 'The authority of the URI is not that of the Host header.' };
  return { name: hostNameOf(host) };
};

/** A DNS name has at most 253 characters; a port follows. */
const HOST_CHARACTERS_MAX = 260;

/** A name of labels, or an address in brackets; with or without a port. */
const HOST = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(:\d{0,5})?$/i;

/** Node keeps only the first of several headers; in `rawHeaders` names and values alternate. */
const isSentTwice = (rawHeaders: readonly string[]): boolean => {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.toLowerCase() === 'host') times += 1;
  return times > 1;
};
