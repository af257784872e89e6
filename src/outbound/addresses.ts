/**
 * Classifies an IP address in any notation. An address is public only if it is in globally
 * allocated space without a special purpose, so that an unknown range is refused. IANA's
 * special-purpose registries, RFC 6890.
 */
import { isIP } from 'node:net';

/**
 * `private` are 10/8, 172.16/12, 192.168/16 and fc00::/7, which a development server may call, as
 * it may `loopback`; `special` is everything else that must not be called.
 */
export type AddressClass = 'public' | 'loopback' | 'private' | 'special';

/** Text that is no IP address is `special`. */
export const classOf = (address: string): AddressClass => {
  switch (isIP(address)) {
    case 4:
      return classOf4(bytesOf4(address));
    case 6:
      return classOf6(bytesOf6(address));
    default:
      return 'special';
  }
};

type Bytes = readonly number[];

const bytesOf4 = (address: string): Bytes => address.split('.').map(Number);

/** The bytes of an address in any notation; a zone is ignored. */
const bytesOf6 = (address: string): Bytes => {
  const [written = ''] = address.split('%', 1);
  const [head = '', tail] = written.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 16 - before.length - after.length }, () => 0);
  return [...before, ...zeros, ...after];
};

const groupsOf = (text: string): readonly number[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (group.includes('.')) return bytesOf4(group);
        const value = Number.parseInt(group, 16);
        return [value >> 8, value & 0xff];
      });

interface Network {
  readonly bytes: Bytes;
  readonly bits: number;
}

const network = (cidr: string): Network => {
  const [address = '', bits = ''] = cidr.split('/');
  return {
    bytes: isIP(address) === 4 ? bytesOf4(address) : bytesOf6(address),
    bits: Number(bits),
  };
};

const networks = (...cidrs: readonly string[]): readonly Network[] => cidrs.map(network);

const isIn = (address: Bytes, { bytes, bits }: Network): boolean => {
  for (let at = 0, left = bits; left > 0; at += 1, left -= 8) {
    const mask = left >= 8 ? 0xff : (0xff << (8 - left)) & 0xff;
    if ((address[at]! & mask) !== (bytes[at]! & mask)) return false;
  }
  return true;
};

const isInAny = (address: Bytes, all: readonly Network[]): boolean =>
  all.some((one) => isIn(address, one));

const loopback4 = networks('127.0.0.0/8');
const private4 = networks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16');
const special4 = networks(
  '0.0.0.0/8',
  // Carrier-grade NAT, including the metadata service of Alibaba Cloud.
  '100.64.0.0/10',
  // Link-local, including the metadata services of most clouds.
  '169.254.0.0/16',
  // Protocol assignments, including the metadata service of Oracle Cloud.
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  // Relays of 6to4.
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform services: allocated as public, but reachable from every machine there.
  '168.63.129.16/32',
);

const classOf4 = (address: Bytes): AddressClass => {
  if (isInAny(address, loopback4)) return 'loopback';
  if (isInAny(address, private4)) return 'private';
  return isInAny(address, special4) ? 'special' : 'public';
};

const mapped = network('::ffff:0:0/96');
const loopback6 = network('::1/128');
const private6 = network('fc00::/7');
/** The metadata services of AWS and of Google Cloud. */
const metadata6 = networks('fd00:ec2::/32', 'fd20:ce::/32');
const global6 = network('2000::/3');
const special6 = networks(
  // Protocol assignments: Teredo, ORCHID, AMT and others, which embed other addresses.
  '2001::/23',
  '2001:db8::/32',
  // 6to4: it reaches the embedded IPv4 address.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
);

const classOf6 = (address: Bytes): AddressClass => {
  if (isIn(address, mapped)) {
    // Never public: there is no legitimate reason to write an IPv4 address in this form.
    const within = classOf4(address.slice(12));
    return within === 'public' ? 'special' : within;
  }
  if (isIn(address, loopback6)) return 'loopback';
  if (isIn(address, private6)) return isInAny(address, metadata6) ? 'special' : 'private';
  return isIn(address, global6) && !isInAny(address, special6) ? 'public' : 'special';
};
