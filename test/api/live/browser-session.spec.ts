/** Live connections by the cookie of a browser session. contract.md sections 2 and 8. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LIVE_SESSION_CHECK_MS } from '../../../src/api/live/limits.ts';
import { SESSION_IDLE_MAX_MS } from '../../../src/identity/sessions/limits.ts';
import { liveClient, liveRefusal } from '../../support/api/live-client.ts';
import {
  browserLike,
  sessionPlatform,
  type BrowserLike,
  type SessionPlatform,
} from '../../support/api/signed-in.ts';
import { liveService, sessionOf } from '../../support/api/live-service.ts';
import { freePort } from '../../support/servers/port.ts';

/** A page that may call the API with a token of its own, never with the cookie of a person. */
const LISTED = 'https://partner.example';

let platform: SessionPlatform;
/** Real time, moved on by a test. */
let aheadMs = 0;
let browser: BrowserLike;
beforeAll(async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  platform = await sessionPlatform({
    port,
    urls: { publicUrl, corsOrigins: [publicUrl, LISTED], sandboxHost: `sandbox.localhost:${port}` },
    sessionNow: () => Date.now() + aheadMs,
  });
});
afterAll(() => platform?.close());
beforeEach(async () => {
  aheadMs = 0;
  browser = browserLike(platform.origin);
  await browser.signIn('agent@acme.test');
});

const transports = ['websocket', 'polling'] as const;
const withCookie = (headers: Record<string, string>) => ({
  cookie: `atrium=${browser.jar.get('atrium')}`,
  ...headers,
});

describe.each(transports)('a handshake with the cookie, by %s,', (transport) => {
  const refused = (headers: Record<string, string>) =>
    liveRefusal(platform.origin, { transport, headers: withCookie(headers) });

  it('is accepted from a page of this server', async () => {
    const headers = withCookie({ origin: platform.origin });
    const client = await liveClient(platform.origin, { transport, headers });
    expect(client.socket.connected).toBe(true);
    client.socket.disconnect();
  });

  it('is refused without a message from an origin that is not listed', async () => {
    expect((await refused({ origin: 'https://evil.example' })).data).toBeUndefined();
  });

  it.each([
    ['a listed origin', { origin: LISTED }],
    ['another site, as the browser says', { 'sec-fetch-site': 'cross-site' }],
    ['a sandbox, as the browser says', { 'sec-fetch-site': 'same-site' }],
    ['no page', {}],
  ])('is refused from %s', async (_, headers) => {
    const { data } = await refused(headers);
    expect(data).toMatchObject({ code: 'CROSS_SITE' });
  });
});

describe('a connection by the cookie', () => {
  const connected = () =>
    liveClient(platform.origin, { headers: withCookie({ origin: platform.origin }) });

  it('is looked at again every 15 s', () => expect(LIVE_SESSION_CHECK_MS).toBe(15_000));

  it('ends with the sign-out, and leaves that of another session alone', async () => {
    const bystander = await (async () => {
      const other = browserLike(platform.origin);
      await other.signIn('agent@acme.test');
      const cookie = `atrium=${other.jar.get('atrium')}`;
      return liveClient(platform.origin, { headers: { cookie, origin: platform.origin } });
    })();
    const client = await connected();
    const { sessionId } = (await browser.read('/session')).body;
    const ended = await browser.ask(`/session/${sessionId}`, { method: 'DELETE' });
    expect(ended.status).toBe(204);
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
    expect(bystander.socket.connected).toBe(true);
  });

  it('ends with a session that was idle for too long', async () => {
    const client = await connected();
    aheadMs = SESSION_IDLE_MAX_MS + 60_000;
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
  });
});

describe('a connection by the cookie, when the session is checked again,', () => {
  const served = async () => {
    const session = { token: sessionOf('acme', 'mia'), checks: 0 };
    const { address } = await liveService({
      bounds: { sessionCheckMs: 10 },
      tokenOfCookie() {
        session.checks += 1;
        return session.token;
      },
    });
    const headers = { cookie: 'atrium=mia', origin: 'http://portal.test' };
    return { session, client: await liveClient(address, { headers }) };
  };

  it('goes on with the same caller', async () => {
    const { session, client } = await served();
    await expect.poll(() => session.checks).toBeGreaterThan(3);
    expect(client.socket.connected).toBe(true);
  });

  it.each([
    ['organisation', sessionOf('globex', 'mia')],
    ['person', sessionOf('acme', 'noah')],
  ])('ends with another %s', async (_, token) => {
    const { session, client } = await served();
    session.token = token;
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
  });
});
