import { createHmac, type webcrypto } from 'node:crypto';
import * as fc from 'fast-check';
import { CompactSign, exportSPKI, importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Unauthenticated, type Identity } from '../../../src/identity/caller.ts';
import { issuerRefusal, oidcIdentity } from '../../../src/identity/oidc/token-check.ts';
import { asPlain, drawKey, signingIssuer, type SigningIssuer } from './signing-issuer.ts';

let issuer: SigningIssuer;
let identity: Identity;
let elsewhere: SigningIssuer;

beforeAll(async () => {
  [issuer, elsewhere] = await Promise.all([signingIssuer(), signingIssuer()]);
});
afterAll(() => Promise.all([issuer.close(), elsewhere.close()]));
beforeEach(() => {
  identity = identityOf('production');
});

const identityOf = (environment: 'development' | 'production', now?: () => number) =>
  oidcIdentity({
    // The checks of production, on a plain loopback address, which only its own test refuses.
    issuer: environment === 'production' ? issuer.url.replace('http:', 'https:') : issuer.url,
    audience: 'atrium',
    environment,
    fetch: asPlain,
    ...(now ? { now } : {}),
  });

const nowS = () => Math.floor(Date.now() / 1_000);
const base64url = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** As in production: the same issuer under its https name. */
const token: SigningIssuer['token'] = (claims = {}, header = {}) =>
  issuer.token({ iss: issuer.url.replace('http:', 'https:'), ...claims }, header);

const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;

const refuses = (forged: string | Promise<string>) =>
  expect(Promise.resolve(forged).then((t) => identity.callerOf(t))).rejects.toBeInstanceOf(
    Unauthenticated,
  );

beforeEach(() => {
  const https = issuer.url.replace('http:', 'https:');
  issuer.discovery = { issuer: https, jwks_uri: `${https}/keys` };
});

describe('a valid access token', () => {
  it('names its caller, with the permissions of the role', async () => {
    const claims = { name: 'Ana', email: 'ana@acme.test', permissions: ['platform.keys:write'] };
    const exp = Math.floor(Date.now() / 1_000) + 300;
    const caller = await identity.callerOf(await token({ ...claims, exp }));
    expect(caller).toEqual({
      actor: { kind: 'user', id: 'ana', name: 'Ana' },
      email: 'ana@acme.test',
      organisation: 'acme',
      roles: ['agent'],
      permissions: new Set([
        'platform.buildings:read',
        'service-desk.tickets:read',
        'service-desk.tickets:write',
        'service-desk.reports:read',
      ]),
      person: true,
      expiresAt: new Date(exp * 1_000).toISOString(),
    });
  });

  it('may have several audiences, including that of the platform', async () =>
    expect(await identity.callerOf(await token({ aud: ['account', 'atrium'] }))).toBeDefined());

  it.each([
    ['at+jwt', undefined],
    ['AT+JWT', undefined],
    ['application/at+jwt', undefined],
    ['at+jwt', 'Bearer'],
    ['JWT', 'Bearer'],
  ])('is one by its types %s and %s', async (typ, inside) =>
    expect(await identity.callerOf(await token({ typ: inside }, { typ }))).toBeDefined(),
  );
});

