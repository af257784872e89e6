/** The tokens behind a browser session: short lifetimes, rotation, an unreachable issuer. */
import { Client } from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/engine/postgres/pool.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { IdentityUnavailable } from '../../../src/identity/caller.ts';
import { REFRESHES_AT_ONCE_MAX } from '../../../src/identity/sessions/limits.ts';
import {
  browserSessions,
  type BrowserSessionsParts,
} from '../../../src/identity/sessions/sessions.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import {
  browserLike,
  sessionPlatform,
  type BrowserLike,
  type SessionPlatform,
} from '../../support/api/signed-in.ts';
import { until, WAITS_MAX_MS } from '../../support/until.ts';
import type { TestPlatform } from '../../support/api/platform.ts';

/** As the shipped Keycloak realm has it. */
const logger = pino({ level: 'silent' });
const TOKEN_LIFETIME_S = 300;
const RENEWED_AFTER_MS = 271_000;

let platform: SessionPlatform;
/** Another process on the same database. */
let other: TestPlatform;
/** Real time, moved on by a test. */
let aheadMs = 0;
let browser: BrowserLike;
beforeAll(async () => {
  platform = await sessionPlatform({
    tokenLifetimeS: TOKEN_LIFETIME_S,
    sessionNow: () => Date.now() + aheadMs,
  });
  other = await platform.alike();
});
afterAll(async () => {
  await other?.close();
  await platform?.close();
});
beforeEach(async () => {
  aheadMs = 0;
  browser = browserLike(platform.origin);
  await browser.signIn('agent@acme.test');
});

const rowsOf = async (cookieHolder: BrowserLike) => {
  const { createHash } = await import('node:crypto');
  const cookie = cookieHolder.jar.get('atrium')!;
  const client = new Client({ connectionString: platform.databaseUrl });
  await client.connect();
  const { rows } = await client.query('select * from session.session where cookie_hash = $1', [
    createHash('sha256').update(cookie).digest(),
  ]);
  await client.end();
  return rows as { session_id: string; rotation: number; tokens: string }[];
};

const tokensOf = async (of: BrowserLike) => {
  const [row] = await rowsOf(of);
  const opened = secretsOf([Buffer.alloc(32, 7)]).open(row!.tokens, `session-${row!.session_id}`);
  return JSON.parse(opened) as { access: string; refresh: string };
};

