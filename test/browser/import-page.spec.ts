/** Importing a building in the browser. contract.md section 6; docs/decisions/0027. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ImportDocument } from '../../src/domain/buildings/document.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { temporaryDirectory } from '../support/directory.ts';
import {
  buildingOf,
  identifiedBy,
  smallBuilding,
  space,
  storey,
} from '../support/domain/building-documents.ts';
import { ifcBuilding, type IfcLines } from '../support/domain/ifc-files.ts';
import { bodyAt, extrusion, placement, rectangle } from '../support/domain/ifc-shapes.ts';
import { poolOf } from '../support/postgres/pool.ts';

const MANAGER = 'manager@acme.test';
const BUILDINGS = '/api/v1/buildings';
/** Bytes a second: an upload of some megabytes is looked at, and never ends. */
const SLOW = 20_000;

/** In the browser: drops a file on the page. */
const dropped = (name: string, text: string) => `{
  const transfer = new DataTransfer();
  transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
  const event = (type) => new DragEvent(type, {
    dataTransfer: transfer, bubbles: true, cancelable: true,
  });
  const field = document.querySelector('.drop');
  field.dispatchEvent(event('dragover'));
  field.dispatchEvent(event('drop'));
}`;

const fileOf = (document: ImportDocument, name = 'building.json') => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(document)),
});

/** Two rooms with shapes and one without. */
const model = () => {
  const shape = (x: number) => (file: IfcLines) =>
    bodyAt(file, placement(file, '$', [x, 0, 0]), [extrusion(file, rectangle(file, 4, 3))]);
  const spaces = [
    { id: 'R1', name: '001', longName: 'Lobby', area: 12, shape: shape(0) },
    { id: 'R2', name: '002', longName: 'Office', area: 12, shape: shape(5) },
    { id: 'R3', name: '003', longName: String.raw`B\X2\00FCro`, area: 12 },
  ];
  return ifcBuilding({ storeys: [{ id: 'G', name: 'Ground', elevation: 0, spaces }] });
};

/** A document of some megabytes that is quickly made. */
const large = (): ImportDocument =>
  buildingOf(
    Array.from({ length: 20 }, (_, level) =>
      storey(`L${level}`, {
        level,
        spaces: Array.from({ length: 1_000 }, (_, room) =>
          space(`${level}-${room}`, { name: 'x'.repeat(150) }),
        ),
      }),
    ),
  );

