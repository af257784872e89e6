/** Every page by keyboard alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { PAGES, placeOf, visit, type Things } from '../support/browser/pages.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import type { OpenPortal } from '../support/browser/portal.ts';
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
  const { as } = portal;
  let things: Things;

  beforeAll(async () => {
    things = await oneOfEach(portal);
  });

  /** The pages in the navigation, and the public ones. */
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
        await visit(at.page, pattern, things);
        // Again where a part of the page came after the walk had passed it.
        await expect.poll(() => missedByTab(at.page), { message: pattern }).toEqual([]);
      }
    }),
  );

  it.each([MANAGER, OPERATOR])('returns the focus to %s when Escape closes its dialog', (email) =>
    as(email, async (at) => {
      const { page } = at;
      const wrong: string[] = [];
      let opened = 0;
      for (const pattern of await pagesOf(at)) {
        await visit(at.page, pattern, things);
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
});
