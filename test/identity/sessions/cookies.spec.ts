/** The cookies of browser sessions. contract.md section 2. */
import { describe, expect, it } from 'vitest';
import { cookiesOf } from '../../../src/identity/sessions/cookies.ts';

const VALUE = 'a'.repeat(43);

describe('the session cookie', () => {
  it.each([
    ['https://atrium.example', '__Host-atrium'],
    ['https://localhost:4000', '__Host-atrium'],
    ['http://atrium.internal', '__Host-atrium'],
  ])('of %s is Secure and has the prefix that no other host can set', (origin, name) => {
    const cookies = cookiesOf(origin);
    const line = cookies.setSession(VALUE);
    expect(line).toBe(`${name}=${VALUE}; Path=/; HttpOnly; SameSite=Lax; Secure`);
    expect(cookies.session({ cookie: `${name}=${VALUE}` })).toBe(VALUE);
    // The name without the prefix could be set by a sandbox's host for the whole domain.
    expect(cookies.session({ cookie: `atrium=${VALUE}` })).toBeNull();
  });

  it.each(['http://localhost:4000', 'http://127.0.0.1:4000', 'http://[::1]:4000'])(
    'of plain loopback, %s, has the plain name',
    (origin) =>
      expect(cookiesOf(origin).setSession(VALUE)).toBe(
        `atrium=${VALUE}; Path=/; HttpOnly; SameSite=Lax`,
      ),
  );

  it('is set only for its host, and cleared with the same attributes', () => {
    const cookies = cookiesOf('https://atrium.example');
    const lines = [
      cookies.setSession(VALUE),
      cookies.clearSession(),
      cookies.setSignIn('state-0123', 'x'),
      cookies.clearSignIn('state-0123'),
    ];
    for (const line of lines) {
      expect(line).not.toMatch(/domain/i);
      expect(line).toContain('Path=/; HttpOnly; SameSite=Lax; Secure');
    }
    expect(cookies.clearSession()).toContain('Max-Age=0');
  });

  it('is ignored where it is sent twice, as in a cookie-tossing attack', () => {
    const cookies = cookiesOf('http://localhost:4000');
    const other = 'b'.repeat(43);
    expect(cookies.session({ cookie: `atrium=${VALUE}; atrium=${other}` })).toBeNull();
    expect(cookies.session({ cookie: `x=1; atrium=${VALUE};y` })).toBe(VALUE);
  });

  it.each(['', 'short', `${VALUE}x`, `${VALUE.slice(1)};`, `${VALUE.slice(1)}"`])(
    'is ignored where it is malformed: %j',
    (value) =>
      expect(cookiesOf('http://localhost:4000').session({ cookie: `atrium=${value}` })).toBeNull(),
  );
});
