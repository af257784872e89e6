/** Models of several disciplines, and files of several buildings, on the import page. */
import { describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, type OpenPortal } from '../support/browser/portal.ts';
import { buildingOf, identifiedBy, space, storey } from '../support/domain/building-documents.ts';
import { globalId, ifcBuilding, quoted } from '../support/domain/ifc-files.ts';

const MANAGER = 'manager@acme.test';
const BUILDINGS = '/api/v1/buildings';

const ifc = (text: string) => ({ name: 'model.ifc', mimeType: '', buffer: Buffer.from(text) });

/** A storey of the same name and height under an identifier of its own, with a lamp. */
const electrics = () =>
  ifcBuilding({
    storeys: [{ id: 'E', name: 'Ground floor', elevation: 0.2 }],
    more(file, references) {
      const lamp = file.add(
        'IFCLIGHTFIXTURE',
        quoted(globalId('L')),
        '$',
        quoted('Lamp'),
        '$,$,$,$,$,$',
      );
      file.add(
        'IFCRELCONTAINEDINSPATIALSTRUCTURE',
        quoted(globalId('in')),
        '$,$,$',
        `(${lamp})`,
        references.get('E')!,
      );
    },
  });

const towerBeside = () =>
  ifcBuilding({
    storeys: [{ id: 'G', name: 'Level 0', elevation: 0 }],
    more(file) {
      const tower = file.add(
        'IFCBUILDING',
        quoted(globalId('tower')),
        '$',
        quoted('T'),
        '$,$,$,$',
        quoted('Tower'),
        '.ELEMENT.,$,$,$',
      );
      const level = file.add(
        'IFCBUILDINGSTOREY',
        quoted(globalId('T0')),
        '$',
        quoted('Level T'),
        '$,$,$,$,$,.ELEMENT.,0.',
      );
      file.add('IFCRELAGGREGATES', quoted(globalId('rel-tower')), '$,$,$', tower, `(${level})`);
    },
  });

describe.skipIf(!hasChromium)('the import page', () => {
  const { as, call } = portalServer();
  const choose = ({ page }: OpenPortal, file: ReturnType<typeof ifc>) =>
    page.locator('input[type=file]').setInputFiles(file);
  const step = ({ page }: OpenPortal, name: string) =>
    page.getByRole('heading', { name, level: 2 }).waitFor();

  it('adds a model of another discipline, with storeys matched or chosen', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      const document = buildingOf([
        storey('00', { ...identifiedBy('G'), name: 'Ground floor', elevation: 0 }),
        storey('01', { name: 'First floor', elevation: 4, level: 1, spaces: [space('101')] }),
      ]);
      const { buildingId } = await call(MANAGER, 'POST', `${BUILDINGS}/import`, document);
      const building = `${BUILDINGS}/${buildingId}`;
      await at(`#/buildings/${buildingId}/import`, /^Import into/);
      await choose(portal, ifc(electrics()));
      await page.getByLabel('Name of the model').fill('electrical');
      await press('Check the file');
      await step(portal, 'What the import would do');
      await page.getByText('the same name and height').waitFor();
      const place = page.getByLabel('Storey of the building for Ground floor');
      await expect.poll(() => place.locator('option:checked').innerText()).toBe('Ground floor');
      expect(await seriousIn(page)).toEqual([]);
      await place.selectOption('First floor');
      await press('Check the file');
      await page.getByRole('cell', { name: 'chosen' }).waitFor();
      await press('Import');
      await step(portal, 'Imported');
      const { items } = await call(MANAGER, 'GET', `${building}/elements?model=electrical`);
      const { items: storeys } = await call(MANAGER, 'GET', `${building}/storeys`);
      const first = storeys.find(({ code }: { code: string }) => code === '01');
      expect(items.map(({ storeyId }: { storeyId: string }) => storeyId)).toEqual([first.id]);
      expect(storeys).toHaveLength(2);
    }));

  it('lets one building of a file of several be chosen', () =>
    as(MANAGER, async (portal) => {
      const { page, at, press } = portal;
      await at('#/buildings/import', 'Import a building');
      await choose(portal, ifc(towerBeside()));
      await press('Check the file');
      await page.getByLabel('Tower').check();
      expect(await seriousIn(page)).toEqual([]);
      await press('Check the file');
      await step(portal, 'What the import would do');
      await press('Import as a new building');
      await step(portal, 'Imported');
      await page.getByRole('link', { name: 'Open the building' }).click();
      await page.getByRole('heading', { name: 'Tower', level: 1 }).waitFor();
    }));
});
