/** Every page for everybody: by keyboard alone, on every screen, in both themes, at 200 % zoom. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { hashOf, PAGES, placeOf, type Things } from '../support/browser/pages.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow, type OpenPortal } from '../support/browser/portal.ts';
import { escapeFrom, missedByTab } from '../support/browser/tabbing.ts';
import { oneOfEach } from '../support/browser/things.ts';

const MANAGER = 'manager@acme.test';
const OPERATOR = 'operator@atrium.test';

const ROLES = [
  MANAGER,
  'agent@acme.test',
  'developer@acme.test',
  'auditor@acme.test',
  'viewer@acme.test',
  OPERATOR,
];

/** Buttons that open a dialog or a list of choices. */
const OPENERS = new RegExp(
  '^(Assign|Edit|New (ticket|webhook|sandbox|secret)|Mint a key|Revoke|Delete|Extend|Reset|' +
    'Rebuild .*|Save view|Add holidays|Search|Go to or do.*)$',
);

describe.skipIf(!hasChromium)('every page', () => {
  const portal = portalServer({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { server, as } = portal;
  let things: Things;

  beforeAll(async () => {
    things = await oneOfEach(portal);
  });

  const visit = async ({ page }: OpenPortal, pattern: string) => {
    await page.goto(`${server().url}/${hashOf(pattern, things)}`);
    await settled({ page });
  };
  const settled = async ({ page }: Pick<OpenPortal, 'page'>) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
  };
  /** Those that the navigation offers, and those that are open to everybody. */
  const pagesOf = async ({ page }: OpenPortal) => {
    const links = page.getByRole('navigation', { name: 'Pages of the portal' }).locator('ul a');
    await links.first().waitFor();
    const offered = await links.evaluateAll((all) =>
      all.map((link) => link.getAttribute('href')!.replace('#/', '')),
    );
    return PAGES.filter((pattern) => [...offered, 'sessions', 'report'].includes(placeOf(pattern)));
  };

  it.each(ROLES)('is used by %s with the keyboard alone', (email) =>
    as(email, async (at) => {
      const pages = await pagesOf(at);
      expect(pages.length).toBeGreaterThan(2);
      for (const pattern of pages) {
        // It belongs to the manager.
        if (pattern === 'sandboxes/:sandbox' && email !== MANAGER) continue;
        await visit(at, pattern);
        // Again where a part of the page came after the walk had passed it.
        await expect.poll(() => missedByTab(at.page), { message: pattern }).toEqual([]);
      }
    }),
  );

  it.each([MANAGER, OPERATOR])(
    'gives %s the focus back when Escape closes what it opened',
    (email) =>
      as(email, async (at) => {
        const { page } = at;
        const wrong: string[] = [];
        let opened = 0;
        for (const pattern of await pagesOf(at)) {
          await visit(at, pattern);
          const buttons = page.getByRole('button', { name: OPENERS });
          const cells = page.locator('[aria-haspopup]');
          for (const openers of [buttons, cells])
            for (let index = 0; index < Math.min(4, await openers.count()); index += 1) {
              const opener = openers.nth(index);
              if (await opener.isDisabled()) continue;
              const name = await opener.evaluate((element) => element.outerHTML.slice(0, 120));
              const problem = await escapeFrom(page, opener);
              if (problem) wrong.push(`${pattern}: ${problem}: ${name}`);
              if (problem !== null) opened += 1;
            }
        }
        expect(wrong).toEqual([]);
        expect(opened).toBeGreaterThan(1);
      }),
  );

  // 640 pixels are 1280 at 200 %; a tablet has 1024 and 768.
  const widths = [1280, 1024, 768, 640, 390];

  const fits = async ({ page }: OpenPortal, pattern: string) => {
    const edit = page.getByRole('button', { name: /^Edit/ }).first();
    if (placeOf(pattern) === 'desk' && (await edit.count()) > 0) await edit.click();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 860 });
      expect(await widerThanWindow(page), `at ${width}`).toEqual([]);
      expect(await seriousIn(page), `at ${width}`).toEqual([]);
    }
  };

  it.each(PAGES)('%s fits into every width and has no serious violation of axe', (pattern) =>
    as(placeOf(pattern) === 'operations' ? OPERATOR : MANAGER, async (at) => {
      await visit(at, pattern);
      await fits(at, pattern);
      await at.page.emulateMedia({ colorScheme: 'dark' });
      await at.page.reload();
      await settled(at);
      await fits(at, pattern);
    }),
  );
});
