/** Reports in the portal. contract.md section 5. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';

const REPORTS = '/api/service-desk/reports';

describe.skipIf(!hasChromium)('reports', () => {
  const { server, open, as, call, raise, colleague } = portalServer();
  const manager = 'manager@acme.test';

  beforeAll(async () => {
    const category = '<b>lifts</b>';
    const [first] = [await raise({ category }), await raise({ category }), await raise()];
    await colleague('POST', first.id, { assignedTeamId: 'hvac' }, '/assign');
    for (const state of ['triaged', 'resolved'])
      await colleague('POST', first.id, { state }, '/transition');
  });

  const isWithinWidth = ({ page }: OpenPortal) =>
    page.evaluate('document.documentElement.scrollWidth <= innerWidth');

  it('shows created and resolved tickets as the server counts them', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      // Before the page asks, which asks once.
      const { series } = await call(manager, 'GET', `${REPORTS}/throughput`);
      const { created, resolved } = series[0].values.at(-1);
      expect(resolved).toBeGreaterThan(0);
      await portal.at('#/reports', 'Reports');
      const latest = page.getByRole('table', { name: 'Throughput' }).getByRole('row').nth(1);
      await expect
        .poll(() => latest.getByRole('cell').allTextContents())
        .toEqual([expect.any(String), String(created), String(resolved)]);
      await page.getByRole('img', { name: /^Throughput/ }).waitFor();
    }));

  it('keeps report, grouping and filters in the address', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      await portal.at('#/reports', 'Reports');
      await page.getByLabel('Report').selectOption('Backlog');
      await page.getByLabel('Group by').selectOption('Category');
      await page.getByLabel('Priority').selectOption('Medium');
      const table = page.getByRole('table', { name: 'Backlog: Total' });
      // User input is shown as text.
      await table.getByRole('columnheader', { name: '<b>lifts</b>' }).waitFor();
      for (const asked of ['report=backlog', 'groupBy=category', 'priority=medium'])
        expect(page.url()).toContain(asked);
      await page.reload();
      await table.waitFor();
      await page.getByLabel('Category').selectOption('<b>lifts</b>');
      await table.waitFor();
      // A category of an address is kept, though no ticket has it.
      await page.goto(`${page.url().replace(/&category=[^&]*/, '')}&category=nothing`);
      await page.getByText('No ticket matches these filters.').waitFor();
      await expect.poll(() => page.getByLabel('Category').inputValue()).toBe('nothing');
      await page.getByRole('button', { name: 'Clear' }).click();
      await table.waitFor();
    }));

  it('narrows to a room, an element and a team by their names', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      await portal.at('#/reports', 'Reports');
      const chosen: Record<string, string> = {};
      for (const [label, name] of [
        ['Building', 'buildingId'],
        ['Storey', 'storeyId'],
        ['Element', 'elementId'],
        ['Team', 'assignedTeamId'],
      ] as const) {
        const field = page.getByLabel(label, { exact: true });
        await expect.poll(() => field.locator('option').count()).toBeGreaterThan(1);
        await field.selectOption({ index: 1 });
        chosen[name] = await field.inputValue();
      }
      for (const [name, value] of Object.entries(chosen))
        await expect
          .poll(() => new URLSearchParams(page.url().split('?')[1]).get(name))
          .toBe(value);
      // Another room has other elements.
      await page.getByLabel('Room', { exact: true }).selectOption({ index: 1 });
      await expect.poll(() => page.url()).toContain('spaceId');
      expect(page.url()).not.toContain('elementId');
      await page.getByLabel('Building', { exact: true }).selectOption({ index: 0 });
      await expect.poll(() => page.url()).not.toContain('spaceId');
    }));

  it('saves the shown data as CSV', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      await portal.at('#/reports?report=attainment&groupBy=category', 'Reports');
      const [file] = await Promise.all([page.waitForEvent('download'), press('CSV')]);
      expect(file.suggestedFilename()).toMatch(/^attainment-[\d-]{10}-[\d-]{10}\.csv$/);
      const text = readFileSync(await file.path(), 'utf8');
      expect(text).toMatch(/^from,to,kind,key,label,firstResponseMet,/);
      expect(text).toContain('"<b>lifts</b>"');
    }));

  it('names the error of an invalid period', async () => {
    const portal = await open(manager);
    await portal.at('#/reports?period=custom&from=2026-03-02&to=2026-03-01', 'Reports');
    await portal.page.getByRole('alert').getByText('must not be before from').first().waitFor();
    await portal.page.context().close();
  });

  it('prints a month without controls, on one page, light in the dark theme', () =>
    as(
      manager,
      async (portal) => {
        const { page, press } = portal;
        await portal.at('#/reports', 'Reports');
        await press('Print month');
        await page.getByRole('heading', { name: /^Service desk, / }).waitFor();
        const headline = page.locator('.headlines > div').filter({ hasText: /^Resolved/ });
        const month = `?interval=month&from=${new Date().toISOString().slice(0, 7)}-01`;
        const { series } = await call(manager, 'GET', `${REPORTS}/throughput${month}`);
        const { resolved } = series[0].values[0];
        await headline.getByText(String(resolved), { exact: true }).waitFor();
        await page.getByRole('table', { name: 'Categories with the most tickets' }).waitFor();
        await page.emulateMedia({ media: 'print' });
        for (const hidden of ['Print', 'Sign out'])
          expect(await page.getByRole('button', { name: hidden, exact: true }).count()).toBe(0);
        const paper = 'getComputedStyle(document.body).backgroundColor';
        expect(await page.evaluate(paper)).toBe('rgb(255, 255, 255)');
        const pdf = await page.pdf({ preferCSSPageSize: true });
        expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      },
      { colorScheme: 'dark' },
    ));

  const addresses = [
    '#/reports',
    '#/reports?report=backlog',
    '#/reports?report=response',
    '#/reports?report=attainment&interval=week',
    '#/reports?groupBy=space',
    '#/reports?category=nothing&report=reopened&groupBy=team',
    '#/reports/month',
  ];
  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 390],
  ] as const)('are accessible in the %s theme, %i pixels wide', (colorScheme, width) =>
    as(
      'auditor@acme.test',
      async (portal) => {
        for (const address of addresses) {
          await portal.page.goto(`${server().url}/${address}`);
          await portal.page.locator('.plot svg, .empty').first().waitFor();
          expect(await seriousIn(portal.page), address).toEqual([]);
          expect(await isWithinWidth(portal), address).toBe(true);
        }
      },
      { colorScheme, viewport: { width, height: 860 } },
    ),
  );
});