const refreshAtIssuer = (refresh: string) =>
  fetch(`${platform.issuerUrl}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: 'atrium-portal',
      refresh_token: refresh,
    }),
  });

/** Renewed in the background, this often. */
const renewed = async (rotation: number, of: BrowserLike = browser) => {
  await expect.poll(() => rowsOf(of), { timeout: WAITS_MAX_MS }).toMatchObject([{ rotation }]);
};

const statusOf = async (address = platform.address) =>
  (await browser.ask('/session', { address })).status;

describe('tokens of a short life', () => {
  it('are renewed silently before they expire, under the same cookie', async () => {
    const cookie = browser.jar.get('atrium');
    const before = await tokensOf(browser);
    expect(await statusOf()).toBe(200);
    expect(await tokensOf(browser)).toEqual(before);
    aheadMs = RENEWED_AFTER_MS;
    const answer = await browser.ask('/session');
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
    await renewed(1);
    const after = await tokensOf(browser);
    expect(after.access).not.toBe(before.access);
    // The issuer rotates refresh tokens.
    expect(after.refresh).not.toBe(before.refresh);
    expect(browser.jar.get('atrium')).toBe(cookie);
  });

  it('are renewed once, however many tabs and processes ask at the same time', async () => {
    aheadMs = RENEWED_AFTER_MS;
    const before = platform.tokenRequests();
    const addresses = Array.from({ length: 24 }, (_, at) =>
      at % 2 === 0 ? platform.address : other.address,
    );
    expect(new Set(await Promise.all(addresses.map(statusOf)))).toEqual(new Set([200]));
    await renewed(1);
    expect(platform.tokenRequests() - before).toBe(1);
    aheadMs += RENEWED_AFTER_MS;
    expect(await statusOf(other.address)).toBe(200);
    await renewed(2);
  });
});

describe('a refresh token that was used elsewhere', () => {
  it('ends the session, for its owner and for the other client', async () => {
    const { refresh } = await tokensOf(browser);
    const thief = (await (await refreshAtIssuer(refresh)).json()) as { refresh_token: string };
    expect(await statusOf()).toBe(200);
    aheadMs = RENEWED_AFTER_MS;
    await expect.poll(() => statusOf(), { timeout: WAITS_MAX_MS }).toBe(401);
    expect(await rowsOf(browser)).toEqual([]);
    expect((await refreshAtIssuer(thief.refresh_token)).status).toBe(400);
  });
});

describe('an issuer that does not answer', () => {
  it('ends no session: requests are 503 once the access token has expired', async () => {
    try {
      platform.issuerAnswers(false);
      aheadMs = RENEWED_AFTER_MS;
      // The token is good for half a minute.
      expect(await statusOf()).toBe(200);
      aheadMs = TOKEN_LIFETIME_S * 1_000 + 1_000;
      const { status, body } = await browser.read('/api/v1/me');
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(await rowsOf(browser)).toMatchObject([{ rotation: 0 }]);
    } finally {
      platform.issuerAnswers(true);
    }
    // Beyond the pause after a failure.
    await expect.poll(() => statusOf(), { timeout: WAITS_MAX_MS }).toBe(200);
    expect(await rowsOf(browser)).toMatchObject([{ rotation: 1 }]);
  });

  it('makes sign-in impossible, with a message on the page', async () => {
    const without = await sessionPlatform();
    without.issuerAnswers(false);
    const visitor = browserLike(without.origin);
    const { url } = await visitor.walk('/session/login');
    await without.close();
    expect(url).toBe(`${without.origin}/?sign-in=unavailable`);
  });
});

describe('an issuer that answers slowly', () => {
  /** Another process with sessions of the platform. */
  const otherProcess = () => {
    const db = openDatabase({ url: platform.databaseUrl, logger });
    onTestFinished(() => db.close());
    const sessionsOn = (parts: Partial<BrowserSessionsParts>) =>
      browserSessions({
        db,
        identity: {
          issuer: platform.issuerUrl,
          callerOf: () => Promise.reject(new Error('sign in elsewhere')),
        },
        secrets: secretsOf([Buffer.alloc(32, 7)]),
        logger,
        now: () => Date.now() + aheadMs,
        ...parts,
      }).at(platform.origin);
    return { db, sessionsOn };
  };

  /** A process whose requests for new tokens the issuer answers once they are released. */
  const slowIssuer = (renewalWaitMaxMs?: number) => {
    const { db, sessionsOn } = otherProcess();
    const released = Promise.withResolvers<void>();
    onTestFinished(() => released.resolve());
    const asked: string[] = [];
    const revoked: string[] = [];
    const sessions = sessionsOn({
      ...(renewalWaitMaxMs === undefined ? {} : { renewalWaitMaxMs }),
      async fetch(url, init) {
        const { url: path } = new Request(url, init);
        if (path.endsWith('/token')) {
          asked.push(path);
          await released.promise;
        }
        if (path.includes('/revocation')) revoked.push(await new Request(url, init).text());
        return fetch(url, init);
      },
    });
    const cookieOf = ({ jar }: BrowserLike) => jar.get('atrium')!;
    const open = (of: BrowserLike) => sessions.open(cookieOf(of));
    return { db, sessions, open, cookieOf, asked, revoked, release: released.resolve };
  };

  it('logs a renewal in the background that fails otherwise', async () => {
    const { db, sessionsOn } = otherProcess();
    const pool = Object.create(db.pool) as typeof db.pool;
    pool.query = db.pool.query.bind(db.pool);
    pool.connect = () => Promise.reject(new Error('no connection'));
    const warned = Promise.withResolvers<string>();
    const sessions = sessionsOn({
      db: { ...db, pool },
      logger: pino({ level: 'warn' }, { write: (line) => warned.resolve(line) }),
    });
    aheadMs = RENEWED_AFTER_MS;
    await sessions.open(browser.jar.get('atrium')!);
    expect(JSON.parse(await warned.promise)).toMatchObject({
      msg: 'the tokens of a session were not renewed',
      err: { message: 'no connection' },
    });
  });

  it('delays no request whose token is valid, however many sessions it renews', async () => {
    const browsers = [browser];
    for (let n = 0; n < REFRESHES_AT_ONCE_MAX; n += 1) {
      const another = browserLike(platform.origin);
      await another.signIn('agent@acme.test');
      browsers.push(another);
    }
    const { open, asked, release } = slowIssuer();
    aheadMs = RENEWED_AFTER_MS;
    for (const _ of ['first', 'again']) await Promise.all(browsers.map(open));
    await until(() => asked.length === REFRESHES_AT_ONCE_MAX, 'the first requests for tokens');
    release();
    for (const one of browsers) await renewed(1, one);
    expect(asked).toHaveLength(browsers.length);
  });

  it('holds a request with an expired token for a bounded time', async () => {
    const { open, release } = slowIssuer(100);
    aheadMs = TOKEN_LIFETIME_S * 1_000 + 1_000;
    await expect(open(browser)).rejects.toThrow(IdentityUnavailable);
    release();
    await renewed(1);
    await open(browser);
  });

  it('has the new tokens revoked by a sign-out during their renewal', async () => {
    const { db, sessions, open, cookieOf, asked, revoked, release } = slowIssuer();
    const { refresh } = await tokensOf(browser);
    aheadMs = RENEWED_AFTER_MS;
    await open(browser);
    await until(() => asked.length === 1, 'the request for tokens');
    const signedOut = sessions.signOut({ cookie: `atrium=${cookieOf(browser)}` });
    await until(async () => (await lockWaits(db.pool)) === 1, 'the wait for the renewal');
    release();
    await signedOut;
    expect(await rowsOf(browser)).toEqual([]);
    expect(revoked).toHaveLength(1);
    expect(revoked[0]).not.toContain(refresh);
  });
});

describe('a sign-out at the issuer', () => {
  it('ends the session immediately, by back-channel logout', async () => {
    const bystander = browserLike(platform.origin);
    await bystander.signIn('agent@acme.test');
    const page = await browser.walk(`${platform.issuerUrl}/session/end?client_id=atrium-portal`);
    const form = await page.answer.text();
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(form)!;
    const [, action] = /action="([^"]+)"/.exec(form)!;
    await browser.walk(action!, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf: xsrf!, logout: 'yes' }).toString(),
    });
    expect(await statusOf()).toBe(401);
    // Another browser of the same person has another session at the issuer.
    expect((await bystander.ask('/session')).status).toBe(200);
  });
});
