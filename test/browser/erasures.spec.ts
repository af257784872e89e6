/**
 * A manager erases persons in the portal, by keyboard, and pages no longer show their data.
 * `UPDATE_SCREENSHOTS=1` renews the pictures in docs/portal.md.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';

const MANAGER = 'manager@acme.test';
const EMAIL = 'wilhelmina.vandermeer@example.com';
const NAME = 'Wilhelmina van der Meer';
const NARROW = { width: 390, height: 860 };

describe.skipIf(!hasChromium)('erasures in the portal', () => {
  const { server, open, raise, call, colleague } = portalServer();

  const isFine = async (page: Page) => {
    const size = page.viewportSize()!;
    for (const one of [size, NARROW]) {
      await page.setViewportSize(one);
      expect(await widerThanWindow(page), `at ${one.width}`).toEqual([]);
      expect(await seriousIn(page), `at ${one.width}`).toEqual([]);
    }
    await page.setViewportSize(size);
  };
  /** The control of this label has the focus. */
  const isAt = (page: Page, label: string) =>
    page.getByRole('textbox', { name: label }).and(page.locator(':focus')).waitFor();
  const next = async (page: Page, label: string, text: string) => {
    await page.keyboard.press('Tab');
    await isAt(page, label);
    await page.keyboard.insertText(text);
  };

  it('erase persons, whose tickets then show it in plain words', async () => {
    const erased = await raise({ subject: undefined, description: 'The lamp at my desk flickers' });
    const { buildingId, createdBy } = erased;
    const kept = await call(MANAGER, 'POST', '/api/service-desk/requests', {
      buildingId,
      reporterName: NAME,
      reporterEmail: EMAIL,
      subject: 'Cold room',
      description: 'It has 15 degrees.',
    });
    const { id: userId } = createdBy as { readonly id: string };
    await colleague('POST', erased.id, { body: 'On its way.', visibility: 'public' }, '/updates');
    const portal = await open(MANAGER);
    const { page, at } = portal;
    let asked = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/v1/erasures')) asked += 1;
    });

    const link = page.getByRole('link', { name: 'Erase a person' });
    const heading = page.getByRole('heading', { name: 'Erase a person', level: 1 });
    const submit = page.getByRole('button', { name: 'Erase this person' });
    const reason = page.getByRole('textbox', { name: 'Reason' });
    const again = page.getByRole('textbox', { name: /^Type the/ });

    // An account, found by its name.
    await at('#/erasures', 'Erasures');
    await page.getByText('No erasures').waitFor();
    await link.press('Enter');
    await heading.waitFor();
    await page.getByRole('radio', { name: /^By account/ }).press('Space');
    await page.getByRole('button', { name: 'Find by name' }).press('Enter');
    await page.getByRole('combobox', { name: 'Find by name' }).fill('agent');
    await page.getByRole('option', { name: /^Acme Agent/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Found: Acme Agent').waitFor();
    const account = page.getByRole('textbox', { name: 'User id', exact: true });
    await expect.poll(() => account.inputValue()).toBe(userId);
    await page.getByRole('radio', { name: /^Erase it too/ }).press('Space');
    await reason.fill('Left the house.');
    await page.evaluate('scrollTo(0, 0)');
    await takePicture(page, 'erasure', 860);
    await again.fill(userId);
    await again.press('Enter');
    await page.getByText(/^The person is (being )?erased/).waitFor();

    // An address, with possible errors.
    await page.getByRole('link', { name: '← Erasures' }).press('Enter');
    await page.getByText('Left the house.').waitFor();
    await link.press('Enter');
    await page.getByRole('radio', { name: /^By e-mail/ }).focus();
    await next(page, 'E-mail address', EMAIL);
    await page.keyboard.press('Tab');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(file.suggestedFilename()).toMatch(/^person-.*\.ndjson$/);
    const archive = readFileSync(await file.path(), 'utf8');
    expect(archive).toContain('Cold room');
    expect(archive.trimEnd().split('\n').at(-1)).toContain('"section":"end"');
    await page.keyboard.press('Tab');
    await next(page, 'Reason', `As ${NAME} (${EMAIL}) asked`);
    await next(page, 'Type the address again', 'somebody.else@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('It is not the address above').waitFor();
    await isAt(page, 'Type the address again');
    expect(asked).toBe(1);
    await again.fill(EMAIL.toUpperCase());
    await page.keyboard.press('Enter');
    await page
      .getByText('Must not name the person, because it is stored', { exact: true })
      .waitFor();
    await isAt(page, 'Reason');
    await page.emulateMedia({ colorScheme: 'dark' });
    await isFine(page);
    await page.emulateMedia({ colorScheme: 'light' });
    const email = page.getByRole('textbox', { name: 'E-mail address' });
    expect([await email.inputValue(), await again.inputValue()]).toEqual([
      EMAIL,
      EMAIL.toUpperCase(),
    ]);
    await reason.fill('Asked for in a letter of 1 May.');
    await submit.press('Enter');
    await page.getByText('The person is erased. Found: 1 ticket.').waitFor();

    await page.getByRole('link', { name: '← Erasures' }).press('Enter');
    await expect.poll(() => page.getByText('finished', { exact: true }).count()).toBe(2);
    expect(await page.locator('main').innerText()).not.toMatch(/wilhelmina|agent/i);

    await at(`#/tickets/${kept.id}`, 'Cold room');
    await page.getByText('Erased person').first().waitFor();
    await at(`#/tickets/${erased.id}`, 'Text erased');
    await page.getByText('Erased person raised it by').waitFor();
    await page.getByText('Personal data of a person was erased').waitFor();
    await isFine(page);
    await at('#/tickets', 'Tickets');
    await page.getByRole('link', { name: 'Text erased' }).waitFor();
    // Only refusals of the server.
    expect(portal.complaints.filter((words) => !/status of 400/.test(words))).toEqual([]);
    expect([...portal.origins]).toEqual([server().url]);
    await page.context().close();
  });
});
