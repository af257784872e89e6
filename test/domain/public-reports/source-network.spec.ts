import { expect, it } from 'vitest';
import { sourceNetwork } from '../../../src/domain/public-reports/source-network.ts';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
])('counts %s as %s', (address, network) => {
  expect(sourceNetwork(address)).toBe(network);
});

it.each([
  '',
  'unknown',
  'evil.example',
  '1:2:3',
  '1::2::3',
  '12345::1',
  '1:2:3:4:5:6:7:8:9',
  'g::1',
])('counts %j with all other invalid addresses', (text) => {
  expect(sourceNetwork(text)).toBe('unknown');
});
