/** The client address behind trusted proxies. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** @param trustedProxies Addresses and CIDRs whose `X-Forwarded-For` is trusted. */
export const sourceIps = (
  trustedProxies: readonly string[],
): ((request: IncomingMessage) => string) => {
  const trusted = new BlockList();
  for (const one of trustedProxies) {
    const [address, prefix] = one.split('/') as [string, string?];
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return ({ headers, socket }) => {
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    const hops = [...forwarded.map((hop) => hop.trim()), plain(socket.remoteAddress)];
    // From the nearest hop: each trusted proxy vouches for the hop before it.
    let at = hops.length - 1;
    while (at > 0 && isTrusted(hops[at]!) && isIP(hops[at - 1]!) !== 0) at -= 1;
    return hops[at]!;
  };
};

/** Unwraps IPv4 addresses of a dual-stack listener. */
const plain = (address: string | undefined): string =>
  (address ?? 'unknown').replace(/^::ffff:(?=\d+\.)/i, '');
