/** The session of a browser as people have it: several tabs, an end in the middle, the sign-out. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { openPortal, seriousIn, signInAs, type OpenPortal } from '../support/browser/portal.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

describe.skipIf(!hasChromium)('the session of a browser', () => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    server = await running.start({
      DATABASE_URL: url,
      ATRIUM_DATA: temporaryDirectory('sessions'),
    });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  const signIn = async (page: Page, email: string) => {
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  /** Ends every session of the person, as the list of sessions does from another browser. */
  const endSessionsOf = async (email: string) => {
    const context = await browser.newContext();
    await signInAs(context, server, email);
    const { request } = context;
    const list = await request.get(`${server.url}/session/list`);
    const { items } = (await list.json()) as {
      readonly items: readonly { readonly sessionId: string; readonly isCurrent: boolean }[];
    };
    for (const { sessionId, isCurrent } of items) {
      if (isCurrent) continue;
      const headers = { origin: server.url };
      const ended = await request.delete(`${server.url}/session/${sessionId}`, { headers });
      expect(ended.status()).toBe(204);
    }
    await context.close();
  };

  const ticketOf = async (email: string) => {
    const path = '/api/service-desk/requests?state=new';
    const { body } = await server.call(email, 'GET', path);
    return `#/tickets/${body.items[0].id}`;
  };

  const banner = ({ page }: Pick<OpenPortal, 'page'>) =>
    page.getByRole('alert', { name: 'Your session has ended' });

  it('ends in the middle of work: typed text stays, and what was sent is done later', async () => {
    const portal = await openPortal(browser, server, null);
    const { page, press } = portal;
    await signIn(page, 'agent@acme.test');
    await portal.at(await ticketOf('agent@acme.test'), /./);
    await page.getByLabel('Note').fill('Half an hour of typing');
    await endSessionsOf('agent@acme.test');
    await press('Add note');
    await banner(portal).waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('Half an hour of typing');
    const again = page.getByRole('button', { name: 'Sign in again' });
    await expect
      .poll(() => again.evaluate((it) => it === it.ownerDocument.activeElement))
      .toBe(true);
    expect(await seriousIn(page)).toEqual([]);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')]);
    // The issuer still knows who it is, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await page.getByText('Acme Agent wrote').waitFor();
    await page.locator('.timeline').getByText('Half an hour of typing').waitFor();
    await banner(portal).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Note').inputValue()).toBe('');
    await page.context().close();
  });
});
