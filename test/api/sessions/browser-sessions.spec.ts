/** Browser sessions against the real development issuer and Postgres. contract.md section 2. */
import { decodeJwt } from 'jose';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  SESSION_AGE_MAX_MS,
  SESSION_IDLE_MAX_MS,
  SESSIONS_OF_PERSON_MAX,
  SIGN_INS_OF_BROWSER_MAX,
} from '../../../src/identity/sessions/limits.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import {
  browserLike,
  sessionPlatform,
  type BrowserLike,
  type SessionPlatform,
} from '../../support/api/signed-in.ts';

let platform: SessionPlatform;
/** Real time, moved on by a test. */
let aheadMs = 0;
beforeAll(async () => {
  platform = await sessionPlatform({ sessionNow: () => Date.now() + aheadMs });
});
afterAll(() => platform?.close());

const signedIn = async (email = 'agent@acme.test') => {
  const browser = browserLike(platform.origin);
  await browser.signIn(email);
  return browser;
};

const sessionIn = (browser: BrowserLike) => browser.read('/session');

const sql = async (text: string, values: unknown[] = []) => {
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query(text, values);
  await client.end();
  return rows;
};

describe('a sign-in', () => {
  it('leads to the issuer and back to the page that was asked for', async () => {
    const browser = browserLike(platform.origin);
    expect((await browser.ask('/session')).status).toBe(401);
    const url = await browser.signIn('agent@acme.test', '/?a=b#/tickets/board');
    expect(url).toBe(`${platform.origin}/?a=b#/tickets/board`);
    const answer = await browser.ask('/session');
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toEqual({
      sessionId: expect.any(String),
      actor: { kind: 'user', id: expect.any(String), name: 'Acme Agent' },
      organisation: 'acme',
      roles: ['agent'],
      permissions: expect.arrayContaining(['service-desk.tickets:write']),
      expiresAt: expect.any(String),
    });
    const organisations = await sql('select distinct organisation from session.session');
    expect(organisations).toEqual([{ organisation: 'acme' }]);
  });

  it('asks the issuer for a code with PKCE, state and nonce', async () => {
    const answer = await browserLike(platform.origin).ask('/session/login');
    const url = new URL(answer.headers.get('location')!);
    expect([answer.status, url.origin + url.pathname]).toEqual([303, `${platform.issuerUrl}/auth`]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'atrium-portal',
      response_type: 'code',
      redirect_uri: `${platform.origin}/session/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('sets one cookie that no script can read and no other host is sent', async () => {
    const browser = await signedIn();
    expect(
      [...browser.jar.keys()].filter((name) => name.startsWith('atrium') && !/dev/.test(name)),
    ).toEqual(['atrium']);
    const line = browser.setCookies.findLast((one) => one.startsWith('atrium='));
    expect(line).toMatch(/^atrium=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('takes an outage that a browser reports in its callback for nobody else’s', async () => {
    const browser = browserLike(platform.origin);
    const begun = await browser.ask('/session/login');
    const state = new URL(begun.headers.get('location')!).searchParams.get('state')!;
    for (const error of ['server_error', 'temporarily_unavailable']) {
      const query = new URLSearchParams({ state, error, iss: platform.issuerUrl });
      const reported = await browser.ask(`/session/callback?${query.toString()}`);
      expect(reported.headers.get('location')).toBe('/?sign-in=unavailable');
      const other = await browserLike(platform.origin).ask('/session/login');
      expect(other.headers.get('location')).toMatch(`${platform.issuerUrl}/auth`);
    }
  });

  it('ends with an error for another browser, another state, and a second use', async () => {
    const refused = `${platform.origin}/?sign-in=refused`;
    const begun = await browserLike(platform.origin).walk('/session/login');
    const victim = browserLike(platform.origin);
    const callback = await (async () => {
      const attacker = browserLike(platform.origin);
      const page = await attacker.walk('/session/login');
      const form = {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'email=manager%40acme.test',
      };
      let answer = await attacker.ask(page.url, form);
      let at = new URL(answer.headers.get('location')!, page.url).href;
      while (!at.includes('/session/callback')) {
        answer = await attacker.ask(at);
        at = new URL(answer.headers.get('location')!, at).href;
      }
      // The attacker's code, in the victim's browser.
      expect((await victim.walk(at)).url).toBe(refused);
      expect((await attacker.walk(at)).url).toBe(`${platform.origin}/`);
      return { attacker, at };
    })();
    expect((await victim.ask('/session')).status).toBe(401);
    expect((await callback.attacker.walk(callback.at)).url).toBe(refused);
    expect((await victim.walk('/session/callback?code=x&state=y')).url).toBe(refused);
    expect((await victim.walk('/session/callback?error=access_denied')).url).toBe(refused);
    expect(begun.url).toContain('/interaction/');
  });

  it('expires after ten minutes', async () => {
    const browser = browserLike(platform.origin);
    const { url } = await browser.walk('/session/login');
    aheadMs = 601_000;
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=agent%40acme.test',
    };
    const end = await browser.walk(url, form);
    aheadMs = 0;
    expect(end.url).toBe(`${platform.origin}/?sign-in=refused`);
  });

  it('can be under way in several tabs, of which the oldest are forgotten', async () => {
    const browser = browserLike(platform.origin);
    const states: string[] = [];
    for (let tab = 0; tab < SIGN_INS_OF_BROWSER_MAX + 2; tab += 1) {
      const answer = await browser.ask('/session/login');
      states.push(new URL(answer.headers.get('location')!).searchParams.get('state')!);
    }
    const kept = [...browser.jar.keys()].filter((name) => name.startsWith('atrium-sign-in-'));
    expect(kept).toEqual(
      states.slice(-SIGN_INS_OF_BROWSER_MAX).map((state) => `atrium-sign-in-${state.slice(0, 8)}`),
    );
  });

  it('replaces the session that the browser had', async () => {
    const browser = await signedIn();
    const old = browser.jar.get('atrium')!;
    await browser.walk('/session/login');
    const other = browserLike(platform.origin);
    other.jar.set('atrium', old);
    expect((await other.ask('/session')).status).toBe(401);
    expect((await browser.ask('/session')).status).toBe(200);
  });

  it('ends the session that was unused for longest, where a person has too many', async () => {
    const browsers = [];
    for (let count = 0; count <= SESSIONS_OF_PERSON_MAX; count += 1)
      browsers.push(await signedIn('viewer@globex.test'));
    expect((await browsers[0]!.ask('/session')).status).toBe(401);
    expect((await browsers[1]!.ask('/session')).status).toBe(200);
    const { items } = (await browsers[1]!.read('/session/list')).body;
    expect(items).toHaveLength(SESSIONS_OF_PERSON_MAX);
  });
});

describe('the stored session', () => {
  it('is a hash of the cookie, and tokens that are sealed for this session', async () => {
    const browser = await signedIn('auditor@acme.test');
    const { body } = await sessionIn(browser);
    const [row] = await sql('select * from session.session where session_id = $1', [
      body.sessionId,
    ]);
    expect(JSON.stringify(row)).not.toContain(browser.jar.get('atrium'));
    expect(row.tokens).toMatch(/^v1\./);
    const opened = secretsOf([Buffer.alloc(32, 7)]).open(row.tokens, `session-${body.sessionId}`);
    const tokens = JSON.parse(opened) as Record<string, string>;
    expect(decodeJwt(tokens['access']!).sub).toBe(body.actor.id);
    // None of it was in anything that the browser was given on this server's own addresses.
    const given = browser.seen.join('\n') + browser.setCookies.join('\n');
    for (const token of Object.values(tokens)) expect(given).not.toContain(token);
  });
});

describe('a request with the cookie', () => {
  const ticket = { description: 'It is cold.', reporter: { name: 'Ana' } };
  const json = { 'content-type': 'application/json' };

  it('is a portal session of a person on every route', async () => {
    const browser = await signedIn('manager@acme.test');
    const me = await browser.ask('/api/v1/me');
    expect(await me.json()).toMatchObject({ credential: 'session', roles: ['manager'] });
    const body = JSON.stringify({ label: 'x', scope: 'sandbox' });
    const minted = await browser.ask('/api/v1/keys', { method: 'POST', headers: json, body });
    expect(minted.status).toBe(201);
  });

  it.each([
    ['another origin', { 'sec-fetch-site': 'cross-site' }],
    ['a sandbox', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['an old browser at another origin', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
    ['nowhere', { 'sec-fetch-site': '' }],
  ])('cannot change anything when it comes from %s', async (_, headers) => {
    const browser = await signedIn();
    const { 'sec-fetch-site': site, ...others } = headers as Record<string, string>;
    const sent = { ...json, ...others, ...(site === '' ? {} : { 'sec-fetch-site': site! }) };
    const cookie = `atrium=${browser.jar.get('atrium')}`;
    const command = (method: string, path: string) =>
      fetch(`${platform.origin}${path}`, {
        method,
        redirect: 'manual',
        headers: { ...sent, cookie },
        ...(method === 'POST' ? { body: JSON.stringify(ticket) } : {}),
      });
    for (const [method, path] of [
      ['POST', '/api/service-desk/requests'],
      ['DELETE', `/session/${(await sessionIn(browser)).body.sessionId}`],
    ] as const) {
      const answer = await command(method, path);
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'CROSS_SITE' }]);
    }
    const logout = await fetch(`${platform.origin}/session/logout`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...others, ...(site === '' ? {} : { 'sec-fetch-site': site! }), cookie },
    });
    expect(logout.status).toBe(403);
    expect((await browser.ask('/session')).status).toBe(200);
  });

  it('is refused for a page of another origin', async () => {
    const browser = await signedIn('manager@acme.test');
    const { actor } = (await sessionIn(browser)).body;
    const body = JSON.stringify({ label: 'x', scope: 'sandbox' });
    const statuses = async (subject: string) => {
      const headers = { ...json, 'x-atrium-subject': subject };
      const read = await browser.ask('/api/v1/me', { headers });
      const init = { method: 'POST', headers, body };
      const command = await browser.ask('/api/v1/keys', init);
      return [read.status, command.status];
    };
    expect(await statuses(actor.id)).toEqual([200, 201]);
    for (const other of ['somebody-else', '', '%', `${actor.id} `.repeat(2)])
      expect(await statuses(other)).toEqual([401, 401]);
  });

  it('changes something where an old browser names this server as its origin', async () => {
    const browser = await signedIn();
    const { sessionId } = (await sessionIn(browser)).body;
    const headers = { cookie: `atrium=${browser.jar.get('atrium')}`, origin: platform.origin };
    const url = `${platform.origin}/session/${sessionId}`;
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await browser.ask('/session')).status).toBe(401);
  });

  it('does not count beside an Authorization header', async () => {
    const browser = await signedIn('manager@acme.test');
    const wrong = { authorization: 'Bearer nonsense' };
    expect((await browser.ask('/api/v1/me', { headers: wrong })).status).toBe(401);
    const token = await fetch(`${platform.issuerUrl}/dev-token`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ email: 'viewer@globex.test' }),
    });
    const { access_token: bearer } = (await token.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${bearer}` };
    const me = await browser.ask('/api/v1/me', { headers });
    expect(await me.json()).toMatchObject({ organisation: 'globex', roles: ['viewer'] });
    // And a token is no browser session.
    expect((await browser.ask('/session', { headers })).status).toBe(401);
    // A command of a program needs no origin.
    const foreign = { ...headers, ...json, 'sec-fetch-site': 'cross-site' };
    const body = JSON.stringify(ticket);
    const command = { method: 'POST', headers: foreign, body };
    const refused = await browser.read('/api/service-desk/requests', command);
    expect(refused.body.code).toBe('PERMISSION_DENIED');
  });

  it('is unauthenticated when a second cookie of the name was injected', async () => {
    const browser = await signedIn();
    const own = browser.jar.get('atrium')!;
    const attacker = (await signedIn('manager@globex.test')).jar.get('atrium')!;
    for (const cookie of [`atrium=${attacker}; atrium=${own}`, `atrium=${own}; atrium=${attacker}`])
      expect((await fetch(`${platform.origin}/session`, { headers: { cookie } })).status).toBe(401);
  });
});

