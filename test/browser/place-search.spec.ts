/** Tickets are found by their place, in the list and in the command palette. */
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';

const AGENT = 'agent@acme.test';

describe.skipIf(!hasChromium)('the search of tickets', () => {
  const { as, call, raise } = portalServer();

  const room = async () => {
    const [building] = (await call(AGENT, 'GET', '/api/v1/buildings')).items;
    const path = `/api/v1/buildings/${building.id}/spaces?limit=1`;
    const [{ id, code, name }] = (await call(AGENT, 'GET', path)).items;
    return { spaceId: id as string, code: code as string, name: name as string };
  };

  it('shows the ticket of a room by its code, and by its name with a word of the ticket', () =>
    as(AGENT, async ({ page, at }) => {
      const { spaceId, code, name } = await room();
      await raise({ subject: 'Radiator is cold', spaceId });
      await raise({ subject: 'Radiator hisses' });
      await at('#/tickets?state=new', 'Tickets');
      const rows = page.getByRole('row').filter({ hasText: 'Radiator' });
      await rows.nth(1).waitFor();
      const search = page.getByRole('searchbox', { name: 'Search tickets' });
      await expect.poll(() => search.getAttribute('placeholder')).toBe('Number, words or place');
      await search.fill(code);
      await expect.poll(() => rows.allTextContents()).toHaveLength(1);
      await rows.filter({ hasText: 'Radiator is cold' }).waitFor();
      await search.fill(`radiator ${name}`);
      await page.waitForURL((url) => url.hash.includes('radiator'));
      await rows.filter({ hasText: 'Radiator is cold' }).waitFor();
      await expect.poll(() => rows.count()).toBe(1);
      expect(await seriousIn(page)).toEqual([]);
    }));

  it('keeps text typed while a search is answered', () =>
    as(AGENT, async ({ page, at }) => {
      await at('#/tickets?state=new', 'Tickets');
      const search = page.getByRole('searchbox', { name: 'Search tickets' });
      await search.waitFor();
      // As soon as the page has the first words in its address.
      await page.evaluate(`addEventListener('hashchange', () => {
        const search = document.querySelector('[type="search"]');
        search.value += ' hisses';
        search.dispatchEvent(new Event('input', { bubbles: true }));
      }, { once: true })`);
      await search.fill('radiator');
      await page.waitForURL((url) => url.hash.includes('hisses'));
      await expect.poll(() => search.inputValue()).toBe('radiator hisses');
      await at('#/tickets?search=door', 'Tickets');
      await expect.poll(() => search.inputValue()).toBe('door');
    }));

  it('shows it in the command palette, too', () =>
    as(AGENT, async ({ page, at }) => {
      const { spaceId, code } = await room();
      await raise({ subject: 'Door sticks', spaceId });
      await at('#/tickets', 'Tickets');
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Go to or do' });
      const input = palette.getByRole('combobox');
      await expect
        .poll(() => input.getAttribute('placeholder'))
        .toBe('Number, words, place or action');
      await input.fill(`door ${code}`);
      await palette.getByRole('option', { name: 'Door sticks' }).click();
      await page.getByRole('heading', { name: 'Door sticks' }).waitFor();
    }));
});
