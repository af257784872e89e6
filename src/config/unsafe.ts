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

/** Whether the networks cover all IPv4 or all IPv6 addresses, in however many parts. */
const coversAll = (networks: readonly string[]): boolean =>
  [32, 128].some((bits) => {
    const ranges = networks
      .filter((network) => isIPv6(network.split('/')[0]!) === (bits === 128))
      .map((network) => rangeOf(network, bits))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    let next = 0n;
    for (const [first, last] of ranges) {
      if (first > next) return false;
      if (last >= next) next = last + 1n;
    }
    return next === 1n << BigInt(bits);
  });

const rangeOf = (network: string, bits: number): readonly [bigint, bigint] => {
  const [ip = '', prefix = String(bits)] = network.split('/');
  const rest = BigInt(bits - Number(prefix));
  const first = ((bits === 32 ? ofIPv4(ip) : ofIPv6(ip)) >> rest) << rest;
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
