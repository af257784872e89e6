/** Where a sign-in may lead. contract.md section 2. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RETURN_CHARACTERS_MAX } from '../../../src/identity/sessions/limits.ts';
import { returnAddress } from '../../../src/identity/sessions/return-address.ts';

const ORIGIN = 'https://atrium.example';
/** The origins to which clients resolve a `Location`, also after decoding it once. */
const originsOf = (location: string): readonly string[] => {
  const decoded = location.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return [location, decoded].map((one) => URL.parse(one, ORIGIN)?.origin ?? 'none');
};

describe('a return address', () => {
  it.each(['/', '/#/tickets/1?state=new', '/?a=b#c', '/docs', '/#/desk/%2F%2Fx', '/a//b'])(
    'is kept as a path of this server: %s',
    (path) => expect(returnAddress(path)).toBe(path),
  );

  it.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/x/..//evil.example',
    '/%2f/evil.example',
    '/%2Fevil.example',
    '/%5cevil.example',
    '/%5C%5Cevil.example',
    '/.//%2fevil.example',
    '/%09/evil.example',
    '/%0d%0aSet-Cookie:x',
    'https://evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    ' /x',
    '/\u0000',
    '/\u0085/evil.example',
    '/\ud800',
    `/${'x'.repeat(RETURN_CHARACTERS_MAX)}`,
    undefined,
    ['/a', '/b'],
    7,
  ])('is the first page in place of %j', (asked) => expect(returnAddress(asked)).toBe('/'));

  const piece = fc.oneof(
    fc.constantFrom('/', '\\', '.', '..', '%2f', '%5C', '%09', '\t', '\r\n', '@', ':', '?', '#'),
    fc.constantFrom('evil.example', 'https:', 'javascript:', '%', '\u0000', ';', '//'),
    fc.string({ maxLength: 3 }),
  );

  it('never leaves this server, for any input', () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.boolean(), (pieces, isRooted) => {
        const location = returnAddress((isRooted ? '/' : '') + pieces.join(''));
        expect(location).toMatch(/^\/(?![/\\])/);
        expect(location).not.toMatch(/[\p{Cc}]/u);
        for (const origin of originsOf(location)) expect(origin).toBe(ORIGIN);
        // It is idempotent.
        expect(returnAddress(location)).toBe(location);
      }),
      { numRuns: 3_000 },
    ));
});
