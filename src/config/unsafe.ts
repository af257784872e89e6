/** Settings that expose a production server. contract.md section 10. */
import { isIPv6 } from 'node:net';

export interface ExposedSettings {
  readonly secretsKeys: readonly Buffer[] | null;
  readonly webhookAllowPrivate: boolean;
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly corsOrigins: readonly string[];
}

/** The first unsafe setting with its reason in one line; `null`: none. */
export const unsafeInProduction = (config: ExposedSettings): string | null => {
  if (config.secretsKeys === null) return 'ATRIUM_SECRETS_KEY: required in production';
  if (config.webhookAllowPrivate) return 'WEBHOOK_ALLOW_PRIVATE: only with ATRIUM_ENV=development';
  if (new URL(config.publicUrl).protocol === 'http:')
    return 'PUBLIC_URL: must be an https: address in production';
  if (coversAll(config.trustedProxies))
    return 'TRUSTED_PROXIES: every address is trusted, so that callers choose their own';
  if (config.corsOrigins.includes('*'))
    return 'CORS_ORIGINS: must name the origins in production, not *';
  return null;
};

type Range = readonly [first: bigint, last: bigint];

/** Whether the networks cover all IPv4 or all IPv6 addresses, in however many parts. */
const coversAll = (networks: readonly string[]): boolean => {
  const ranges = networks.map(rangeOf).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [EVERY_IPV4, EVERY_IPV6].some((all) => covers(ranges, all));
};

/** @param ranges By their first address. */
const covers = (ranges: readonly Range[], [first, last]: Range): boolean => {
  let next = first;
  for (const [from, to] of ranges) if (from <= next && to >= next) next = to + 1n;
  return next > last;
};

/** An IPv4 address is the IPv6 address that it is mapped to: proxies are matched by either. */
const MAPPED = 0xffffn << 32n;
const EVERY_IPV4: Range = [MAPPED, MAPPED + (1n << 32n) - 1n];
const EVERY_IPV6: Range = [0n, (1n << 128n) - 1n];

const rangeOf = (network: string): Range => {
  const [ip = '', prefix] = network.split('/');
  const isSix = isIPv6(ip);
  const bits = isSix ? 128 : 32;
  const rest = BigInt(bits - Number(prefix ?? bits));
  const first = ((isSix ? ofIPv6(ip) : MAPPED + ofIPv4(ip)) >> rest) << rest;
  return [first, first + (1n << rest) - 1n];
};

const ofIPv4 = (ip: string): bigint =>
  ip.split('.').reduce((sum, part) => (sum << 8n) + BigInt(part), 0n);

const ofIPv6 = (ip: string): bigint => {
  // An IPv4 tail is two groups.
  const tail = /[^:]+\.[^:]+$/.exec(ip)?.[0];
  const four = tail === undefined ? null : ofIPv4(tail);
  const text =
    four === null
      ? ip
      : ip.replace(tail!, `${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`);
  const [head = '', end] = text.split('::');
  const groups = (part: string) => part.split(':').filter((group) => group !== '');
  const [before, after] = [groups(head), groups(end ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].reduce(
    (sum, group) => (sum << 16n) + BigInt(`0x${group}`),
    0n,
  );
};
