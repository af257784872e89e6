/** The address of a client, which routes, the live service and sandboxes find in the same way. */
import { expect, it } from 'vitest';
import { sourceIps } from '../../../src/api/http/source-ip.ts';

it.each([
  ['10.0.0.1', undefined, '10.0.0.1'],
  ['::ffff:10.0.0.1', '192.0.2.1', '192.0.2.1'],
  ['10.0.0.1', '::ffff:192.0.2.1', '192.0.2.1'],
  ['10.0.0.1', '192.0.2.1:5555', '192.0.2.1'],
  ['10.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
  ['10.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.1', '192.0.2.1, unknown', '10.0.0.1'],
  ['10.0.0.1', '192.0.2.1,', '192.0.2.1'],
  ['10.0.0.1', '203.0.113.9, 192.0.2.1, ::ffff:10.0.0.9', '192.0.2.1'],
  ['198.51.100.1', '192.0.2.1', '198.51.100.1'],
])('from %s, forwarded for %j: %s', (remoteAddress, forwarded, source) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { headers, socket: { remoteAddress } } as never;
  expect(sourceIps(['10.0.0.0/8'])(request)).toBe(source);
});