describe('the end of a session', () => {
  it('comes after 12 idle hours, in real time', async () => {
    const browser = await signedIn();
    try {
      aheadMs = SESSION_IDLE_MAX_MS - 60_000;
      expect((await browser.ask('/session')).status).toBe(200);
      aheadMs += SESSION_IDLE_MAX_MS - 60_000;
      const { status, body } = await sessionIn(browser);
      expect(status).toBe(200);
      expect(Date.parse(body.expiresAt) - Date.now() - aheadMs).toBeGreaterThan(
        SESSION_IDLE_MAX_MS - 60_000,
      );
      aheadMs += SESSION_IDLE_MAX_MS + 60_000;
      expect((await browser.ask('/session')).status).toBe(401);
    } finally {
      aheadMs = 0;
    }
  });

  it('comes after 30 days, despite use', async () => {
    const browser = await signedIn();
    const { body } = await sessionIn(browser);
    await sql('update session.session set created_at = $2 where session_id = $1', [
      body.sessionId,
      new Date(Date.now() - SESSION_AGE_MAX_MS + 3_600_000).toISOString(),
    ]);
    const late = await sessionIn(browser);
    expect(late.status).toBe(200);
    expect(Date.parse(late.body.expiresAt) - Date.now()).toBeLessThan(3_601_000);
    await sql('update session.session set created_at = $2 where session_id = $1', [
      body.sessionId,
      new Date(Date.now() - SESSION_AGE_MAX_MS).toISOString(),
    ]);
    expect((await browser.ask('/session')).status).toBe(401);
  });

  it('comes with the sign-out, here and at the issuer, which requires a new sign-in', async () => {
    const browser = await signedIn();
    const answer = await browser.ask('/session/logout', { method: 'POST' });
    const url = new URL(answer.headers.get('location')!);
    expect([answer.status, url.origin + url.pathname]).toEqual([
      303,
      `${platform.issuerUrl}/session/end`,
    ]);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${platform.origin}/`);
    expect(browser.jar.has('atrium')).toBe(false);
    expect((await browser.ask('/session')).status).toBe(401);
    // Again, and without a session, it leads home.
    const again = await browser.ask('/session/logout', { method: 'POST' });
    expect([again.status, again.headers.get('location')]).toEqual([303, `${platform.origin}/`]);
  });

  it("can be requested from the list, only for the user's own sessions", async () => {
    const [one, two] = [
      await signedIn('developer2@acme.test'),
      await signedIn('developer2@acme.test'),
    ];
    const other = await signedIn('agent@globex.test');
    const { items } = (await one.read('/session/list')).body;
    expect(items).toHaveLength(2);
    expect(items.filter((item: { isCurrent: boolean }) => item.isCurrent)).toHaveLength(1);
    const { sessionId } = (await sessionIn(two)).body;
    const end = (browser: BrowserLike) =>
      browser.ask(`/session/${sessionId}`, { method: 'DELETE' });
    expect((await end(other)).status).toBe(404);
    expect((await sessionIn(two)).status).toBe(200);
    expect((await end(one)).status).toBe(204);
    expect((await end(one)).status).toBe(404);
    expect((await sessionIn(two)).status).toBe(401);
    expect((await sessionIn(one)).status).toBe(200);
  });

  it('is deleted completely by the sweep', async () => {
    const browser = await signedIn('developer@globex.test');
    const { sessionId } = (await sessionIn(browser)).body;
    const left = async () =>
      (await sql('select 1 from session.session where session_id = $1', [sessionId])).length;
    await platform.sessions.sweep();
    expect(await left()).toBe(1);
    aheadMs = SESSION_IDLE_MAX_MS + 60_000;
    await platform.sessions.sweep();
    aheadMs = 0;
    expect(await left()).toBe(0);
  });
});
