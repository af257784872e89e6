import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classOf } from '../../src/outbound/addresses.ts';

describe('an IPv4 address', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['0.0.0.0', 'special'],
    ['0.1.2.3', 'special'],
    ['100.64.0.1', 'special'],
    ['100.100.100.200', 'special'],
    ['100.127.255.255', 'special'],
    ['169.254.169.254', 'special'],
    ['169.254.170.2', 'special'],
    ['168.63.129.16', 'special'],
    ['192.0.0.192', 'special'],
    ['192.0.2.1', 'special'],
    ['192.88.99.1', 'special'],
    ['198.18.0.1', 'special'],
    ['198.19.255.255', 'special'],
    ['198.51.100.7', 'special'],
    ['203.0.113.9', 'special'],
    ['224.0.0.1', 'special'],
    ['239.255.255.250', 'special'],
    ['240.0.0.1', 'special'],
    ['255.255.255.255', 'special'],
    ['1.1.1.1', 'public'],
    ['8.8.8.8', 'public'],
    ['9.255.255.255', 'public'],
    ['11.0.0.0', 'public'],
    ['100.63.255.255', 'public'],
    ['100.128.0.0', 'public'],
    ['126.255.255.255', 'public'],
    ['128.0.0.0', 'public'],
    ['168.63.129.15', 'public'],
    ['168.63.129.17', 'public'],
    ['169.253.255.255', 'public'],
    ['172.15.255.255', 'public'],
    ['172.32.0.0', 'public'],
    ['192.167.255.255', 'public'],
    ['198.17.255.255', 'public'],
    ['198.20.0.0', 'public'],
    ['223.255.255.255', 'public'],
  ])('%s is %s', (address, is) => expect(classOf(address)).toBe(is));
});

describe('an IPv6 address', () => {
  it.each([
    ['::1', 'loopback'],
    ['0:0:0:0:0:0:0:1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['fc00::1', 'private'],
    ['fd12:3456::1', 'private'],
    ['::ffff:10.1.2.3', 'private'],
    ['::ffff:c0a8:101', 'private'],
    ['fd00:ec2::254', 'special'],
    ['fd20:ce::254', 'special'],
    ['::', 'special'],
    ['::7f00:1', 'special'],
    ['::127.0.0.1', 'special'],
    ['::ffff:8.8.8.8', 'special'],
    ['::ffff:169.254.169.254', 'special'],
    ['::ffff:0:7f00:1', 'special'],
    ['64:ff9b::7f00:1', 'special'],
    ['64:ff9b::8.8.8.8', 'special'],
    ['64:ff9b:1::a00:1', 'special'],
    ['100::1', 'special'],
    ['2001::1', 'special'],
    ['2001:0:53aa:64c:0:fffe:80ff:fffe', 'special'],
    ['2001:10::1', 'special'],
    ['2001:20::1', 'special'],
    ['2001:db8::1', 'special'],
    ['2002:7f00:1::1', 'special'],
    ['2002:808:808::1', 'special'],
    ['2620:4f:8000::1', 'special'],
    ['3fff::1', 'special'],
    ['3ffe::1', 'public'],
    ['4000::1', 'special'],
    ['5f00::1', 'special'],
    ['fe80::1', 'special'],
    ['fe80::1%eth0', 'special'],
    ['fec0::1', 'special'],
    ['ff02::1', 'special'],
    ['2001:200::1', 'public'],
    ['2001:4860:4860::8888', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['2a00:1450:4001:81b::200e', 'public'],
  ])('%s is %s', (address, is) => expect(classOf(address)).toBe(is));

  it('is the same in every notation', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        const groups = Array.from(
          { length: 8 },
          (_, at) => bytes[2 * at]! * 256 + bytes[2 * at + 1]!,
        );
        const long = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`https://[${long}]/`).hostname.slice(1, -1);
        const dotted = `${long.split(':').slice(0, 6).join(':')}:${bytes.slice(12).join('.')}`;
        expect([classOf(short), classOf(dotted), classOf(long.toUpperCase())]).toEqual(
          Array.from({ length: 3 }, () => classOf(long)),
        );
      }),
    ));

  it('is never public outside 2000::/3', () =>
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const first = new URL(`https://[${address}]/`).hostname.slice(1).split(':', 1)[0]!;
        const isGlobal = (Number.parseInt(first || '0', 16) & 0xe000) === 0x2000;
        expect(isGlobal || classOf(address) !== 'public').toBe(true);
      }),
    ));
});

it('rejects a text that is not an address', () =>
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^[\d.:a-f]+$/i.test(text));
      expect(classOf(text)).toBe('special');
    }),
  ));
