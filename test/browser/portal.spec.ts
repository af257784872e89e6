/**
 * The portal, as people of every role meet it. `UPDATE_SCREENSHOTS=1` takes the pictures of
 * docs/portal.md again.
 */
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium } from '../support/browser/chromium.ts';
import { openPortal, seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

describe.skipIf(!hasChromium)('the portal', () => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    server = await running.start({ DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('portal') });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });

  /** In a tab of its own, which must not complain and ask nobody else. */
  const as = async (email: string | null, use: (portal: OpenPortal) => Promise<void>) => {
    const portal = await openPortal(browser, server, email);
    await use(portal);
    expect(portal.complaints).toEqual([]);
    expect([...portal.origins]).toEqual([server.url]);
    await portal.page.context().close();
  };
  const picture = async ({ page }: OpenPortal, name: string) => {
    if (!process.env['UPDATE_SCREENSHOTS']) return;
    const path = fileURLToPath(new URL(`../../docs/pictures/${name}.png`, import.meta.url));
    await page.screenshot({ path });
  };

  const signIn = async ({ page, press }: OpenPortal, email: string) => {
    await press('Sign in');
    await page.getByLabel('E-mail address').fill(email);
    await press('Sign in');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  };

  it('signs in at the issuer, mints a key, shows its token once and revokes it', () =>
    as(null, async (portal) => {
      const { page, press } = portal;
      await signIn(portal, 'manager@acme.test');
      await portal.at('#/keys', 'API keys');
      await page.getByText('No keys yet').waitFor();
      await press('Mint a key');
      await page.getByLabel('Label').fill('<b>CAFM</b>');
      await press('Mint');
      const token = await page.getByText(/^atr_/).textContent();
      const answer = await fetch(`${server.url}/api/v1/sandboxes`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      await press('I have kept it');
      expect(await page.getByText(/^atr_/).count()).toBe(0);
      expect(await seriousIn(page)).toEqual([]);

      await page.getByRole('link', { name: '<b>CAFM</b>' }).click();
      await page.getByText('Minted by Acme Manager with scope sandbox').waitFor();
      await page.getByText('GET /api/v1/sandboxes').waitFor();
      await press('Revoke');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('revoked', { exact: true }).waitFor();
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/audit?action=key.revoked', 'Audit');
      const rows = page.getByRole('row').filter({ hasText: 'key.revoked' });
      await rows.first().waitFor();
      expect(await rows.count()).toBe(1);
      const [file] = await Promise.all([page.waitForEvent('download'), press('CSV')]);
      expect(file.suggestedFilename()).toMatch(/^audit-.*\.csv$/);
      expect(await seriousIn(page)).toEqual([]);
    }));

  const pages = {
    'manager@acme.test': ['Tickets', 'API keys', 'Audit'],
    'developer@acme.test': ['API keys'],
    'agent@acme.test': ['Tickets'],
    'auditor@acme.test': ['Tickets', 'API keys', 'Audit'],
    'viewer@acme.test': ['Tickets'],
    'operator@atrium.test': ['Audit'],
  };

  it.each(Object.entries(pages))('shows %s the pages of the role', (email, names) =>
    as(email, async ({ page }) => {
      const side = page.getByRole('navigation', { name: 'Pages of the portal' });
      await side.waitFor();
      expect(await side.locator('li').allTextContents()).toEqual(names);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const may = ['manager', 'agent'].some((role) => email.startsWith(role));
      expect(await page.getByRole('button', { name: 'New ticket' }).count()).toBe(may ? 1 : 0);
    }),
  );

  const markup = '<img src=x onerror="document.title=1"><script>document.title=1</script>';

  it('takes a ticket from its form to the board, and shows what was written as text', () =>
    as('agent@acme.test', async (portal) => {
      const { page, press } = portal;
      await portal.at('#/tickets', 'Tickets');
      await page.locator('a.subject').first().waitFor();
      await picture(portal, 'tickets');
      await press('New ticket');
      await page.getByLabel('Subject').fill(`Too loud ${markup}`);
      await page.getByLabel('Description').fill(markup);
      await page.getByLabel('Category').last().fill(markup);
      await press('Raise');
      await page.getByRole('heading', { name: 'Too loud <img' }).waitFor();
      await page.getByLabel('Note').fill(`Seen: ${markup}`);
      await press('Add note');
      await page.getByText('Acme Agent wrote').waitFor();
      await page.getByText(`Seen: ${markup}`).waitFor();
      await press('Triage');
      await page.getByRole('dialog').getByRole('button', { name: 'Triage' }).click();
      await page.getByText('New → Triaged').waitFor();
      expect(await page.title()).toBe('Tickets · Atrium');
      expect(await page.locator('main img, main script').count()).toBe(0);
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/tickets/board?search=too%20loud', 'Tickets');
      const triaged = page.locator('section', { hasText: 'Triaged' });
      await triaged.getByRole('link', { name: 'Too loud' }).waitFor();
      expect(await page.locator('.board-card').count()).toBe(1);
      expect(await seriousIn(page)).toEqual([]);

      await portal.at('#/tickets?search=nothing%20like%20it', 'Tickets');
      await page.getByText('None fits these filters.').waitFor();
    }));

  it('asks to sign in again in the middle of work, and loses nothing that was typed', async () => {
    const portal = await openPortal(browser, server, null);
    const { page, press } = portal;
    await signIn(portal, 'agent@acme.test');
    const list = await server.call(
      'agent@acme.test',
      'GET',
      '/api/service-desk/requests?state=new',
    );
    await portal.at(`#/tickets/${list.body.items[0].id}`, /./);
    await page.getByLabel('Note').fill('Half an hour of typing');
    // The server takes this token no longer.
    await page.route('**/updates', (route) => route.fulfill({ status: 401 }), { times: 1 });
    await press('Add note');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('Half an hour of typing');
    expect(await seriousIn(page)).toEqual([]);
    const [opened] = await Promise.all([page.waitForEvent('popup'), press('Sign in again')]);
    // The issuer still knows who it is, and does not ask.
    if (!opened.isClosed()) await opened.waitForEvent('close');
    await page.getByText('Acme Agent wrote').waitFor();
    await page.locator('.timeline').getByText('Half an hour of typing').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('');
    await page.context().close();
  });

  it('is one column on a phone, whose menu opens, and dark where the machine is', async () => {
    const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
    const portal = await openPortal(browser, server, 'manager@acme.test', phone);
    const { page, press } = portal;
    await portal.at('#/tickets', 'Tickets');
    await page.locator('a.subject').first().waitFor();
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(390);
    expect(await seriousIn(page)).toEqual([]);
    await press('Menu');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    expect(portal.complaints).toEqual([]);
    await page.context().close();
  });

  it('keeps to a narrow policy', async () => {
    for (const path of ['/', '/callback']) {
      const { headers } = await fetch(server.url + path);
      const policy = headers.get('content-security-policy') ?? '';
      for (const rule of [`default-src 'none'`, `script-src 'self'`, `frame-ancestors 'none'`])
        expect(policy).toContain(rule);
      expect(policy).not.toContain('unsafe');
    }
  });
});
