/**
 * The session of a browser: several tabs, expiry during work, sign-out.
 * `UPDATE_SCREENSHOTS=1` renews the picture in docs/portal.md.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium, newWindow } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, signInAs, type OpenPortal } from '../support/browser/portal.ts';
import { until } from '../support/until.ts';

/** The message by which another tab announces a sign-in or sign-out. */
const NOTICED = `new BroadcastChannel('atrium.session').postMessage('changed')`;

/** Everything that a script of the page can read. */
const READABLE = `(async () => [
  document.cookie,
  JSON.stringify({ ...localStorage }),
  JSON.stringify({ ...sessionStorage }),
  document.documentElement.outerHTML,
  location.href,
  JSON.stringify((await indexedDB.databases()).map(({ name }) => name)),
  performance.getEntriesByType('resource').map(({ name }) => name).join(' '),
])()`;

describe.skipIf(!hasChromium)('the session of a browser', () => {
  const { server, browser, open, call } = portalServer();

  const signInAtIssuer = async (page: Page, email: string) => {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const signIn = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInAtIssuer(page, email);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  /** Ends every session of the person, as the list of sessions does from another browser. */
  const endSessionsOf = async (email: string) => {
    const context = await newWindow(browser());
    await signInAs(context, server(), email);
    const { request } = context;
    const list = await request.get(`${server().url}/session/list`);
    const { items } = (await list.json()) as {
      readonly items: readonly { readonly sessionId: string; readonly isCurrent: boolean }[];
    };
    for (const { sessionId, isCurrent } of items) {
      if (isCurrent) continue;
      const headers = { origin: server().url };
      const ended = await request.delete(`${server().url}/session/${sessionId}`, { headers });
      expect(ended.status()).toBe(204);
    }
    await context.close();
  };

  const ticketOf = async (email: string) => {
    const path = '/api/service-desk/requests?state=new';
    const { items } = await call(email, 'GET', path);
    return `#/tickets/${items[0].id}`;
  };

  const banner = ({ page }: Pick<OpenPortal, 'page'>) =>
    page.getByRole('alert', { name: 'Your session has ended' });

  it('expires during work: typed text stays, and commands are sent later', async () => {
    const portal = await open(null);
    const { page, press } = portal;
    await signIn(page, 'agent@acme.test');
    await portal.at(await ticketOf('agent@acme.test'), /./);
    await page.getByLabel('Note').fill('Half an hour of typing');
    await endSessionsOf('agent@acme.test');
    await press('Add note');
    await banner(portal).waitFor();
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Half an hour of typing');
    const again = page.getByRole('button', { name: 'Sign in again' });
    await expect
      .poll(() => again.evaluate((it) => it === it.ownerDocument.activeElement))
      .toBe(true);
    expect(await seriousIn(page)).toEqual([]);
    await takePicture(page, 'session-ended', 860);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
    // The issuer still knows who it is, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await page.getByText('Acme Agent wrote').waitFor();
    await page.locator('.timeline').getByText('Half an hour of typing').waitFor();
    await banner(portal).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('');
    await page.context().close();
  });

  it('expires once for each poll, which waits for the sign-in and is not repeated', async () => {
    const portal = await open('manager@acme.test');
    const { page } = portal;
    const context = page.context();
    await context.clock.install();
    await portal.at('#/audit', 'Audit');
    await page.getByLabel('Follow live').check();
    const other = await context.newPage();
    await other.goto(`${server().url}/${await ticketOf('manager@acme.test')}`);
    await other.getByLabel('Note').waitFor();
    const refused: string[] = [];
    context.on('response', (response) => {
      const path = /(audit|presence)$/.exec(new URL(response.url()).pathname)?.[0];
      if (path !== undefined && response.status() === 401) refused.push(path);
    });
    await endSessionsOf('manager@acme.test');
    for (let times = 0; times < 4; times += 1) {
      await context.clock.runFor(16_000);
      for (const tab of [page, other]) await banner({ page: tab }).waitFor();
    }
    await signInAs(context, server(), 'manager@acme.test');
    await page.evaluate(NOTICED);
    for (const tab of [page, other]) await banner({ page: tab }).waitFor({ state: 'detached' });
    expect(refused.toSorted()).toEqual(['audit', 'presence']);
    await context.close();
  });

  it('is shared by all tabs, also by one that was opened with Ctrl', async () => {
    const portal = await open('agent@acme.test');
    const { page } = portal;
    await portal.at('#/tickets', 'Tickets');
    const link = page.locator('a.subject').first();
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      link.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.getByRole('button', { name: 'Sign out' }).waitFor();
    await tab.getByLabel('Note').waitFor();
    expect(portal.complaints).toEqual([]);
    await page.context().close();
  });

  it('leads back to the page that was asked for, after a sign-in', async () => {
    const { page } = await open(null);
    await page.goto(`${server().url}/#/tickets?state=new`);
    await signIn(page, 'agent@acme.test');
    expect(page.url()).toBe(`${server().url}/#/tickets?state=new`);
    await page.context().close();
  });

  it('is renewed for all tabs by the sign-in in one of them', async () => {
    const portal = await open('viewer@acme.test');
    const { page, press } = portal;
    const other = await page.context().newPage();
    await other.goto(`${server().url}/#/buildings`);
    await other.getByRole('heading', { name: 'Buildings', level: 1 }).waitFor();
    await endSessionsOf('viewer@acme.test');
    await portal.at('#/buildings', 'Buildings');
    for (const tab of [page, other]) {
      await tab.goto(`${server().url}/#/live`);
      await banner({ page: tab }).waitFor();
    }
    const [opened] = await Promise.all([page.waitForEvent('popup'), press('Sign in again')]);
    // The issuer still knows the person, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    for (const tab of [page, other]) {
      await banner({ page: tab }).waitFor({ state: 'detached' });
      await tab.getByText('listening').waitFor();
    }
    await page.context().close();
  });

  it('expires over an open dialog, which keeps its text and offers a new sign-in', async () => {
    const portal = await open('agent@globex.test');
    const { page, press } = portal;
    await portal.at('#/tickets', 'Tickets');
    await press('New ticket');
    await page.getByLabel('Subject').fill('Typed before the end');
    await endSessionsOf('agent@globex.test');
    // Another tab has noticed it.
    await page.evaluate(NOTICED);
    await banner(portal).waitFor();
    // The banner is no dialog: Esc is not for it.
    expect(
      await page
        .locator('dialog')
        .filter({ has: banner(portal) })
        .count(),
    ).toBe(1);
    const [opened] = await Promise.all([page.waitForEvent('popup'), press('Sign in again')]);
    // The issuer still knows the person, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await banner(portal).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('Typed before the end');
    await page.context().close();
  });

  it('never leaves a page that loads for ever, however often Esc is pressed', async () => {
    const portal = await open('auditor@acme.test');
    const { page } = portal;
    await portal.at('#/buildings', 'Buildings');
    await endSessionsOf('auditor@acme.test');
    await page.getByRole('link', { name: 'API keys' }).click();
    await banner(portal).waitFor();
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape');
    await banner(portal).waitFor();
    const again = page.getByRole('button', { name: 'Sign in again' });
    const [opened] = await Promise.all([page.waitForEvent('popup'), again.click()]);
    // The issuer still knows the person, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.locator('.loading').first().waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('of another user reloads the page', async () => {
    const portal = await open('developer@acme.test');
    const { page } = portal;
    await portal.at('#/buildings', 'Buildings');
    const other = await page.context().newPage();
    await signInAs(page.context(), server(), 'developer2@acme.test');
    await other.goto(`${server().url}/`);
    await page.evaluate(NOTICED);
    await page.getByText('Acme Developer2').waitFor();
    await page.context().close();
  });

  it('is listed, and every other one can be ended', async () => {
    const portal = await open('manager@globex.test');
    const other = await open('manager@globex.test');
    const { page, press } = portal;
    await page.getByRole('link', { name: 'My sessions' }).click();
    await page.getByRole('heading', { name: 'My sessions', level: 1 }).waitFor();
    const rows = page.getByRole('table').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByText('this one').waitFor();
    expect(await seriousIn(page)).toEqual([]);
    await press('End all others');
    await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(portal.complaints).toEqual([]);
    await other.page.goto(`${server().url}/#/keys`);
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Sign in' }).waitFor();
    for (const one of [portal, other]) await one.page.context().close();
  });

  it('ends with the sign-out, here, at the issuer and in the other tabs', async () => {
    const portal = await open(null);
    const { page, press } = portal;
    await signIn(page, 'viewer@globex.test');
    const other = await page.context().newPage();
    await other.goto(`${server().url}/#/buildings`);
    await other.getByRole('heading', { name: 'Buildings', level: 1 }).waitFor();
    await press('Sign out');
    await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
    await press('Sign out');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await banner({ page: other }).waitFor();
    // The issuer has forgotten the person: it asks.
    await press('Sign in');
    await page.getByLabel('E-mail address').waitFor();
    expect(portal.complaints).toEqual([]);
    await page.context().close();
  });

  it('shows no token to the page: in no answer, no storage and no script', async () => {
    const { page, at } = await open(null);
    const bodies: Promise<string>[] = [];
    const headers: string[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.startsWith('/dev/oidc/')) return;
      if (response.status() < 300) bodies.push(response.text().catch(() => ''));
    });
    page.on('request', (request) => headers.push(JSON.stringify(request.headers())));
    await signIn(page, 'manager@acme.test');
    for (const [path, heading] of Object.entries({
      tickets: 'Tickets',
      keys: 'API keys',
      live: 'Live',
      sandboxes: 'Sandboxes',
      audit: 'Audit',
      sessions: 'My sessions',
    }))
      await at(`#/${path}`, heading);
    const readable = await page.evaluate<readonly string[]>(READABLE);
    const token = /eyJ[\w-]{10,}\.[\w-]+\.[\w-]+/;
    const given = [...(await Promise.all(bodies)), ...readable];
    expect(given.length).toBeGreaterThan(15);
    for (const text of given) expect(text).not.toMatch(token);
    expect(headers.filter((sent) => /authorization/i.test(sent))).toEqual([]);
    expect(readable[0]).toBe('');
    const kept = await page.context().cookies();
    const cookie = kept.find(({ name }) => name === 'atrium');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    for (const text of given) expect(text).not.toContain(cookie!.value);
    await page.context().close();
  });

  it('of a sandbox is its own, silent where the issuer knows the person', async () => {
    const context = await newWindow(browser());
    await signInAs(context, server(), 'developer@globex.test');
    const { sandboxId } = await call('developer@globex.test', 'POST', '/api/v1/sandboxes', {
      name: 'Own session',
      storeys: 1,
      areaSqm: 100,
      seedTelemetryDays: 0,
    });
    const path = `/api/v1/sandboxes/${sandboxId}`;
    let apiUrl = '';
    await until(async () => {
      const sandbox = await call('developer@globex.test', 'GET', path);
      ({ apiUrl } = sandbox);
      return sandbox.status === 'ready';
    }, 'the sandbox');
    const page = await context.newPage();
    const me = `${apiUrl}/api/v1/me`;
    expect((await page.goto(me))?.status()).toBe(401);
    const answer = await page.goto(`${apiUrl}/session/login?return=/api/v1/me`);
    expect([page.url(), answer?.status()]).toEqual([me, 200]);
    // The owner acts as a manager there.
    expect(await answer?.json()).toMatchObject({ roles: ['manager'], credential: 'session' });
    const origins = (await context.cookies([server().url, apiUrl]))
      .filter(({ name }) => name === 'atrium')
      .map(({ domain }) => domain);
    expect(origins.toSorted()).toEqual(['localhost', new URL(apiUrl).hostname].toSorted());
    await call('developer@globex.test', 'DELETE', path);
    await context.close();
  });
});
