/** Labels of rooms and elements, as they are printed and as they are scanned. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  labelSheets,
  labelsOn,
  papers,
  positionOf,
} from '../../packages/portal/src/pages/labels/sheets.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { pagesOfPdf, type PdfBox } from '../support/browser/pdf.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { qrTextIn } from '../support/browser/qr.ts';

/** The browser prints in whole pixels: 0.26 mm. */
const PRINT_OFF_MM = 0.27;
const PX_PER_MM = 96 / 25.4;
/** White squares on both sides of a code. */
const QUIET = 8;
/** As fine as printers are: 384 dots an inch. */
const PRINTER = { deviceScaleFactor: 4 };

/** Excludes the background of the sheet, which begins at the edge of the paper. */
const isSquare = ({ left, width, height }: PdfBox): boolean =>
  left > 0 && width > 10 && Math.abs(width - height) < 0.5;

interface Node {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

describe.skipIf(!hasChromium)('labels', () => {
  const { as: inWindow, browser, call, raise, server } = portalServer();
  const as: typeof inWindow = (email, use) => inWindow(email, use, PRINTER);
  const manager = 'manager@acme.test';
  const agent = 'agent@acme.test';
  let office: string;
  let rooms: readonly Node[];
  let elements: readonly (Node & { readonly spaceId: string | null })[];

  const room = (code: string, more: object = {}) => ({
    code,
    name: `Room ${code}`,
    spaceTypeSlug: 'office',
    ...more,
  });
  const documentOf = (code: string, spaces: readonly object[]) => ({
    site: { code: 'LABELS', name: 'Labels' },
    building: {
      code,
      name: `Building ${code}`,
      storeys: [{ code: 'G', name: 'Ground', level: 0, spaces }],
    },
  });
  const imported = async (code: string, spaces: readonly object[]) =>
    (await call(manager, 'POST', '/api/v1/buildings/import', documentOf(code, spaces)))
      .buildingId as string;
  const of = (buildingId: string, query = '') => `#/buildings/${buildingId}/labels${query}`;
  const labels = (page: Page) => page.locator('.label:not(.free)');
  const ready = (page: Page) => page.getByText('In the print dialog').waitFor();
  /** The code as it is on paper. */
  const scanned = async (page: Page, at: number) => {
    await page.emulateMedia({ media: 'print' });
    const picture = await labels(page).nth(at).locator('svg').screenshot();
    await page.emulateMedia({ media: null });
    return qrTextIn(browser(), picture);
  };

  beforeAll(async () => {
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    office = items[0].id;
    rooms = (await call(manager, 'GET', `/api/v1/buildings/${office}/spaces`)).items;
    elements = (await call(manager, 'GET', `/api/v1/buildings/${office}/elements`)).items;
  });

  it('are read from paper, and lead to a form with the room filled in', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await portal.at(`#/buildings/${office}`, 'Harbour House');
      await page.getByRole('link', { name: 'Labels' }).press('Enter');
      await page.getByRole('heading', { name: 'Labels of Harbour House', level: 1 }).waitFor();
      await ready(page);
      await expect.poll(() => labels(page).count()).toBe(rooms.length);
      const address = await scanned(page, 2);
      const { id, code, name } = rooms[2]!;
      expect(address).toBe(`${server().url}/report?building=${office}&space=${id}&code=${code}`);
      await raise({ spaceId: id, subject: 'Lamp flickers' });
      await page.goto(address!);
      const form = page.getByRole('dialog', { name: 'New ticket' });
      await expect.poll(() => form.getByLabel('Space').inputValue()).toBe(id);
      await form.getByLabel('Description').fill('The door sticks.');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).press('Enter');
      await form.getByRole('button', { name: 'Raise' }).press('Enter');
      await page.getByText(/^SR-\d+ is raised/).waitFor();
      await page.getByText('The door sticks.').first().waitFor();
      await page.goto(address!);
      await page.getByRole('heading', { name: `${code} ${name}`, level: 1 }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Lamp flickers' }).waitFor();
      await page.locator('.small-plan .plan-here').waitFor();
    }));

