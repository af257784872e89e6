/** Every page on every screen, in both themes, at 200 % zoom, and without a violation of axe. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { PAGES, placeOf, shown, visit, type Things } from '../support/browser/pages.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';
import { oneOfEach } from '../support/browser/things.ts';

/** In the page: short words in cells of tables that are broken across lines. */
const BROKEN_WORDS = `[...document.querySelectorAll('.table td')].flatMap((cell) => {
  const broken = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode()); )
    for (const { 0: word, index } of text.data.matchAll(/[a-z]{2,12}/gi)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1 && !text.parentElement.closest('code'))
        broken.push(word);
    }
  return broken;
})`;

describe.skipIf(!hasChromium)('every page', () => {
  const portal = portalServer({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  let things: Things;

  beforeAll(async () => {
    things = await oneOfEach(portal);
  });

  // 640 and 320 pixels are 1280 at 200 % and 400 %; a tablet has 1024 and 768.
  const widths = [1280, 1024, 768, 640, 390, 320];

  const fits = async (page: Page, pattern: string) => {
    const edit = page.getByRole('button', { name: /^Edit/ }).first();
    if (placeOf(pattern) === 'desk' && (await edit.count()) > 0) await edit.click();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      expect(await widerThanWindow(page), `at ${width}`).toEqual([]);
      expect(await seriousIn(page), `at ${width}`).toEqual([]);
    }
  };

  it('names the organisation in the header at every width', () =>
    portal.as('manager@acme.test', async ({ page }) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 });
        const { width: shown = 0 } = (await page.locator('.organisation').boundingBox()) ?? {};
        expect(shown, `at ${width}`).toBeGreaterThan(40);
        expect(await widerThanWindow(page), `at ${width}`).toEqual([]);
      }
    }));

  it('shows subject and due time of tickets at every width', () =>
    portal.as('manager@acme.test', async ({ page }) => {
      await visit(page, 'tickets', things);
      for (const width of [1280, 1140, 1100, 1024, 900, 870, 860, 768, 720, 700, 390]) {
        await page.setViewportSize({ width, height: 860 });
        const subject = await page.locator('td.cell-subject').first().boundingBox();
        expect(subject!.width, `at ${width}`).toBeGreaterThan(170);
        const due = await page.locator('td.cell-dueAt').first().boundingBox();
        expect(due!.x + due!.width, `at ${width}`).toBeLessThan(width);
      }
    }));

  it('scrolls a row of views that is wider than the screen to the current one', () =>
    portal.as('manager@acme.test', async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 860 });
      await visit(page, 'tickets', things);
      const last = page.locator('nav.tabs a').last();
      const edges = async () => {
        const { x, width } = (await last.boundingBox())!;
        return { left: x, right: x + width };
      };
      expect((await edges()).right).toBeGreaterThan(320);
      await page.goto(new URL((await last.getAttribute('href'))!, page.url()).href);
      await page.locator('nav.tabs a[aria-current]').waitFor();
      expect(await last.getAttribute('aria-current')).toBe('page');
      const { left, right } = await edges();
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(320);
    }));

  it.each(['buildings/:building/rules', 'buildings/:building/spaces', 'erasures'])(
    '%s breaks no word of its table while its columns have room',
    (pattern) =>
      portal.as('manager@acme.test', async ({ page }) => {
        await visit(page, pattern, things);
        await page.locator('main .table').waitFor();
        for (const width of [1280, 1100, 1024, 768]) {
          await page.setViewportSize({ width, height: 860 });
          expect(await page.evaluate(BROKEN_WORDS), `at ${width}`).toEqual([]);
          expect(await widerThanWindow(page), `at ${width}`).toEqual([]);
        }
      }),
  );

  it.each(PAGES)('%s fits into every width and has no serious violation of axe', (pattern) =>
    portal.as(
      placeOf(pattern) === 'operations' ? 'operator@atrium.test' : 'manager@acme.test',
      async ({ page }) => {
        await visit(page, pattern, things);
        await fits(page, pattern);
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.reload();
        await shown(page);
        await fits(page, pattern);
      },
    ),
  );
});
