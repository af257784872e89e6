/** Reports without sign-in, on a phone. contract.md section 5. */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyConfiguration } from '../../src/domain/service-desk/configuration.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';
import { portalServer } from '../support/browser/portal-server.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const manager = 'manager@acme.test';
const agent = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const PICTURES = process.env['PICTURES'] ?? '/tmp/anon-pictures';

describe.skipIf(!hasChromium)('a report without sign-in', () => {
  // Each phone has an address of its own, which the test says as a trusted proxy does.
  const { call, open, restart, server } = portalServer({ TRUSTED_PROXIES: '127.0.0.1,::1' });
  let buildingId: string;
  let rooms: readonly { readonly id: string; readonly code: string; readonly name: string }[];
  let used = 0;
  let phones = 0;

  const switchTo = (requesterAccess: string) =>
    call(manager, 'PUT', '/api/service-desk/configuration', {
      ...emptyConfiguration,
      requesterAccess,
    });
  const room = () => rooms[used++]!;
  const labelOf = (of: { readonly id: string; readonly code: string }) =>
    `${server().url}/report?building=${buildingId}&space=${of.id}&code=${of.code}`;
  const ticketsWith = async (search: string) =>
    (await call(agent, 'GET', `${REQUESTS}?search=${encodeURIComponent(search)}`)).items;
  const onPhone = async (
    use: (page: Page, context: BrowserContext, complaints: readonly string[]) => Promise<void>,
    options: object = {},
  ) => {
    phones += 1;
    const extraHTTPHeaders = { 'x-forwarded-for': `198.51.100.${phones}` };
    const { page, complaints } = await open(null, { ...PHONE, extraHTTPHeaders, ...options });
    await use(page, page.context(), complaints);
    await page.context().close();
  };
  const write = async (page: Page, what: string) => {
    await page.getByLabel('What is wrong?').fill(what);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const numberOn = async (page: Page) => {
    const heading = page.getByRole('heading', { name: /^Thank you: SR-/ });
    await heading.waitFor();
    return /SR-\d+/.exec((await heading.textContent()) ?? '')![0];
  };
  const focused = (page: Page) => page.locator(':focus').getAttribute('id');
  const statusUrlOn = (page: Page) =>
    page.getByRole('link', { name: 'See its status' }).getAttribute('href');

  beforeAll(async () => {
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    buildingId = items[0].id;
    rooms = (await call(manager, 'GET', `/api/v1/buildings/${buildingId}/spaces`)).items;
  });
  beforeEach(() => switchTo('anyone'));

  it.each(['light', 'dark'] as const)(
    'is three fields from a scanned label to its number, in %s',
    async (colorScheme) => {
      await onPhone(
        async (page, _, complaints) => {
          const at = room();
          await page.goto(labelOf(at));
          await page.getByRole('heading', { name: `${at.code} ${at.name}` }).waitFor();
          expect(await seriousIn(page)).toEqual([]);
          expect(await widerThanWindow(page)).toEqual([]);
          await page.screenshot({ path: `${PICTURES}/form-${colorScheme}.png` });
          await page.getByLabel('Details (optional)').fill('Since this morning.');
          await page.getByLabel('Your name (optional)').fill('Kim <b>');
          await write(page, `Radiator drips ${colorScheme}`);
          const number = await numberOn(page);
          await page.screenshot({ path: `${PICTURES}/sent-${colorScheme}.png` });
          expect(await seriousIn(page)).toEqual([]);
          expect(await widerThanWindow(page)).toEqual([]);
          const [ticket] = await ticketsWith(`Radiator drips ${colorScheme}`);
          expect(ticket).toMatchObject({
            number,
            spaceId: at.id,
            description: 'Since this morning.',
            reporterName: 'Kim <b>',
          });
          const note = { body: 'We <b>come</b> at ten.', visibility: 'public' };
          await call(agent, 'POST', `${REQUESTS}/${ticket.id}/updates`, note);
          await page.getByRole('link', { name: 'See its status' }).click();
          await page.getByText('We <b>come</b> at ten.').waitFor();
          await page.getByText('We have it').waitFor();
          await page.screenshot({ path: `${PICTURES}/status-${colorScheme}.png` });
          expect(await seriousIn(page)).toEqual([]);
          expect(await widerThanWindow(page)).toEqual([]);
          expect(complaints).toEqual([]);
        },
        { colorScheme },
      );
    },
  );

  it('is sent once, by a page that was opened again, after the server was killed', () =>
    onPhone(async (page) => {
      const at = room();
      await page.goto(labelOf(at));
      await page.getByLabel('What is wrong?').fill('Killed in between');
      // The server ends when it has the report and before the browser has the answer.
      let kills = 0;
      await page.route('**/api/service-desk/report', async (route) => {
        kills += 1;
        if (kills > 1) return route.abort();
        await route.fetch();
        await server().signal('SIGKILL');
        return route.abort();
      });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('There is no connection.').waitFor();
      await page.getByText('It is saved in this browser').waitFor();
      await page.screenshot({ path: `${PICTURES}/waiting.png` });
      expect(await seriousIn(page)).toEqual([]);
      await page.unroute('**/api/service-desk/report');
      // While the server is away, so that this page does not send it and show the number.
      await page.goto('about:blank');
      await restart();
      await page.goto(labelOf(at));
      const number = await numberOn(page);
      const found = await ticketsWith('Killed in between');
      expect(found.map((ticket: { number: string }) => ticket.number)).toEqual([number]);
      expect(await page.evaluate('localStorage.length')).toBe(0);
    }));

  it('is sent by itself when there is a connection again', () =>
    onPhone(async (page, context) => {
      await page.goto(labelOf(room()));
      await page.getByLabel('What is wrong?').waitFor();
      await context.setOffline(true);
      await write(page, 'Sent by itself');
      await page.getByText('There is no connection.').waitFor();
      await context.setOffline(false);
      await numberOn(page);
      await expect.poll(() => ticketsWith('Sent by itself')).toHaveLength(1);
    }));

  it('shows a refusal at its field, which has the focus', () =>
    onPhone(async (page) => {
      await page.goto(labelOf(room()));
      await page.getByLabel('Your e-mail (optional)').fill('kim@localhost');
      await page.route('**/api/service-desk/report', (route) => {
        const body = { ...route.request().postDataJSON(), reporterEmail: 'no address' };
        return route.continue({ postData: JSON.stringify(body) });
      });
      await write(page, 'Refused e-mail');
      await page.locator('input[type=email][aria-invalid]:focus').waitFor();
      expect(await page.getByLabel('Your e-mail (optional)').inputValue()).toBe('kim@localhost');
    }));

  it('is kept while it is typed, and restored after a reload', () =>
    onPhone(async (page) => {
      await page.goto(labelOf(room()));
      const what = page.getByLabel('What is wrong?');
      await what.fill('Typed for a while');
      await page.getByLabel('Your name (optional)').fill('Kim');
      await page.reload();
      await expect.poll(() => what.inputValue()).toBe('Typed for a while');
      await page.getByText(/^Draft from \d\d:\d\d restored/).waitFor();
      expect(await page.getByLabel('Your name (optional)').inputValue()).toBe('Kim');
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect.poll(() => what.inputValue()).toBe('');
      expect(await page.evaluate('localStorage.length')).toBe(0);
    }));

  it('is written and sent with the keyboard alone', () =>
    onPhone(async (page) => {
      await page.goto(labelOf(room()));
      await page.getByLabel('What is wrong?').focus();
      await page.keyboard.type('By keyboard');
      for (const field of [
        'Details (optional)',
        'Your name (optional)',
        'Your e-mail (optional)',
      ]) {
        await page.keyboard.press('Tab');
        expect(await focused(page)).toBe(await page.getByLabel(field).getAttribute('id'));
      }
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await numberOn(page);
      // The heading has the focus, so that a screen reader says it.
      await expect.poll(() => page.locator('h1:focus').count()).toBe(1);
    }));

  it('is not accepted from a program that fills in every field', () =>
    onPhone(async (page) => {
      await page.goto(labelOf(room()));
      await page.getByLabel('What is wrong?').waitFor();
      await page.evaluate(`document.querySelector('[name=website]').value = 'https://spam.test'`);
      await write(page, 'Filled in by a program');
      await page.getByText('must be empty').waitFor();
      await expect
        .poll(() => page.getByLabel('What is wrong?').inputValue())
        .toBe('Filled in by a program');
      expect(await ticketsWith('Filled in by a program')).toEqual([]);
    }));

  it('asks to sign in where the organisation accepts no anonymous reports', () =>
    onPhone(async (page) => {
      await switchTo('signed-in');
      await page.goto(labelOf(room()));
      const link = page.getByRole('link', { name: 'Sign in' });
      await link.waitFor();
      await page.screenshot({ path: `${PICTURES}/sign-in.png` });
      await expect
        .poll(() => link.getAttribute('href'))
        .toContain(encodeURIComponent('/#/report?building='));
      expect(await seriousIn(page)).toEqual([]);
    }));

  it('redirects a signed-in user to their own page', async () => {
    const { page } = await open(agent, PHONE);
    await page.goto(labelOf(rooms[0]!));
    await page.waitForURL(/#\/report\?building=/);
    await page.context().close();
  });

  it('has a link that ends when the desk revokes it, and while it is switched off', () =>
    onPhone(async (page) => {
      await page.goto(labelOf(room()));
      await write(page, 'Revoked later');
      await numberOn(page);
      const url = (await statusUrlOn(page))!;
      const show = async (heading: string | RegExp) => {
        await page.goto('about:blank');
        await page.goto(url);
        await page.getByRole('heading', { name: heading }).waitFor();
      };
      await show('Revoked later');
      await switchTo('off');
      await show('This link does not work');
      await switchTo('anyone');
      await show('Revoked later');
      const [{ id }] = await ticketsWith('Revoked later');
      await call(manager, 'DELETE', `${REQUESTS}/${id}/status-link`);
      await show('This link does not work');
      await page.screenshot({ path: `${PICTURES}/ended.png` });
    }));

  it("has a status link whose secret is never part of a request's address", () =>
    onPhone(async (page) => {
      const asked: string[] = [];
      page.on('request', (request) => {
        asked.push(request.url(), JSON.stringify(request.headers()['referer'] ?? ''));
      });
      await page.goto(`${server().url}/report/status#${'A'.repeat(54)}`);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(asked.filter((one) => one.includes('AAAA'))).toEqual([]);
    }));
});