describe.skipIf(!hasChromium)('the import page', () => {
  const { as, call, server, restart, databaseUrl } = portalServer();
  const total = async (email = MANAGER): Promise<number> =>
    (await call(email, 'GET', BUILDINGS)).total;
  const made = async (document: ImportDocument): Promise<string> =>
    (await call(MANAGER, 'POST', `${BUILDINGS}/import`, document)).buildingId;
  let before = 0;

  beforeEach(async () => {
    before = await total();
  });

  const choose = ({ page }: OpenPortal, file: Parameters<Page['setInputFiles']>[1]) =>
    page.locator('input[type=file]').setInputFiles(file);
  const step = ({ page }: OpenPortal, name: string) =>
    page.getByRole('heading', { name, level: 2 }).waitFor();
  const rows = async ({ page }: OpenPortal): Promise<readonly string[]> =>
    (await page.locator('table').first().locator('tbody tr').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' '),
    );
  const throttled = async ({ page }: OpenPortal) => {
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: SLOW,
    });
  };

  it('is where an organisation without buildings begins: a file is dropped', () =>
    as('manager@globex.test', async (portal) => {
      const { page, at, press } = portal;
      await at('#/tickets', 'Tickets');
      await page.getByRole('link', { name: 'Start with a building' }).waitFor();
      await at('#/buildings', 'Buildings');
      await page.getByText('Start with a building').waitFor();
      await page.getByRole('link', { name: 'Import a building' }).last().click();
      await page.getByRole('heading', { name: 'Import a building', level: 1 }).waitFor();
      await page.evaluate(dropped('office.ifc', model()));
      await page.getByText('office.ifc').waitFor();
      await page.getByText('IFC file').waitFor();
      await press('Check the file');
      await step(portal, 'What the import would do');
      expect(await rows(portal)).toEqual([
        'Storeys 1 0 0',
        'Rooms 3 0 0',
        'Elements 0 0 0',
        'Points 0 0 0',
      ]);
      await page.getByText('2 of 3 rooms would have an outline.').waitFor();
      await page.getByText(/line \d+: a text has a malformed/).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await takePicture(page, 'import', 860);
      expect(await total('manager@globex.test')).toBe(0);
      await press('Import as a new building');
      await step(portal, 'Imported');
      expect(await rows(portal)).toContain('Rooms 3 0 0');
      expect(await total('manager@globex.test')).toBe(1);
      await page.getByRole('link', { name: 'Open the plan' }).click();
      await page.getByRole('heading', { name: /^Plan of/, level: 1 }).waitFor();
      await expect.poll(() => page.locator('[data-room]').count()).toBeGreaterThan(1);
    }));

  it('is used by keyboard alone', () =>
    as(MANAGER, async (portal) => {
      const { page, at } = portal;
      await at('#/buildings/import', 'Import a building');
      const tabTo = async (selector: string) => {
        const isThere = async () => {
          await page.keyboard.press('Tab');
          return page.evaluate<boolean>(`document.activeElement.matches('${selector}')`);
        };
        await expect.poll(isThere).toBe(true);
      };
      // Registered before the click: the browser opens a chooser only for a listener.
      const chooser = page.waitForEvent('filechooser');
      await tabTo('input[type=file]');
      await page.keyboard.press('Space');
      await (await chooser).setFiles(fileOf(smallBuilding()));
      await page.getByText('JSON document').first().waitFor();
      await tabTo('.button.primary');
      await page.keyboard.press('Enter');
      await step(portal, 'What the import would do');
      const heading = `document.activeElement.textContent`;
      await expect.poll(() => page.evaluate(heading)).toBe('What the import would do');
      await tabTo('.import-step .button.primary');
      await page.keyboard.press('Enter');
      await step(portal, 'Imported');
      expect(await total()).toBe(before + 1);
    }));

  it('adds to a building or replaces it, with a preview of the effect', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      const buildingId = await made(smallBuilding());
      await at(`#/buildings/${buildingId}`, 'Building');
      await page.getByRole('link', { name: 'Import', exact: true }).click();
      const next = buildingOf([
        storey('00', {
          ...identifiedBy('G0'),
          spaces: [space('001', { ...identifiedBy('R1'), name: 'New' }), space('009')],
        }),
      ]);
      await choose(portal, fileOf(next));
      await press('Check the file');
      await step(portal, 'What the import would do');
      expect(await rows(portal)).toContain('Rooms 1 1 0');
      await page.getByLabel('Replace').check();
      await press('Check the file');
      await step(portal, 'What the import would do');
      expect(await rows(portal)).toEqual([
        'Storeys 0 1 1',
        'Rooms 1 1 2',
        'Elements 0 0 2',
        'Points 0 0 2',
      ]);
      expect(await seriousIn(page)).toEqual([]);
      await press('Replace the building');
      await step(portal, 'Imported');
      const spaces = await call(MANAGER, 'GET', `${BUILDINGS}/${buildingId}/spaces`);
      expect(spaces.items.map(({ code }: { code: string }) => code)).toEqual(['001', '009']);
    }));

  it('reports differences to the preview after concurrent changes', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      const buildingId = await made(smallBuilding());
      const next = buildingOf([storey('00', { ...identifiedBy('G0'), spaces: [space('009')] })]);
      await at(`#/buildings/${buildingId}/import`, /^Import into/);
      await choose(portal, fileOf(next));
      await press('Check the file');
      await step(portal, 'What the import would do');
      expect(await rows(portal)).toContain('Rooms 1 0 0');
      await call(MANAGER, 'POST', `${BUILDINGS}/${buildingId}/import`, next);
      await press('Import');
      await step(portal, 'Imported');
      const difference = page.getByRole('row', { name: /^Rooms, added/ });
      expect((await difference.innerText()).replaceAll(/\s+/g, ' ')).toBe('Rooms, added 1 0');
    }));

  it('refuses invalid and too large files before the upload', () =>
    as(MANAGER, async (portal) => {
      const { page, at } = portal;
      await at('#/buildings/import', 'Import a building');
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/import')) sent.push(request.url());
      });
      const directory = temporaryDirectory('import');
      const big = join(directory, 'big.ifc');
      writeFileSync(big, Buffer.alloc(64 * 1024 * 1024 + 1));
      const others = [
        [{ name: 'a.ifczip', mimeType: '', buffer: Buffer.from('PK\u0003\u0004') }, /archive/],
        [{ name: 'a.ifc', mimeType: '', buffer: Buffer.from('<?xml version="1.0"?>') }, /XML/],
        [{ name: 'a.png', mimeType: '', buffer: Buffer.from('PNG') }, /neither/],
        [{ name: 'a.ifc', mimeType: '', buffer: Buffer.alloc(0) }, /empty/],
        [big, /64\.1 MiB, and at most 64 MiB/],
      ] as const;
      for (const [file, words] of others) {
        await choose(portal, file);
        await page.getByRole('alert').filter({ hasText: words }).waitFor();
        await expect
          .poll(() => page.getByRole('button', { name: 'Check the file' }).isDisabled())
          .toBe(true);
      }
      expect(sent).toEqual([]);
    }));

  it('names the places of a broken file, and keeps the file chosen', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press, complaints } = portal;
      await at('#/buildings/import', 'Import a building');
      const rooms = Array.from({ length: 30 }, (_, n) => space(`${n}`, { areaSqm: -1 }));
      await choose(portal, fileOf(buildingOf([storey('00', { spaces: rooms })])));
      await press('Check the file');
      await page.getByText('building.storeys[0].spaces[0].areaSqm').waitFor();
      await expect.poll(() => page.getByRole('alert').getByRole('listitem').count()).toBe(20);
      expect(await seriousIn(page)).toEqual([]);
      await page.getByText('building.json').waitFor();
      await choose(portal, fileOf({} as ImportDocument));
      await press('Check the file');
      await page.getByText('site: is missing', { exact: true }).waitFor({ timeout: 5_000 });
      const broken = model().replace(/^#3=.*$/m, '#3=IFCSITE(%);');
      await choose(portal, { name: 'x.ifc', mimeType: '', buffer: Buffer.from(broken) });
      await press('Check the file');
      await page.getByText(/^Line \d+: /).waitFor();
      const twice = buildingOf([storey('00', { spaces: [space('1'), space('1')] })]);
      await choose(portal, fileOf(twice));
      await press('Check the file');
      await page.getByText('CONFLICT').waitFor();
      expect(await total()).toBe(before);
      // The browser itself logs a refusal that precedes the end of the upload.
      complaints.length = 0;
    }));

  it('cancels an upload, and nothing is imported', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      await at('#/buildings/import', 'Import a building');
      await choose(portal, fileOf(large()));
      await throttled(portal);
      await press('Check the file');
      await page.getByText(/ of \d+\.\d MiB/).waitFor();
      await expect
        .poll(() => page.evaluate<number>("document.querySelector('progress').value"))
        .toBeGreaterThan(0);
      await press('Cancel');
      await page
        .getByText('The upload was cancelled. An incomplete upload is not imported.')
        .waitFor();
      await page.getByText('building.json').waitFor();
      await expect
        .poll(() => page.getByRole('button', { name: 'Check the file' }).isEnabled())
        .toBe(true);
      expect(await total()).toBe(before);
    }));

  it('asks before the page is left while it uploads', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      await at('#/buildings/import', 'Import a building');
      await choose(portal, fileOf(large()));
      await throttled(portal);
      await press('Check the file');
      await step(portal, 'Checking the file');
      const away = page.getByRole('link', { name: 'Tickets', exact: true });
      await away.click();
      await page.getByRole('heading', { name: 'Stop the upload?' }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await press('Stay');
      await step(portal, 'Checking the file');
      await away.click();
      await press('Stop and leave');
      await page.getByRole('heading', { name: 'Tickets', level: 1 }).waitFor();
      expect(await total()).toBe(before);
    }));

  it('imports once when the answer is lost, with a message', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press, complaints } = portal;
      await at('#/buildings/import', 'Import a building');
      await choose(portal, fileOf(smallBuilding()));
      await press('Check the file');
      await step(portal, 'What the import would do');
      const keys: (string | undefined)[] = [];
      await page.route(`**${BUILDINGS}/import?*`, async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 1) return route.continue();
        await route.fetch();
        return route.abort('connectionreset');
      });
      await press('Import as a new building');
      await step(portal, 'Imported');
      await page.getByText('An earlier attempt had already imported the file').waitFor();
      expect(await total()).toBe(before + 1);
      expect(keys).toEqual([keys[0], keys[0]]);
      // The browser says itself that a connection was lost.
      complaints.length = 0;
    }));

  it('recovers from a server that is killed in the middle: nothing is half imported', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press, complaints } = portal;
      const buildingId = await made(smallBuilding());
      const spacesOf = async () =>
        (await call(MANAGER, 'GET', `${BUILDINGS}/${buildingId}/spaces`)).total;
      await at(`#/buildings/${buildingId}/import`, /^Import into/);
      const rooms = Array.from({ length: 50 }, (_, n) => space(`new-${n}`));
      await choose(portal, fileOf(buildingOf([storey('09', { spaces: rooms })])));
      await press('Check the file');
      await step(portal, 'What the import would do');
      const db = poolOf(databaseUrl());
      const holder = await db.connect();
      await holder.query('begin');
      await holder.query('select from graph.building where id = $1 for update', [buildingId]);
      await press('Import');
      await page.getByText('Writing 51 nodes').waitFor();
      await page.getByText('The file has been sent').waitFor();
      await server().signal('SIGKILL');
      await page.getByText('lost after the file was sent').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await holder.query('rollback');
      holder.release();
      await db.end();
      await restart();
      await step(portal, 'Imported');
      expect(await rows(portal)).toContain('Rooms 50 0 0');
      expect(await spacesOf()).toBe(53);
      // The browser says itself that connections were lost.
      complaints.length = 0;
    }));

  it('is refused for other roles', () =>
    as('agent@acme.test', async ({ page, at }) => {
      await at('#/buildings', 'Buildings');
      await page.getByRole('table').waitFor();
      expect(await page.getByRole('link', { name: 'Import a building' }).count()).toBe(0);
      await at('#/buildings/import', 'Import a building');
      await page.getByText('It needs the role manager').waitFor();
      expect(await page.locator('input[type=file]').count()).toBe(0);
    }));
});