  it('of elements lead to a form with room and element filled in', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      const at = elements.findIndex(({ spaceId }) => spaceId !== null);
      const { id, spaceId } = elements[at]!;
      await portal.at(of(office, `?kind=element&sheet=5160`), 'Labels of Harbour House');
      await ready(page);
      const address = await scanned(page, at);
      expect(address).toContain(`element=${id}`);
      await page.goto(address!);
      const form = page.getByRole('dialog', { name: 'New ticket' });
      await expect.poll(() => form.getByLabel('Element').inputValue()).toBe(id);
      await expect.poll(() => form.getByLabel('Space').inputValue()).toBe(spaceId);
      await form.getByLabel('Description').fill('It leaks.');
      await form.getByRole('button', { name: 'Raise' }).click();
      await page.waitForURL(/#\/tickets\//);
      const ticketId = page.url().split('/').at(-1)!;
      const path = `/api/service-desk/requests/${ticketId}`;
      expect(await call(agent, 'GET', path)).toMatchObject({ elementId: id, spaceId });
    }));

  it('lead on after an import that has renewed all ids', async () => {
    const buildingId = await imported('R', [room('1'), room('2')]);
    const before = (await call(manager, 'GET', `/api/v1/buildings/${buildingId}/spaces`)).items;
    await call(
      manager,
      'POST',
      `/api/v1/buildings/${buildingId}/import?replace=true`,
      documentOf('R', [room('1')]),
    );
    const after = (await call(manager, 'GET', `/api/v1/buildings/${buildingId}/spaces`)).items;
    const address = ({ id, code }: Node) =>
      `${server().url}/report?building=${buildingId}&space=${id}&code=${code}`;
    expect(after[0].id).not.toBe(before[0].id);
    await as(agent, async ({ page, complaints }) => {
      await page.goto(address(before[0]));
      const form = page.getByRole('dialog', { name: 'New ticket' });
      await expect.poll(() => form.getByLabel('Space').inputValue()).toBe(after[0].id);
      await page.goto(address(before[1]));
      await page.getByText(/The place of this label is no longer in the building/).waitFor();
      // The browser logs each 404.
      complaints.splice(0, complaints.length, ...complaints.filter((one) => !one.includes('404')));
    });
  });

  it.each(labelSheets.map((sheet) => [sheet.name, sheet] as const))(
    'are printed in the exact size and place of %s',
    (_, sheet) =>
      as(manager, async (portal) => {
        const { page } = portal;
        const start = 2;
        await portal.at(of(office, `?sheet=${sheet.slug}&first=${start + 1}`), /^Labels of/);
        await ready(page);
        const pages = pagesOfPdf(await page.pdf({ preferCSSPageSize: true }));
        const paper = papers[sheet.paper];
        expect(pages).toHaveLength(Math.ceil((rooms.length + start) / labelsOn(sheet)));
        for (const { width, height } of pages) {
          expect(Math.abs(width - paper.width)).toBeLessThan(PRINT_OFF_MM);
          expect(Math.abs(height - paper.height)).toBeLessThan(PRINT_OFF_MM);
        }
        const [first] = pages;
        const count = Math.min(rooms.length, labelsOn(sheet) - start);
        const codes = first!.filled.filter(isSquare);
        expect(codes).toHaveLength(count);
        const side = Math.min(sheet.height - 3, 45, sheet.width * 0.55);
        codes.forEach(({ left, top, width, height }, at) => {
          const place = positionOf(sheet, start + at);
          // The black of a code, of 57 squares with its white edge or of 53 for a shorter code.
          const quiet = (side - width) / 2;
          expect(Math.abs(width - height)).toBeLessThan(0.05);
          expect(quiet).toBeGreaterThanOrEqual((side * QUIET) / 2 / 61);
          expect(Math.abs(left - quiet - place.left - 1.5)).toBeLessThan(PRINT_OFF_MM);
          const middle = place.top + sheet.height / 2;
          expect(Math.abs(top + height / 2 - middle)).toBeLessThan(PRINT_OFF_MM);
        });
      }),
  );

  it('begin at the first free label of a partly used sheet', () =>
    inWindow(manager, async (portal) => {
      const { page } = portal;
      await portal.at(of(office), /^Labels of/);
      await ready(page);
      await page.getByLabel('First free label').selectOption('5');
      await expect.poll(() => page.locator('.label.free').count()).toBe(4);
      await takePicture(page, 'labels');
      expect(page.url()).toContain('first=5');
      await page.getByLabel('Sheet', { exact: true }).selectOption('l7165');
      await expect.poll(() => page.locator('.label.free').count()).toBe(0);
    }));

  it('are those of a storey, and of the places that are ticked', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      await portal.at(of(office), /^Labels of/);
      await ready(page);
      await page.getByLabel('Storey').selectOption({ label: 'First floor' });
      await expect.poll(() => labels(page).first().textContent()).toContain('01-001');
      await press('None');
      await page.getByRole('button', { name: 'Print 0 labels' }).isDisabled();
      await page.getByLabel('Search', { exact: true }).fill('phone booth');
      await press('All');
      await page.getByRole('button', { name: 'Print 2 labels' }).waitFor();
      await page.getByRole('checkbox', { name: /Phone booth 1/ }).press(' ');
      await page.getByRole('button', { name: 'Print 1 label' }).waitFor();
      await expect
        .poll(() => labels(page).allTextContents())
        .toEqual([expect.stringContaining('booth 2')]);
    }));

  it('are found from the room on the plan', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      await portal.at(`#/buildings/${office}/plan?space=${rooms[3]!.id}`, /^Plan of/);
      await page.getByRole('link', { name: 'QR label' }).press('Enter');
      await ready(page);
      await expect.poll(() => labels(page).count()).toBe(1);
      expect(await scanned(page, 0)).toContain(rooms[3]!.id);
      await portal.press('All rooms');
      await expect.poll(() => labels(page).count()).toBe(rooms.length);
    }));

  it('cut long names, which never reach the code, and show markup as text', async () => {
    const long = '<b>Office</b> of everybody who '.repeat(6);
    const spaces = [
      room('A-VERY-LONG-CODE-'.repeat(5), { name: long }),
      room('B', { name: 'W'.repeat(200) }),
    ];
    const buildingId = await imported('L', spaces);
    await as(manager, async (portal) => {
      const { page } = portal;
      for (const { slug, width, height } of labelSheets) {
        await portal.at(of(buildingId, `?sheet=${slug}`), /^Labels of/);
        await ready(page);
        await page.emulateMedia({ media: 'print' });
        for (const at of [0, 1]) {
          const label = labels(page).nth(at);
          const [box, code, words] = await Promise.all([
            label.boundingBox(),
            label.locator('svg').boundingBox(),
            label.locator('.label-words').boundingBox(),
          ]);
          expect(box!.width / PX_PER_MM).toBeCloseTo(width, 1);
          expect(box!.height / PX_PER_MM).toBeCloseTo(height, 1);
          expect(words!.x).toBeGreaterThanOrEqual(code!.x + code!.width);
          expect(words!.x + words!.width).toBeLessThanOrEqual(box!.x + box!.width);
          expect(words!.height).toBeLessThanOrEqual(box!.height);
          for (const line of await label.locator('.label-words > *').all()) {
            const { x, width } = (await line.boundingBox())!;
            expect(x + width).toBeLessThanOrEqual(box!.x + box!.width);
          }
        }
        await page.emulateMedia({ media: null });
        // A code of 85 characters is not in the address: it is read by its id.
        expect(await scanned(page, 0)).toMatch(/space=[-\w]+$/);
      }
      expect(await page.locator('.label b').count()).toBe(0);
      await labels(page).first().getByText('<b>Office</b>').waitFor();
    });
  });

  it('are at most 1,000 per sheet set, with a hint about the rest', async () => {
    const spaces = Array.from({ length: 1_001 }, (_, at) => room(String(at).padStart(4, '0')));
    const buildingId = await imported('M', spaces);
    await as(manager, async (portal) => {
      const { page } = portal;
      await portal.at(of(buildingId), /^Labels of/);
      await page.getByText('These are the first 1,000').waitFor();
      await page.getByRole('button', { name: 'Print 1,000 labels' }).waitFor();
      await ready(page);
      await expect.poll(() => labels(page).count()).toBe(1_000);
    });
  });

  it('lead a user without permission to raise tickets to the location only', () =>
    as('viewer@acme.test', async ({ page }) => {
      await page.goto(`${server().url}/report?building=${office}&space=${rooms[1]!.id}`);
      await page.getByText('Your role cannot raise tickets.').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    }));
});