describe('a token is refused', () => {
  it.each([
    ['an ID token', { typ: 'ID' }, 'JWT'],
    ['a token without a type', {}, 'JWT'],
    ['a token without a header type', { typ: 'Bearer' }, undefined],
    ['a refresh token', { typ: 'Refresh' }, 'JWT'],
    ['an offline token', { typ: 'Offline' }, 'JWT'],
    ['a logout token', {}, 'logout+jwt'],
  ])('when it is %s', (_, claims, typ) => refuses(token(claims, { typ })));

  it('when its algorithm is none', () =>
    refuses(
      token().then(
        (t) => `${base64url({ alg: 'none', typ: 'at+jwt' })}.${t.split('.')[1]}.${base64url('x')}`,
      ),
    ));

  it('when its algorithm is none and it has no signature', () =>
    refuses(
      token().then((t) => `${base64url({ alg: 'none', typ: 'at+jwt' })}.${t.split('.')[1]}.`),
    ));

  it.each(['PEM', 'JWK'])(
    'when it is signed with the public key (%s) as a secret',
    async (form) => {
      const { publicJwk } = issuer.key;
      const secret =
        form === 'PEM'
          ? await exportSPKI((await importJWK(publicJwk)) as webcrypto.CryptoKey)
          : JSON.stringify(publicJwk);
      const header = base64url({ alg: 'HS256', typ: 'at+jwt', kid: publicJwk.kid });
      const body = `${header}.${(await token()).split('.')[1]}`;
      await refuses(`${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`);
    },
  );

  it('when another key signed it under the right key id', async () => {
    const stranger = await drawKey();
    const payload = JSON.parse(
      Buffer.from((await token()).split('.')[1]!, 'base64url').toString(),
    ) as Record<string, unknown>;
    await refuses(
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: issuer.key.publicJwk.kid! })
        .sign(stranger.privateKey),
    );
  });

  it('when it carries its key as jwk, jku or x5c, which is never fetched', async () => {
    const payload = (await token()).split('.')[1]!;
    const claims = Buffer.from(payload, 'base64url');
    for (const header of [
      { jwk: elsewhere.key.publicJwk },
      { jku: `${elsewhere.url}/keys` },
      { x5u: `${elsewhere.url}/keys` },
      {
        x5c: [
          Buffer.from(
            await exportSPKI((await importJWK(elsewhere.key.publicJwk)) as webcrypto.CryptoKey),
          ).toString('base64'),
        ],
      },
    ]) {
      const forged = new CompactSign(claims).setProtectedHeader({
        alg: 'RS256',
        typ: 'at+jwt',
        kid: elsewhere.key.publicJwk.kid!,
        ...header,
      });
      await refuses(forged.sign(elsewhere.key.privateKey));
    }
    expect(elsewhere.asked).toEqual([]);
  });

  it('when its key id is unknown', () => refuses(token({}, { kid: 'nobody’s' })));

  it('when one character of it is changed', async () => {
    const [header, payload, signature] = (await token()).split('.') as [string, string, string];
    const other = base64url(
      Buffer.from(payload, 'base64url').toString().replace('"agent"', '"manager"'),
    );
    await refuses(`${header}.${other}.${signature}`);
  });

  it('when it requires an unknown extension (crit)', async () => {
    const payload = Buffer.from((await token()).split('.')[1]!, 'base64url');
    const { kid } = issuer.key.publicJwk;
    await refuses(
      new CompactSign(payload)
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: kid!, crit: ['urn:x'], 'urn:x': 1 })
        .sign(issuer.key.privateKey, { crit: { 'urn:x': true } }),
    );
  });

  it.each([
    ['another issuer', { iss: 'https://elsewhere.test' }],
    ['no issuer', { iss: undefined }],
    ['the issuer with a trailing slash', { iss: 'https://127.0.0.1/' }],
  ])('when it is of %s', (_, claims) => refuses(token(claims)));

  it.each([
    ['another audience', { aud: 'account' }],
    ['other audiences', { aud: ['account', 'atrium2'] }],
    ['no audience', { aud: undefined }],
  ])('when it is for %s', (_, claims) => refuses(token(claims)));

  it.each(['exp', 'iat', 'sub'])('when it has no %s', (claim) =>
    refuses(token({ [claim]: undefined })),
  );

  it.each([{ sub: '' }, { sub: 7 }, { sub: 'a\0b' }, { sub: '\ud800' }, { sub: 'x'.repeat(256) }])(
    'when its subject is not a text that can be stored: %j',
    (claims) => refuses(token(claims)),
  );

  it.each([7, ['at+jwt'], { at: 'jwt' }, null, true, ''])('when its type is %j', async (typ) => {
    await refuses(token({}, { typ }));
    await refuses(token({ typ }, { typ: 'JWT' }));
  });

  it('for any other header and claims, and throws no other error', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('typ', 'kid', 'cty', 'jwk', 'x5c', 'zip'),
        fc.constantFrom('typ', 'exp', 'nbf', 'iat', 'sub', 'aud', 'iss', 'cnf', 'azp', 'jti'),
        fc.jsonValue(),
        fc.jsonValue(),
        async (name, claim, header, value) => {
          const { kid } = issuer.key.publicJwk;
          const payload = JSON.stringify({ ...claimsOf(await token()), [claim]: value });
          const signed = await new CompactSign(new TextEncoder().encode(payload))
            .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: kid!, [name]: header })
            .sign(issuer.key.privateKey);
          const outcome: unknown = await identity.callerOf(signed).catch((error: unknown) => error);
          const isRefused = outcome instanceof Unauthenticated;
          expect(isRefused || !(outcome instanceof Error)).toBe(true);
        },
      ),
      { numRuns: 300 },
    ));

  it('when it is bound to a missing key', () => refuses(token({ cnf: { jkt: 'x' } })));

  it('when it is larger than any token', async () => {
    const large = await token({ padding: 'x'.repeat(9_000) });
    expect(large.length).toBeGreaterThan(8_192);
    await refuses(large);
  });

  it.each(['', 'x', '..', 'a.b.c', 'a.b.c.d.e', '$$$.$$$.$$$', 'x'.repeat(43), 'é.é.é'])(
    'when it is malformed: %j',
    (rubbish) => refuses(rubbish),
  );

  it('for any other text, and throws only Unauthenticated', async () => {
    const good = await token();
    const part = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom(...good.split('.')),
      fc.json().map((text) => base64url(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
        const forged = parts.join('.');
        if (forged !== good) await refuses(forged);
      }),
      { numRuns: 300 },
    );
  });

  it("without a call to the issuer where it cannot be the issuer's token", async () => {
    const before = issuer.asked.length;
    await refuses('a.b.c');
    await refuses(`${base64url({ alg: 'HS256' })}.e30.AAAA`);
    expect(issuer.asked).toHaveLength(before);
  });
});

