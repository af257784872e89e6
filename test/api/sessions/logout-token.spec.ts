/** OpenID Connect Back-Channel Logout 1.0, section 2.6, against an issuer that signs anything. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { addSession } from '../../support/session-rows.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let issuer: SigningIssuer;
let platform: TestPlatform;
let db: Client;
beforeAll(async () => {
  issuer = await signingIssuer();
  const source = { url: issuer.url, tokenOf: () => issuer.token() };
  platform = await testPlatform({ issuer: source });
  db = new Client({ connectionString: platform.databaseUrl });
  await db.connect();
});
afterAll(async () => {
  await db?.end();
  await platform?.close();
  await issuer?.close();
});

/** Sessions by the issuer's name and their person. */
const sessions = { one: ['sid-1', 'ana'], two: ['sid-2', 'ana'], other: ['sid-3', 'ben'] } as const;
beforeEach(async () => {
  await db.query('delete from session.session');
  for (const [issuerSid, subject] of Object.values(sessions))
    await addSession(db, { subject, issuerSid });
});
const left = async () => {
  const { rows } = await db.query('select issuer_sid as sid from session.session order by 1');
  return rows.map(({ sid }: { readonly sid: string }) => sid);
};

const logoutToken = (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
  issuer.token(
    {
      aud: 'atrium-portal',
      jti: randomUUID(),
      events: { [EVENT]: {} },
      sid: 'sid-1',
      sub: 'ana',
      ...claims,
    },
    { typ: 'logout+jwt', ...header },
  );

const send = (token: string) =>
  fetch(`${platform.address}/session/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  });

describe('a logout token', () => {
  it.each([
    ['of a session and its person', {}, ['sid-2', 'sid-3']],
    ['of a session alone', { sub: undefined }, ['sid-2', 'sid-3']],
    ['of a person alone', { sid: undefined }, ['sid-3']],
    ['of an unknown session', { sid: 'sid-9' }, ['sid-1', 'sid-2', 'sid-3']],
    ['of a session of somebody else', { sub: 'ben' }, ['sid-1', 'sid-2', 'sid-3']],
  ])('%s ends that and nothing else', async (_, claims, kept) => {
    const answer = await send(await logoutToken(claims));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await left()).toEqual(kept);
  });

  it('of a session and its person ends unnamed sessions of that person too', async () => {
    await addSession(db, { subject: 'ana' });
    await addSession(db, { subject: 'ben' });
    expect((await send(await logoutToken())).status).toBe(200);
    const { rows } = await db.query('select subject from session.session where issuer_sid is null');
    expect(rows).toEqual([{ subject: 'ben' }]);
    expect((await send(await logoutToken({ sub: undefined }))).status).toBe(200);
    expect((await left()).length).toBe(3);
  });

  it('is accepted once', async () => {
    const token = await logoutToken({ sid: 'sid-9' });
    expect((await send(token)).status).toBe(200);
    expect((await send(token)).status).toBe(400);
  });

  const nowS = Math.floor(Date.now() / 1_000);
  it.each([
    ['for another client', { aud: 'atrium-cli' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['with a nonce', { nonce: 'x' }],
    ['without an event', { events: undefined }],
    ['with another event', { events: { 'https://example.com/x': {} } }],
    ['whose event is no object', { events: { [EVENT]: 'yes' } }],
    ['whose event is a list', { events: { [EVENT]: [] } }],
    ['without an id', { jti: undefined }],
    ['with an empty id', { jti: '' }],
    ['that names neither subject nor session', { sub: undefined, sid: undefined }],
    ['that is old', { iat: nowS - 400, exp: nowS + 400 }],
    ['without a time', { iat: undefined }],
    ['that has expired', { exp: nowS - 60 }],
    ['of a time to come', { iat: nowS + 400 }],
  ])('%s is refused and ends nothing', async (_, claims) => {
    const answer = await send(await logoutToken(claims));
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: 'VALIDATION_FAILED' },
    ]);
    expect(await left()).toEqual(['sid-1', 'sid-2', 'sid-3']);
  });

  it('that is an access token, unsigned, or missing is refused', async () => {
    expect((await send(await logoutToken({}, { typ: 'at+jwt' }))).status).toBe(400);
    const [, payload] = (await logoutToken()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await send(`${none}.${payload}.`)).status).toBe(400);
    expect((await send('x'.repeat(10_000))).status).toBe(400);
    const empty = { method: 'POST', body: new URLSearchParams({ other: 'x' }) };
    const url = `${platform.address}/session/backchannel-logout`;
    expect((await fetch(url, empty)).status).toBe(400);
    expect(await left()).toHaveLength(3);
  });
});
