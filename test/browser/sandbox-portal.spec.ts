/**
 * The portal at a sandbox's own address. contract.md section 4.
 * `UPDATE_SCREENSHOTS=1` renews the picture in docs/portal.md.
 */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, newWindow } from '../support/browser/chromium.ts';
import { loseAnswer } from '../support/browser/lost-answers.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';
import { until } from '../support/until.ts';

const DEVELOPER = 'developer@acme.test';
const NAME = 'Checkout team, second attempt at the heating';
const SUBJECT = 'Raised in the sandbox alone';
const DAY_MS = 86_400_000;

/** In the page: the notice is at its upper edge, as wide as the window, and nothing covers it. */
const ON_TOP = `(() => {
  const notice = document.querySelector('.sandbox-notice');
  const { top, bottom, width } = notice.getBoundingClientRect();
  const shown = document.elementFromPoint(innerWidth / 2, (top + bottom) / 2);
  return top === 0 && width === document.documentElement.clientWidth && notice.contains(shown);
})()`;

describe.skipIf(!hasChromium)('the portal of a sandbox', () => {
  const { server, browser, call, open } = portalServer();
  let sandboxId: string;
  let apiUrl: string;

  beforeAll(async () => {
    const made = await call(DEVELOPER, 'POST', '/api/v1/sandboxes', {
      name: NAME,
      storeys: 1,
      areaSqm: 200,
      seedTelemetryDays: 0,
    });
    ({ sandboxId, apiUrl } = made);
    await until(async () => {
      const { status } = await call(DEVELOPER, 'GET', `/api/v1/sandboxes/${sandboxId}`);
      return status === 'ready';
    }, 'the sandbox');
  });

  /** A window of its own, signed in by the page at an address. */
  const signedInAt = async (url: string, email: string) => {
    const context = await newWindow(browser(), {
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // Before the sign-in it is a 401, and where nothing is for the person a 404.
      if (message.type() === 'error' && message.location().url !== `${url}/session`)
        complaints.push(message.text());
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Sign in' }).click();
    return { page, complaints };
  };

  const notice = (page: Page) => page.getByRole('region', { name: 'This is a sandbox' });
  const isOnTop = async (page: Page) => {
    await notice(page).waitFor();
    return page.evaluate<boolean>(ON_TOP);
  };
  /** In the name of the page. Node does not find the names of sandboxes. */
  const asked = (page: Page, path: string) =>
    page.evaluate<{ readonly items: readonly { readonly id: string }[] }>(
      `fetch('${path}').then((answer) => answer.json())`,
    );

  it('names the sandbox on every page, and has separate tickets', async () => {
    const { page, complaints } = await signedInAt(apiUrl, DEVELOPER);
    await notice(page).waitFor();
    expect(page.url()).toMatch(`${apiUrl}/`);
    const words = await notice(page).innerText();
    expect(words).toContain(NAME);
    expect(words).toMatch(/deleted in \d+ days, created by Acme Developer/);

    await page.goto(`${apiUrl}/#/tickets`);
    const buildings = Promise.withResolvers<void>();
    await page.route('**/api/v1/buildings?*', async (route) => {
      await buildings.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'New ticket' }).click();
    await page.getByLabel('Subject').fill(SUBJECT);
    await page.getByLabel('Description').fill('The main platform must not have it.');
    // The building is not known yet.
    const raise = page.getByRole('button', { name: 'Raise', exact: true });
    expect(await raise.isDisabled()).toBe(true);
    buildings.resolve();
    await raise.click();
    await page.getByRole('heading', { name: SUBJECT }).waitFor();
    const path = `/api/service-desk/requests?search=${encodeURIComponent(SUBJECT)}`;
    expect((await asked(page, path)).items).toHaveLength(1);
    expect((await call('manager@acme.test', 'GET', path)).items).toEqual([]);

    await page.goto(`${apiUrl}/#/tickets`);
    await page.getByText(SUBJECT).first().waitFor();
    expect(await isOnTop(page)).toBe(true);
    expect(await seriousIn(page)).toEqual([]);
    await takePicture(page, 'sandbox-portal', 560);

    await page.goto(`${apiUrl}/#/buildings`);
    await page.getByRole('heading', { name: 'Buildings', level: 1 }).waitFor();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    expect(await isOnTop(page)).toBe(true);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await isOnTop(page)).toBe(true);
    expect(await widerThanWindow(page)).toEqual([]);
    expect(await seriousIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Webhooks' }).waitFor();
    expect(await isOnTop(page)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 860 });

    expect(complaints).toEqual([]);
    await notice(page).getByRole('link', { name: 'Main portal' }).click();
    await page.waitForURL(`${server().url}/#/sandboxes/${sandboxId}`);
    expect(await notice(page).count()).toBe(0);
    await page.context().close();
  });

  it('has its clock moved once by a button pressed again after a lost answer', async () => {
    const { page, press, at } = await open(DEVELOPER);
    const passage = `/session/sandboxes/${new URL(apiUrl).hostname.split('.')[0]}`;
    const clock = () =>
      page.evaluate<number>(
        `fetch('${passage}/api/v1/clock').then((answer) => answer.json())
          .then(({ now }) => Date.parse(now))`,
      );
    await at(`#/sandboxes/${sandboxId}`, NAME);
    const before = await clock();
    const connect = await loseAnswer(page, /\/api\/v1\/clock$/, { isAway: true });
    await press('+ 1 day');
    await page.getByText('The server cannot be reached.').waitFor();
    const shown = page.getByText('in this sandbox.').locator('time');
    const shownAt = async () => Date.parse((await shown.getAttribute('datetime'))!);
    await expect.poll(shownAt).toBeGreaterThan(before + DAY_MS - 1);
    await connect();
    await press('+ 1 day');
    await page.getByText('The sandbox’s clock was moved forward by 1 day.').waitFor();
    expect(await clock()).toBeLessThan(before + 2 * DAY_MS);
    await page.context().close();
  });

  it('counts times with its clock, also where it is moved meanwhile', async () => {
    const { page, complaints } = await signedInAt(apiUrl, DEVELOPER);
    await notice(page).waitFor();
    const advance = (by: string) =>
      page.evaluate(
        `fetch('/api/v1/clock', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
          body: '{"advance":"${by}"}',
        }).then(({ ok }) => ok)`,
      );
    expect(await advance('PT24H')).toBe(true);
    const search = encodeURIComponent(SUBJECT);
    await page.goto(`${apiUrl}/#/tickets?search=${search}&columns=subject,createdAt`);
    await page.reload();
    const raised = page.locator('tr[data-ticket] time');
    await raised.getByText(/^(yesterday|2 days ago)$/).waitFor();
    expect(await notice(page).innerText()).toMatch(/deleted in \d+ days/);
    expect(await advance('PT240H')).toBe(true);
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await raised.getByText(/^1[12] days ago$/).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('links to the platform for pages that sandboxes do not have', async () => {
    const { page, complaints } = await signedInAt(apiUrl, 'manager@acme.test');
    const pages = page.getByRole('navigation', { name: 'Pages of the portal' });
    await pages.waitFor();
    const names = await pages.getByRole('listitem').allInnerTexts();
    expect(names).toEqual(
      expect.arrayContaining(['Tickets', 'Service desk', 'Buildings', 'Live', 'Webhooks']),
    );
    for (const absent of ['API keys', 'Sandboxes', 'Audit', 'Operations'])
      expect(names).not.toContain(absent);
    for (const [path, name] of [
      ['keys', 'API keys'],
      ['sandboxes', 'Sandboxes'],
      ['audit', 'Audit'],
    ]) {
      await page.goto(`${apiUrl}/#/${path}`);
      await page.getByText(`A sandbox has no ${name}`).waitFor();
      const there = page.getByRole('link', { name: `${name} of the main portal` });
      await expect.poll(() => there.getAttribute('href')).toBe(`${server().url}/#/${path}`);
    }
    for (const path of [
      'tickets',
      'reports',
      'desk',
      'buildings',
      'live',
      'webhooks',
      'sessions',
    ]) {
      await page.goto(`${apiUrl}/#/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is the same for users without access as for an unknown sandbox', async () => {
    const vacant = apiUrl.replace(/\/\/[^.]+/, '//vacant-abc123');
    for (const [url, email] of [
      [apiUrl, 'agent@globex.test'],
      [vacant, DEVELOPER],
    ] as const) {
      const { page } = await signedInAt(url, email);
      await page.getByText('This sandbox has expired, was deleted').waitFor();
      expect(await notice(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
      await page.context().close();
    }
  });

  it("leads a scanned label to the sandbox's own form", async () => {
    const { page } = await signedInAt(apiUrl, DEVELOPER);
    await notice(page).waitFor();
    const { items } = await asked(page, '/api/v1/buildings');
    const place = `?building=${items[0]!.id}`;
    await page.goto(`${apiUrl}/report${place}`);
    await page.waitForURL(`${apiUrl}/#/report${place}`);
    await notice(page).waitFor();
    await page.context().clearCookies();
    await page.goto(`${apiUrl}/report${place}&space=${items[0]!.id}`);
    await page.getByText('Sign in to report something here.').waitFor();
    await page.context().close();
  });
});
