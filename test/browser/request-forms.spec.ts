/** Forms of request types in the pages. contract.md section 5. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';

const CONFIGURATION = '/api/service-desk/configuration';
const REQUESTS = '/api/service-desk/requests';

const leak = {
  requestType: 'leak',
  name: 'Leak',
  description: 'Water where none should be.',
  category: 'plumbing',
  priority: 'high',
  fields: [
    {
      key: 'source',
      label: 'Where does it come from?',
      kind: 'choice',
      required: true,
      options: [
        { value: 'tap', label: 'A tap' },
        { value: 'pipe', label: 'A pipe' },
      ],
    },
    {
      key: 'size',
      label: 'Puddle in m²',
      kind: 'number',
      required: true,
      min: 0,
      max: 500,
      showIf: { key: 'source', equals: 'pipe' },
    },
    { key: 'since', label: 'Since when?', kind: 'date' },
    { key: 'wet', label: 'Is something electric wet?', kind: 'flag' },
    {
      key: 'harmed',
      label: 'What is harmed?',
      kind: 'choices',
      options: [
        { value: 'floor', label: 'The floor' },
        { value: 'ceiling', label: 'The ceiling' },
      ],
    },
    { key: 'below', label: 'Room below', kind: 'space' },
    { key: 'contact', label: 'Who can be asked?', kind: 'person' },
  ],
};
const lost = {
  requestType: 'lost',
  name: 'Lost property',
  fields: [{ key: 'what', label: 'What was lost?', kind: 'text', required: true, max: 100 }],
};

describe.skipIf(!hasChromium)('forms of request types', () => {
  const { as, call, ticket } = portalServer();
  const manager = 'manager@acme.test';
  const agent = 'agent@acme.test';
  let room: { id: string; code: string };

  beforeAll(async () => {
    const desk = await call(manager, 'GET', CONFIGURATION);
    await call(manager, 'PUT', CONFIGURATION, { ...desk, requestTypes: [leak, lost] });
    const { items } = await call(agent, 'GET', '/api/v1/buildings');
    const path = `/api/v1/buildings/${items[0].id}/spaces?limit=1`;
    [room] = (await call(agent, 'GET', path)).items;
  });

  it.each(['light', 'dark'] as const)('are filled in for a new ticket, and read, in %s', (scheme) =>
    as(
      agent,
      async (portal) => {
        const { page, press } = portal;
        await portal.at('#/tickets', 'Tickets');
        await press('New ticket');
        const form = page.getByRole('dialog', { name: 'New ticket' });
        const field = (name: string) => form.getByLabel(name, { exact: true });
        await field('Subject').fill('Water');
        await field('Description').fill('Water on the floor.');
        await field('Request type').selectOption('leak');
        await field('Where does it come from?').selectOption('pipe');
        await field('Puddle in m²').fill('3');
        await field('Since when? (optional)').fill('2026-02-28');
        await field('Is something electric wet? (optional)').selectOption('yes');
        await form.getByText('The floor').click();
        await form.getByText('The ceiling').click();

        // Another type and back: nothing that was typed is lost.
        await field('Request type').selectOption('lost');
        await field('What was lost?').fill('A glove');
        expect(await form.getByText('Puddle in m²').count()).toBe(0);
        await field('Request type').selectOption('leak');
        await expect.poll(() => field('Puddle in m²').inputValue()).toBe('3');
        // A field that is not asked for is not there.
        await field('Where does it come from?').selectOption('tap');
        expect(await form.getByText('Puddle in m²').count()).toBe(0);
        await field('Where does it come from?').selectOption('');
        await press('Raise');
        await form.getByText('Is required', { exact: true }).waitFor();
        // The focus is on what is to be mended.
        await form.locator('[aria-invalid]:focus').waitFor();
        // The browser logs the refusal.
        portal.complaints.length = 0;
        await field('Where does it come from?').selectOption('pipe');
        const below = field('Room below (optional)');
        await below.locator(`option[value="${room.id}"]`).waitFor({ state: 'attached' });
        await below.selectOption(room.id);
        expect(await seriousIn(page)).toEqual([]);
        if (scheme === 'light') await takePicture(page, 'request-form', 860);
        await press('Raise');
        await page.getByRole('heading', { name: 'Water' }).waitFor();

        const id = page.url().split('/').at(-1)!;
        expect(await ticket(id)).toMatchObject({
          requestType: 'leak',
          priority: 'high',
          category: 'plumbing',
          formData: {
            source: 'pipe',
            size: 3,
            since: '2026-02-28',
            wet: true,
            harmed: ['floor', 'ceiling'],
            below: room.id,
          },
        });
        for (const words of ['A pipe', 'The floor, The ceiling', 'Yes', 'Puddle in m²'])
          await page.getByText(words, { exact: true }).waitFor();
        await page
          .getByText(new RegExp(`^${room.code} .*, `))
          .first()
          .waitFor();
        expect(await seriousIn(page)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await widerThanWindow(page)).toEqual([]);
      },
      { colorScheme: scheme },
    ),
  );

  it('are changed with the ticket, and drop answers to removed questions', async () => {
    const { items } = await call(agent, 'GET', '/api/v1/buildings');
    const { id, number } = await call(agent, 'POST', REQUESTS, {
      buildingId: items[0].id,
      description: 'Drip',
      requestType: 'leak',
      formData: { source: 'pipe', size: 1, wet: false },
    });
    await as(agent, async (portal) => {
      const { page, press } = portal;
      await portal.at(`#/tickets/${id}`, 'Drip');
      await page.getByText('A pipe', { exact: true }).waitFor();
      await press('Edit');
      const form = page.getByRole('dialog', { name: `Edit ${number}` });
      const field = (name: string) => form.getByLabel(name, { exact: true });
      await expect
        .poll(() => field('Is something electric wet? (optional)').inputValue())
        .toBe('no');
      await field('Is something electric wet? (optional)').selectOption('');
      await field('Since when? (optional)').fill('2026-03-01');
      await field('Where does it come from?').selectOption('tap');
      await press('Save');
      await page.getByText('A tap', { exact: true }).waitFor();
      expect((await ticket(id))['formData']).toEqual({ source: 'tap', since: '2026-03-01' });
    });
  });

  it('are made by a manager, with a preview, and counted from the next ticket on', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      await portal.at('#/desk/types', 'Service desk');
      await press('Add a request type');
      const field = (name: string) => page.getByLabel(name, { exact: true });
      await field('Name').fill('Key');
      await field('Type of request').fill('key');
      await field('Category of its tickets').fill('access');
      await field('Priority of its tickets').selectOption('low');
      await press('Add a field');
      const first = page.getByRole('group', { name: 'Which door?' });
      await field('Label').fill('Which door?');
      await first.getByLabel('Key').fill('door');
      await first.getByLabel('Kind').selectOption('choice');
      await first.getByLabel('Options, one per line').fill('main: Main entrance\nother');
      // Walked by arrow keys, the list passes other kinds.
      await first.getByLabel('Kind').selectOption('text');
      await first.getByLabel('Kind').selectOption('choice');
      expect(await first.getByLabel('Options, one per line').inputValue()).toBe(
        'main: Main entrance\nother',
      );
      await first.getByLabel('Required').check();
      await press('Add a field');
      const second = page.getByRole('group', { name: 'New field' });
      await second.getByLabel('Shown').selectOption('door');
      await second.getByText('other', { exact: true }).click();
      await second.getByText('Main entrance', { exact: true }).click();
      await second.getByLabel('Most characters').fill('50');
      await second.getByLabel('Key').fill('room');
      await second.getByLabel('Label').fill('Which one?');

      // The preview is the form that requesters will see.
      const preview = page.getByRole('region', { name: 'Preview' });
      expect(await preview.getByText('Which one?').count()).toBe(0);
      await preview.getByLabel('Which door?').selectOption('other');
      await preview.getByLabel('Which one? (optional)').fill('Cellar');
      expect(await seriousIn(page)).toEqual([]);
      await takePicture(page, 'request-types', 860);
      await press('Save');
      await page.getByText('The configuration is saved.', { exact: false }).waitFor();
      const { requestTypes } = await call(manager, 'GET', CONFIGURATION);
      expect(requestTypes).toEqual([
        leak,
        lost,
        {
          requestType: 'key',
          name: 'Key',
          category: 'access',
          priority: 'low',
          fields: [
            {
              key: 'door',
              label: 'Which door?',
              kind: 'choice',
              required: true,
              options: [
                { value: 'main', label: 'Main entrance' },
                { value: 'other', label: 'other' },
              ],
            },
            {
              key: 'room',
              label: 'Which one?',
              kind: 'text',
              max: 50,
              showIf: { key: 'door', equals: ['other'] },
            },
          ],
        },
      ]);

      // A trial fills the form in as a ticket does.
      await page.getByRole('tab', { name: 'Try it' }).click();
      await field('Description').fill('Locked out');
      await field('Request type').selectOption('key');
      await field('Which door?').selectOption('main');
      await press('Simulate');
      await page.locator('.outcome').getByText('by its priority').waitFor();
      await page.getByRole('tab', { name: 'Request types' }).click();
      await press('Key');

      // A key that two fields have is refused at the field.
      await page.getByRole('group', { name: 'Which one?' }).getByLabel('Key').fill('door');
      await press('Save');
      await page.getByRole('button', { name: '“Key”, key' }).waitFor();
      portal.complaints.length = 0;
      for (const width of [1_280, 768, 390]) {
        await page.setViewportSize({ width, height: 860 });
        expect(await widerThanWindow(page), String(width)).toEqual([]);
      }
      expect(await seriousIn(page)).toEqual([]);
    }));
});
