/**
 * Checks the text of an untrusted URL. Errors that a URL parser silently repairs are refused,
 * because the author meant something else. contract.md section 7, `WEBHOOK_URL_REFUSED`.
 */
import { isIP } from 'node:net';
import { UNTRUSTED_URL_CHARACTERS_MAX } from './limits.ts';
import { classOf, type AddressClass } from './addresses.ts';

/** In the order of precedence. */
export const urlRefusals = [
  'not_a_url',
  'not_https',
  'has_credentials',
  'has_fragment',
  'blocked_port',
  'reserved_name',
  'odd_address',
  'not_public',
  'not_resolvable',
] as const;
export type UrlRefusal = (typeof urlRefusals)[number];

/** Which addresses beyond the public Internet this deployment may reach. */
export interface Reach {
  /** http, `localhost`, loopback and private addresses. Development only. */
  readonly allowPrivate: boolean;
}

/** A URL whose text was accepted; its addresses are not checked yet. */
export interface CheckedUrl {
  readonly href: string;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly secure: boolean;
  /** Without brackets and without a trailing dot. */
  readonly host: string;
  readonly port: number;
  /** The host is an address, not a name. */
  readonly isAddress: boolean;
  /** Path and query. */
  readonly path: string;
}

export const mayReach = (address: AddressClass, { allowPrivate }: Reach): boolean =>
  address === 'public' || (allowPrivate && (address === 'loopback' || address === 'private'));

export const checkedUrl = (text: string, reach: Reach): CheckedUrl | UrlRefusal => {
  if (text.length > UNTRUSTED_URL_CHARACTERS_MAX || unspeakable.test(text)) return 'not_a_url';
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(text)) return 'not_a_url';
  if (scheme !== 'https' && scheme !== 'http') return 'not_https';
  const written = /^[^:]+:\/\/([^/?#]+)/.exec(text)?.[1];
  // `https:/host`, `https:host` and `https:///host` are repaired, `%` in a host is decoded.
  if (written === undefined || written.includes('%')) return 'not_a_url';
  const url = new URL(text);
  const host = hostOf(url.hostname);
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isDnsName(host)) return 'not_a_url';
  return (
    refusalOf(url, { text, written, host, isAddress }, reach) ?? {
      href: url.href,
      origin: url.origin,
      secure: url.protocol === 'https:',
      host,
      port: portOf(url),
      isAddress,
      path: url.pathname + url.search,
    }
  );
};

interface Written {
  readonly text: string;
  /** The authority as written. */
  readonly written: string;
  readonly host: string;
  readonly isAddress: boolean;
}

const refusalOf = (
  url: URL,
  { text, written, host, isAddress }: Written,
  reach: Reach,
): UrlRefusal | null => {
  if (url.protocol !== 'https:' && !reach.allowPrivate) return 'not_https';
  if (written.includes('@')) return 'has_credentials';
  if (text.includes('#')) return 'has_fragment';
  if (badPorts.has(portOf(url))) return 'blocked_port';
  if (!isAddress) return isReserved(host, reach) ? 'reserved_name' : null;
  if (isIP(host) === 4 && !hasHost(written, host)) return 'odd_address';
  return mayReach(classOf(host), reach) ? null : 'not_public';
};

/** Control characters, white space of every script, and characters that URLs cannot contain. */
const unspeakable = /[\p{Cc}\p{Cf}\p{Z}\p{Cs}\\]/u;

/** `[::1]` is `::1`, `example.org.` is `example.org`. */
const hostOf = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');

const hasHost = (written: string, host: string): boolean =>
  written.replace(/:\d*$/, '').toLowerCase() === host;

const isDnsName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => labelForm.test(label));

const labelForm = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

const portOf = (url: URL): number => {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
};

const isReserved = (name: string, { allowPrivate }: Reach): boolean => {
  if (name === 'localhost') return !allowPrivate;
  if (!name.includes('.') || metadataHosts.has(name)) return true;
  return reservedSuffixes.some((suffix) => name.endsWith(suffix));
};

const reservedSuffixes = [
  '.localhost',
  '.local',
  '.internal',
  '.home.arpa',
  '.test',
  '.example',
  '.invalid',
  '.onion',
] as const;

/** Metadata services of clouds with a name outside the suffixes above. */
const metadataHosts: ReadonlySet<string> = new Set([
  'metadata.goog',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.nic.scw.cloud',
]);

/** «Port blocking» of the Fetch standard. */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);
