/** The client address behind trusted proxies. */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * The address without a port; an IPv4 address as such on a dual-stack listener too. `unknown` for a
 * connection that is closed.
 *
 * @param trustedProxies Addresses and CIDRs whose `X-Forwarded-For` is trusted.
 */
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
    const nearest = plain(socket.remoteAddress ?? 'unknown');
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return nearest;
    const named = [forwarded].flat().join(',').split(',');
    const trimmed = named.map((hop) => hop.trim()).filter((hop) => hop !== '');
    const hops = [...trimmed.map(plain), nearest];
    // From the nearest hop: each trusted proxy vouches for the hop before it.
    let at = hops.length - 1;
    while (at > 0 && isTrusted(hops[at]!) && isIP(hops[at - 1]!) !== 0) at -= 1;
    return hops[at]!;
  };
};

/** Without the port that some proxies write, and the wrapping of an IPv4 address in IPv6. */
const plain = (hop: string): string => {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return (ipv6 ?? ipv4 ?? hop).replace(/^::ffff:(?=\d+\.)/i, '');
};
