/** Lists by the answers of forms, and the editor of forms, in the pages. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';

const option = ([value, label]: readonly [string, string]) => ({ value, label });
const leak = {
  requestType: 'leak',
  name: 'Leak',
  icon: 'water',
  fields: [
    {
      key: 'source',
      label: 'Source',
      kind: 'choice',
      options: (
        [
          ['tap', 'A tap'],
          ['pipe', 'A pipe'],
        ] as const
      ).map(option),
    },
    {
      key: 'harmed',
      label: 'Harmed',
      kind: 'choices',
      options: (
        [
          ['floor', 'The floor'],
          ['desk', 'A desk'],
        ] as const
      ).map(option),
    },
    { key: 'wet', label: 'Electric parts wet', kind: 'flag' },
    { key: 'contact', label: 'Contact', kind: 'person' },
  ],
};
const lost = {
  requestType: 'lost',
  name: 'Lost property',
  icon: 'unheard-of',
  fields: [{ key: 'what', label: 'What', kind: 'text' }],
};
/** More people than one list of them has. */
const users = Array.from({ length: 130 }, (_, at) => ({
  userId: `person-${at}`,
  name: at === 129 ? 'Zoë Last' : `Person ${at}`,
}));

describe.skipIf(!hasChromium)('forms of request types in lists and in the editor', () => {
  const { as, call, ticket } = portalServer();
  const manager = 'manager@acme.test';
  const agent = 'agent@acme.test';
  let buildingId: string;

  beforeAll(async () => {
    const desk = await call(manager, 'GET', CONFIGURATION);
    await call(manager, 'PUT', CONFIGURATION, {
      ...desk,
      requestTypes: [leak, lost],
      directory: { users, teams: [] },
    });
    buildingId = (await call(agent, 'GET', '/api/v1/buildings')).items[0].id;
    const raise = (subject: string, requestType: string, formData: object) =>
      call(agent, 'POST', REQUESTS, {
        buildingId,
        subject,
        description: subject,
        requestType,
        formData,
      });
    await raise('Drip', 'leak', { source: 'tap', wet: false });
    await raise('Flood', 'leak', { source: 'pipe', wet: true, harmed: ['floor', 'desk'] });
    await raise('Puddle', 'leak', { source: 'pipe', wet: false, harmed: ['floor'] });
    await raise('Umbrella', 'lost', { what: 'An umbrella' });
    await raise('Old one', 'gone', { colour: 'red' });
  });

  it.each(['light', 'dark'] as const)('filter the list and are its columns, in %s', (scheme) =>
    as(
      agent,
      async (portal) => {
        const { page, press } = portal;
        await portal.at('#/tickets', 'Tickets');
        const subjects = () => page.locator('tr[data-ticket] a.subject').allInnerTexts();
        await press('Filters');
        const leaks = page.locator('summary[data-type="leak"]');
        await leaks.click();
        await page.getByRole('group', { name: 'Source' }).getByText('A pipe').click();
        await expect.poll(async () => (await subjects()).toSorted()).toEqual(['Flood', 'Puddle']);
        await page.getByLabel('Electric parts wet', { exact: true }).first().selectOption('true');
        await expect.poll(subjects).toEqual(['Flood']);
        const chips = page.getByRole('list', { name: 'Filters that are set' });
        await chips.getByText('Source: A pipe').waitFor();
        await chips.getByText('Electric parts wet: Yes').waitFor();

        const own = page.getByRole('group', { name: 'Columns of Leak' });
        await own.getByText('Source', { exact: true }).click();
        await own.getByText('Harmed', { exact: true }).click();
        await page.getByRole('gridcell', { name: 'The floor, A desk' }).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect(page.url()).toContain('field.source=pipe');

        await chips.getByRole('button', { name: 'Remove the filter Electric parts wet' }).click();
        await expect.poll(async () => (await subjects()).toSorted()).toEqual(['Flood', 'Puddle']);
        await expect.poll(() => page.url()).not.toContain('field.wet');
        await expect
          .poll(() => page.locator('tr[data-ticket] [data-icon="water"]').count())
          .toBe(2);
        await page.setViewportSize({ width: 1_280, height: 1_240 });
        if (scheme === 'light') await takePicture(page, 'form-filters', 1_240);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await widerThanWindow(page)).toEqual([]);
        expect(await seriousIn(page)).toEqual([]);
      },
      { colorScheme: scheme },
    ),
  );

  it('show answers to unknown fields, and a fallback for unknown icons', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await portal.at('#/tickets?view=x&field.colour=red&columns=number,field.colour', 'Tickets');
      await page.getByRole('button', { name: 'Remove the filter colour: red' }).waitFor();
      await page.getByRole('gridcell', { name: 'red', exact: true }).waitFor();
      await page.getByRole('columnheader', { name: 'colour' }).waitFor();
      await portal.at('#/tickets?view=x&search=Umbrella&columns=requestType', 'Tickets');
      const cell = page.getByRole('gridcell', { name: 'Lost property' });
      await cell.locator('[data-icon="form"]').waitFor();
    }));

  it('are kept in a view, with their columns', () =>
    as(agent, async (portal) => {
      const { page, press } = portal;
      await portal.at('#/tickets?view=x&field.source=tap&columns=number,field.source', 'Tickets');
      await press('Save view');
      await page.getByLabel('Name', { exact: true }).fill('From taps');
      await press('Save');
      await page.getByRole('link', { name: /^From taps/ }).waitFor();
      const { items } = await call(agent, 'GET', '/api/service-desk/views');
      expect(items).toMatchObject([
        { filters: { 'field.source': 'tap' }, columns: ['number', 'field.source'] },
      ]);
    }));

  it('find a person among more than a list has', () =>
    as(agent, async (portal) => {
      const { page, press } = portal;
      await portal.at('#/tickets', 'Tickets');
      await press('New ticket');
      const form = page.getByRole('dialog', { name: 'New ticket' });
      await form.getByLabel('Subject', { exact: true }).fill('Asked');
      await form.getByLabel('Description', { exact: true }).fill('Ask somebody.');
      await form.getByLabel('Request type', { exact: true }).selectOption('leak');
      await form.getByRole('button', { name: 'Contact (optional)' }).click();
      const search = page.getByRole('combobox', { name: 'Contact (optional)' });
      await search.fill('zoë');
      await page.getByRole('option', { name: /Zoë Last/ }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await search.press('Enter');
      await form.getByRole('button', { name: 'Contact (optional) Zoë Last' }).waitFor();
      await press('Raise');
      await page.getByRole('heading', { name: 'Asked' }).waitFor();
      const id = page.url().split('/').at(-1)!;
      expect((await ticket(id))['formData']).toEqual({ contact: 'person-129' });
      await page.getByText('Zoë Last').first().waitFor();
    }));

  it('are reordered by keys, buttons and drag, and nothing half typed is lost', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      await portal.at('#/desk/types', 'Service desk');
      const group = (name: string) => page.getByRole('group', { name, exact: true });
      const labels = () =>
        page
          .locator('fieldset[data-item]')
          .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      await group('Harmed').getByLabel('Options, one per line').fill('floor: The floor\ndesk:');
      const handle = (name: string) => group(name).getByRole('button', { name: `Move ${name}, ` });
      await handle('Harmed').focus();
      await page.keyboard.press('ArrowUp');
      expect(await labels()).toEqual(['Harmed', 'Source', 'Electric parts wet', 'Contact']);
      const focused = handle('Harmed').and(page.locator(':focus'));
      await expect.poll(() => focused.count()).toBe(1);
      await press('Move Contact up');
      await press('Move Harmed down');
      expect(await labels()).toEqual(['Source', 'Harmed', 'Contact', 'Electric parts wet']);
      const half = group('Harmed').getByLabel('Options, one per line');
      await expect.poll(() => half.inputValue()).toBe('floor: The floor\ndesk:');

      // All of them fit, so that there is a place to drop it at.
      await page.setViewportSize({ width: 1_280, height: 2_400 });
      const from = (await handle('Electric parts wet').boundingBox())!;
      const to = (await group('Source').boundingBox())!;
      await page.mouse.move(from.x + 5, from.y + 5);
      await page.mouse.down();
      await page.mouse.move(from.x + 5, to.y + 2, { steps: 5 });
      await page.mouse.up();
      expect(await labels()).toEqual(['Electric parts wet', 'Source', 'Harmed', 'Contact']);
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('Electric parts wet (optional)').waitFor();

      await page.getByRole('radio', { name: 'heat' }).check({ force: true });
      await preview.locator('[data-icon="heat"]').waitFor();
      await page.getByText('requesters neither see this type', { exact: false }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await takePicture(page, 'form-editor', 1_100);
      for (const width of [768, 390]) {
        await page.setViewportSize({ width, height: 844 });
        expect(await widerThanWindow(page), String(width)).toEqual([]);
      }
      await page.setViewportSize({ width: 1_280, height: 860 });

      // Text typed for a removed type does not carry over to the next one.
      await press('Remove “Leak”');
      expect(await labels()).toEqual(['What']);
      await press('Undo changes');
      await expect.poll(labels).toEqual(['Source', 'Harmed', 'Electric parts wet', 'Contact']);
    }));

  it('are tried with errors by field, and rules that name no type are warned of', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      const desk = await call(manager, 'GET', CONFIGURATION);
      const [source, ...others] = leak.fields;
      await call(manager, 'PUT', CONFIGURATION, {
        ...desk,
        requestTypes: [{ ...leak, fields: [{ ...source, required: true }, ...others] }, lost],
        routingRules: [{ ruleId: 'wet', name: 'Wet', match: { requestType: 'laek' } }],
      });
      await portal.at('#/desk/try', 'Service desk');
      await page.getByRole('tab', { name: 'Try it' }).click();
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await field('Description').fill('Water');
      await field('Request type').selectOption('leak');
      await press('Simulate');
      await page.getByText('Is required', { exact: true }).waitFor();
      portal.complaints.length = 0;
      await field('Source').selectOption('tap');
      await press('Simulate');
      await page.getByText('did you mean leak?', { exact: false }).waitFor();
      expect(await page.getByText('Is required', { exact: true }).count()).toBe(0);
    }));
});