describe('time, with 30 s of clock skew', () => {
  const at = 1_800_000_000;
  const seconds = (delta: number) => at + delta;
  const check = async (claims: Record<string, unknown>) => {
    identity = identityOf('production', () => at * 1_000);
    return identity.callerOf(await token({ iat: at - 60, exp: at + 60, ...claims }));
  };

  it.each([
    ['expires in a second', { exp: seconds(1) }],
    ['expires late', { exp: 10 ** 11 - 1 }],
    ['expired 29 s ago', { exp: seconds(-29) }],
    ['is valid from now', { nbf: seconds(0) }],
    ['is valid from 30 s ahead', { nbf: seconds(30) }],
    ['was issued 30 s ahead', { iat: seconds(30) }],
  ])('accepts a token that %s', async (_, claims) => expect(await check(claims)).toBeDefined());

  it.each([
    ['expired 30 s ago', { exp: seconds(-30) }],
    ['expired long ago', { exp: seconds(-3_600) }],
    ['is valid from 31 s ahead', { nbf: seconds(31) }],
    ['was issued 31 s ahead', { iat: seconds(31) }],
    ['expires in words', { exp: 'tomorrow' }],
    ['never expires', { exp: 1e308 }],
    ['expires beyond the range of dates', { exp: 10 ** 11 }],
    ['expires between two seconds', { exp: at + 60.5 }],
    ['is valid from between two seconds', { nbf: at - 60.5 }],
    ['is valid from a text', { nbf: `${at}` }],
    ['was issued at a text', { iat: `${at}` }],
  ])('refuses a token that %s', (_, claims) =>
    expect(check(claims)).rejects.toBeInstanceOf(Unauthenticated),
  );

  it('is real time unless a test says otherwise', async () => {
    await expect(identity.callerOf(await token({ exp: nowS() - 31 }))).rejects.toThrow(
      Unauthenticated,
    );
    expect(await identity.callerOf(await token({ exp: nowS() - 25 }))).toBeDefined();
  });
});

describe('the issuer’s address', () => {
  it.each([
    ['https://login.example.com/realms/atrium', 'production'],
    ['https://login.example.com', 'development'],
    ['http://localhost:8081/realms/atrium', 'development'],
    ['http://127.0.0.1:4000/dev/oidc', 'development'],
    ['http://[::1]:4000/dev/oidc', 'development'],
  ] as const)('%s may be used in %s', (url, environment) =>
    expect(issuerRefusal(url, environment)).toBeNull(),
  );

  it.each([
    ['http://localhost:8081/realms/atrium', 'production'],
    ['http://keycloak:8080/realms/atrium', 'development'],
    ['http://127.evil.test/', 'development'],
    ['http://localhost.evil.test/', 'development'],
    ['ftp://localhost/', 'development'],
    ['nonsense', 'development'],
  ] as const)('%s may not be used in %s, and is named in one line', (url, environment) => {
    expect(issuerRefusal(url, environment)).toMatch(/^OIDC_ISSUER [^\n]+$/);
    expect(() => oidcIdentity({ issuer: url, audience: 'atrium', environment })).toThrow(url);
  });
});
