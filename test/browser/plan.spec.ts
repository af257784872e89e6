/** The plan page of the portal. contract.md section 6 «Outlines». */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { pressUntil, seriousIn, type OpenPortal } from '../support/browser/portal.ts';

const MARKUP = '<img src=x onerror="document.title=1">';

/** In the browser: two fingers 100 pixels apart, one of which moves to twice that. */
const TWO_FINGERS = `{
  const svg = document.querySelector('.plan-canvas > svg');
  const { left, top } = svg.getBoundingClientRect();
  // The browser knows no such fingers.
  svg.setPointerCapture = () => {};
  const send = (type, pointerId, x) => svg.dispatchEvent(new PointerEvent(type, {
    pointerId, clientX: left + x, clientY: top + 200, pointerType: 'touch', bubbles: true,
  }));
  send('pointerdown', 1, 100);
  send('pointerdown', 2, 200);
  send('pointermove', 2, 300);
  send('pointerup', 2, 300);
  send('pointerup', 1, 100);
}`;

/** In the browser: a drag that ends with a click on a room, as browsers without capture send it. */
const DRAG_WITH_CLICK = `{
  const room = document.querySelector('[data-room]');
  const svg = room.ownerSVGElement;
  const { left, top } = svg.getBoundingClientRect();
  svg.setPointerCapture = () => {};
  const send = (type, x) => room.dispatchEvent(new PointerEvent(type, {
    pointerId: 3, clientX: left + x, clientY: top + 200, bubbles: true,
  }));
  send('pointerdown', 100);
  send('pointermove', 150);
  send('pointerup', 150);
  room.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}`;

/** In the browser: labels with a name, of 12 pixels a line, in rooms too low for two lines. */
const TOO_HIGH = `[...document.querySelectorAll('.plan-labels text:has(.plan-name)')]
  .filter((label) => {
    const { left, right, top, bottom } = label.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return ![...document.querySelectorAll('[data-room]')].some((room) => {
      const box = room.getBoundingClientRect();
      return box.left < x && x < box.right && box.top < y && y < box.bottom && box.height > 32;
    });
  })
  .map((label) => label.textContent)`;

/** Of rooms without outlines. */
const AREAS = [120, 84, 60, 48, 36, 36, 30, 24, 20, 18, 12, 8];

interface PlanRoom {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

describe.skipIf(!hasChromium)('the plan page', () => {
  const { open, as, call, raise, server } = portalServer();
  const manager = 'manager@acme.test';
  const agent = 'agent@acme.test';
  let office: string;
  let rooms: readonly PlanRoom[];
  let storeyId: string;
  let schematic: string;

  const imported = async (
    code: string,
    spaces: readonly object[],
    storeys: readonly object[] = [],
  ) =>
    (
      await call(manager, 'POST', '/api/v1/buildings/import', {
        site: { code: 'PLANS', name: 'Plans' },
        building: {
          code,
          name: `Building ${code}`,
          storeys: [{ code: 'G', name: 'Ground', level: 0, spaces }, ...storeys],
        },
      })
    ).buildingId as string;
  const square = (x: number) => [
    [
      [x, 0],
      [x + 5, 0],
      [x + 5, 4],
      [x, 4],
    ],
  ];
  const room = (code: string, more: object = {}) => ({
    code,
    name: `Room ${code}`,
    spaceTypeSlug: 'office',
    areaSqm: 20,
    ...more,
  });

  beforeAll(async () => {
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    office = items[0].id;
    const plan = await call(manager, 'GET', `/api/v1/buildings/${office}/plan`);
    [rooms, storeyId] = [plan.spaces, plan.storey.id];
    schematic = await imported(
      'S',
      AREAS.map((areaSqm, at) => room(String(at + 1).padStart(3, '0'), { areaSqm })),
    );
  });

  const addressOf = (buildingId: string, query = '') => `#/buildings/${buildingId}/plan${query}`;
  const at = (portal: OpenPortal, query = '') => portal.at(addressOf(office, query), /^Plan of/);
  const isWithinWidth = ({ page }: OpenPortal) =>
    page.evaluate('document.documentElement.scrollWidth <= innerWidth');
  const picture = (page: Page) => page.locator('.plan-canvas > svg:first-child');
  const transform = (page: Page) => page.locator('.plan-world').getAttribute('transform');
  const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name });
  const panel = (page: Page, name: string) => page.getByRole('region', { name });

  it('is reached from the building and from a row of its spaces', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await portal.at(`#/buildings/${office}`, 'Harbour House');
      await page.getByRole('link', { name: 'Plan', exact: true }).click();
      await page.getByRole('heading', { name: 'Plan of Harbour House', level: 1 }).waitFor();
      await portal.at(`#/buildings/${office}/spaces/${storeyId}`, 'Harbour House');
      await page.getByRole('link', { name: rooms[0]!.name }).click();
      await panel(page, `${rooms[0]!.code} ${rooms[0]!.name}`).waitFor();
    }));

  it('draws each room with its code, walls, doors and windows, north and a scale', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      const drawn = page.locator('[data-room]');
      await expect.poll(() => drawn.count()).toBe(rooms.length);
      await expect
        .poll(() => page.locator('.plan-labels text > tspan:first-child').allTextContents())
        .toEqual(rooms.map(({ code }) => code));
      for (const kind of ['walls', 'doors', 'windows'])
        await expect.poll(() => page.locator(`.plan-${kind}`).getAttribute('d')).toMatch(/^M/);
      await page.getByRole('img', { name: /^North is 20°/ }).waitFor();
      await expect.poll(() => page.locator('.plan-scale').textContent()).toMatch(/^\d+ m$/);
    }));

  it('writes the names of rooms where they fit, more of them in a larger picture', () =>
    as(agent, async (portal) => {
      const { page, press } = portal;
      await at(portal);
      const names = page.locator('.plan-name');
      await expect.poll(() => names.count()).toBeGreaterThan(0);
      const before = await names.count();
      expect(before).toBeLessThan(rooms.length);
      expect(await page.evaluate(TOO_HIGH)).toEqual([]);
      for (let n = 0; n < 4; n += 1) {
        await press('Zoom in');
        await expect.poll(() => page.evaluate(TOO_HIGH)).toEqual([]);
      }
      await expect.poll(() => names.count()).toBeGreaterThan(before);
    }));

  it('moves and zooms without rendering a room again', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal, '?colour=none');
      await page.locator('.plan-scale').waitFor();
      const fitted = await transform(page);
      await page.evaluate(`{
        globalThis.mutations = 0;
        new MutationObserver((list) => { globalThis.mutations += list.length; }).observe(
          document.querySelector('.plan-rooms'),
          { subtree: true, childList: true, attributes: true },
        );
      }`);
      const { x, y } = (await picture(page).boundingBox())!;
      await page.mouse.move(x + 200, y + 300);
      await page.mouse.down();
      await page.mouse.move(x + 260, y + 320, { steps: 5 });
      await page.mouse.up();
      await expect.poll(() => transform(page)).not.toBe(fitted);
      // A drag opens no room.
      expect(page.url()).not.toContain('space=');
      const moved = await transform(page);
      await page.mouse.wheel(0, -300);
      await expect.poll(() => transform(page)).not.toBe(moved);
      const zoomed = await transform(page);
      await page.keyboard.press('-');
      await expect.poll(() => transform(page)).not.toBe(zoomed);
      await page.keyboard.press('0');
      await expect.poll(() => transform(page)).toBe(fitted);
      await page.keyboard.press('+');
      await expect.poll(() => transform(page)).not.toBe(fitted);
      expect(await page.evaluate('globalThis.mutations')).toBe(0);
    }));

  it('does not treat a drag as a click', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      await page.locator('.plan-scale').waitFor();
      const fitted = await transform(page);
      await page.evaluate(DRAG_WITH_CLICK);
      await expect.poll(() => transform(page)).not.toBe(fitted);
      expect(page.url()).not.toContain('space=');
      await page.locator('[data-room]').first().dispatchEvent('click');
      await expect.poll(() => page.url()).toContain('space=');
    }));

  it('zooms by two fingers', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      await page.locator('.plan-scale').waitFor();
      const scale = async () => Number(/\(([\d.]+)/.exec((await transform(page))!)![1]);
      const before = await scale();
      await page.evaluate(TWO_FINGERS);
      await expect.poll(scale).toBeCloseTo(2 * before, 1);
    }));

  it('keeps storey and room in the address, and Back returns to them', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      await option(page, rooms[1]!.name).click();
      await panel(page, `${rooms[1]!.code} ${rooms[1]!.name}`).waitFor();
      expect(page.url()).toContain(`space=${rooms[1]!.id}`);
      await page.getByRole('link', { name: /First floor/ }).click();
      await page.getByRole('listbox', { name: 'Rooms of First floor' }).waitFor();
      await page.goBack();
      await panel(page, `${rooms[1]!.code} ${rooms[1]!.name}`).waitFor();
      await page.reload();
      await panel(page, `${rooms[1]!.code} ${rooms[1]!.name}`).waitFor();
      await page.keyboard.press('Escape');
      await panel(page, `${rooms[1]!.code} ${rooms[1]!.name}`).waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('space=');
    }));

  it('shows a thumbnail of each storey, and changes storeys by keyboard', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      await expect.poll(() => page.locator('.plan-thumbnail path').count()).toBe(3);
      await page.getByRole('link', { name: /Ground floor/ }).focus();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('listbox', { name: 'Rooms of First floor' }).waitFor();
      await page.keyboard.press('ArrowUp');
      await page.getByRole('listbox', { name: 'Rooms of Second floor' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('listbox', { name: 'Rooms of First floor' }).waitFor();
    }));

  it('has its rooms as a list, which marks the plan and is marked by it', () =>
    as(agent, async (portal) => {
      const { page } = portal;
      await at(portal);
      const search = page.getByRole('combobox', { name: 'Search a room' });
      await search.fill('meeting elbe');
      const found = page.getByRole('listbox').getByRole('option');
      await expect.poll(() => found.count()).toBe(1);
      await page.keyboard.press('ArrowDown');
      const shape = page.locator(
        `[data-room="${rooms.find(({ name }) => /Elbe/.test(name))!.id}"]`,
      );
      await expect
        .poll(() => page.locator('.plan-hot').getAttribute('d'))
        .toBe(await shape.getAttribute('d'));
      await page.keyboard.press('Enter');
      await page.locator('.plan-chosen').waitFor();
      await page.keyboard.press('Escape');
      await search.fill('');
      await shape.hover();
      await expect
        .poll(() => page.locator('li.active').textContent())
        .toContain('Meeting room Elbe');
      const active = await search.getAttribute('aria-activedescendant');
      await expect.poll(() => page.locator(`[id="${active}"]`).textContent()).toContain('Elbe');
      await page.locator('.plan-tip', { hasText: 'Meeting room Elbe' }).waitFor();
    }));

  it('opens a room with its tickets, faults, points and elements, and raises a ticket there', () =>
    as(agent, async (portal) => {
      const { page, press } = portal;
      const elbe = rooms.find(({ name }) => /Elbe/.test(name))!;
      await raise({ spaceId: elbe.id, subject: 'Blind is stuck' });
      await at(portal);
      await page.locator(`[data-room="${elbe.id}"]`).click();
      const shown = panel(page, `${elbe.code} ${elbe.name}`);
      await shown.getByRole('link', { name: 'Blind is stuck' }).waitFor();
      await shown.getByText('Meeting room', { exact: true }).waitFor();
      await shown.getByRole('heading', { name: 'Open faults (0)' }).waitFor();
      await shown.getByRole('link', { name: 'Room temperature' }).waitFor();
      await shown.getByText('Room sensor Elbe').waitFor();
      await press('Raise a ticket here');
      const form = page.getByRole('dialog', { name: 'New ticket' });
      await expect.poll(() => form.getByLabel('Space').inputValue()).toBe(elbe.id);
      await expect.poll(() => form.getByLabel('Storey').inputValue()).toBe(storeyId);
      await form.getByLabel('Description').fill('The projector hums.');
      await form.getByRole('button', { name: 'Raise' }).click();
      await page.getByText(/^SR-\d+ is raised/).waitFor();
      await page.getByText('The projector hums.').first().waitFor();
    }));

  it("moves a room's ticket from the open ones to the history when it ends", () =>
    as(agent, async (portal) => {
      const { page } = portal;
      const elbe = rooms.find(({ name }) => /Elbe/.test(name))!;
      const { id } = await raise({ spaceId: elbe.id, subject: 'Lamp flickers' });
      await at(portal);
      await page.locator(`[data-room="${elbe.id}"]`).click();
      const shown = panel(page, `${elbe.code} ${elbe.name}`);
      const rowsOf = (title: RegExp) =>
        shown.getByRole('heading', { name: title }).locator('xpath=following-sibling::*[1]');
      await rowsOf(/^Open tickets/)
        .getByRole('link', { name: 'Lamp flickers' })
        .waitFor();
      await call(agent, 'POST', `/api/service-desk/requests/${id}/transition`, {
        state: 'cancelled',
      });
      const past = rowsOf(/^History/).locator('li', { hasText: 'Lamp flickers' });
      await past.getByText('Cancelled').waitFor();
      await expect
        .poll(() =>
          rowsOf(/^Open tickets/)
            .getByRole('link', { name: 'Lamp flickers' })
            .count(),
        )
        .toBe(0);
    }));

  it('is marked as schematic, with the rooms without outline and the omitted ones', async () => {
    const partly = await imported('P', [
      room('1', { outline: square(0) }),
      room('2', { outline: square(6) }),
      room('3'),
    ]);
    await as(agent, async (portal) => {
      const { page } = portal;
      await portal.at(addressOf(schematic), 'Plan of Building S');
      await page.getByText(/This plan is schematic/).waitFor();
      await expect.poll(() => page.locator('[data-room]').count()).toBe(AREAS.length);
      expect(await page.locator('.plan-scale').count()).toBe(0);
      await portal.at(addressOf(partly), 'Plan of Building P');
      await page.getByText('1 room has no outline').waitFor();
      await expect.poll(() => page.locator('[data-room]').count()).toBe(2);
      await option(page, 'no outline').waitFor();
      await page.route(/\/plan(\?|$)/, async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), spacesTotal: 2_003 } });
      });
      await page.reload();
      await page.getByText('2,000 of 2,003 rooms are left out.').waitFor();
      await page.unrouteAll({ behavior: 'wait' });
    });
  });

  it('shows user input as text', async () => {
    const hostile = await imported(MARKUP, [
      room('<svg onload=alert(1)>', { name: MARKUP, outline: square(0), areaSqm: 20 }),
    ]);
    await as(agent, async (portal) => {
      const { page } = portal;
      await portal.at(addressOf(hostile), `Plan of Building ${MARKUP}`);
      await option(page, MARKUP).click();
      await panel(page, `<svg onload=alert(1)> ${MARKUP}`).waitFor();
      await page.locator('.plan-labels text', { hasText: '<svg onload=alert(1)>' }).waitFor();
      expect(await page.locator('.plan-page img').count()).toBe(0);
      expect(await page.title()).not.toBe('1');
    });
  });

  it('reports that a plan cannot be loaded, and retries', async () => {
    const { page } = await open(agent);
    await page.route(/\/plan(\?|$)/, (route) => route.abort());
    await page.goto(`${server().url}/${addressOf(office)}`);
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unroute(/\/plan(\?|$)/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('[data-room]').count()).toBe(rooms.length);
    await page.context().close();
  });

  it('offers a viewer no ticket', () =>
    as('viewer@acme.test', async (portal) => {
      await at(portal, `?space=${rooms[0]!.id}`);
      await panel(portal.page, `${rooms[0]!.code} ${rooms[0]!.name}`).waitFor();
      expect(await portal.page.getByRole('button', { name: /Raise/ }).count()).toBe(0);
    }));

  it('is printed on one page, light in the dark theme', () =>
    as(
      agent,
      async (portal) => {
        const { page } = portal;
        await at(portal);
        await page.locator('.plan-scale').waitFor();
        await page.emulateMedia({ media: 'print' });
        const paper = 'getComputedStyle(document.body).backgroundColor';
        expect(await page.evaluate(paper)).toBe('rgb(255, 255, 255)');
        expect(await page.getByRole('button', { name: 'Zoom in' }).count()).toBe(0);
        const pdf = await page.pdf({ preferCSSPageSize: true });
        expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      },
      { colorScheme: 'dark' },
    ));

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 390],
  ] as const)('is accessible in the %s theme, %i pixels wide', (colorScheme, width) =>
    as(
      manager,
      async (portal) => {
        const { page } = portal;
        for (const address of [
          addressOf(office, `?space=${rooms[4]!.id}`),
          addressOf(office),
          addressOf(schematic),
        ]) {
          await portal.at(address, /^Plan of/);
          await expect.poll(() => page.locator('[data-room]').count()).toBeGreaterThan(0);
          expect(await seriousIn(page)).toEqual([]);
          expect(await isWithinWidth(portal)).toBe(true);
        }
      },
      { colorScheme, viewport: { width, height: 860 } },
    ),
  );

  describe('in colours', () => {
    const shape = (page: Page, { id }: PlanRoom) => page.locator(`[data-room="${id}"]`);
    const shade = (page: Page, room: PlanRoom) => shape(page, room).getAttribute('class');
    const named = (pattern: RegExp) => rooms.find(({ name }) => pattern.test(name))!;
    const legend = (page: Page) => page.getByRole('group', { name: 'Legend' });
    const colourings = (page: Page) => page.getByLabel('Colour by');
    const TEMPERATURE = 'point:Zone_Air_Temperature_Sensor';
    const HOUR_MS = 3_600_000;
    let temperature: { readonly id: string; readonly spaceId: string };

    const observe = (value: number, ageMs = 0) =>
      call(manager, 'POST', `/api/v1/buildings/${office}/observations`, {
        observations: [
          {
            pointId: temperature.id,
            value,
            timestamp: new Date(Date.now() - ageMs).toISOString(),
          },
        ],
      });

    beforeAll(async () => {
      const elbe = named(/Elbe/);
      const { items } = await call(
        manager,
        'GET',
        `/api/v1/buildings/${office}/points?spaceId=${elbe.id}`,
      );
      temperature = items.find(
        ({ pointClass }: { pointClass: string }) => TEMPERATURE === `point:${pointClass}`,
      );
      await observe(17.25, 6 * HOUR_MS);
      await observe(21.5, HOUR_MS);
      const layer = (slug: string, values: readonly unknown[]) =>
        call(manager, 'PUT', `/api/v1/buildings/${office}/data-layers/${slug}/values`, {
          keyBy: 'id',
          values: values.map((value, at) => ({ key: rooms[at]!.id, value })),
        });
      await layer('occupancy', [10, 25, 40]);
      await layer('use', [MARKUP, 'desks', 'desks', 'store']);
    });

    it('shows the worst priority of open tickets, and follows them as they change', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        const place = named(/Weser/);
        await at(portal);
        await expect.poll(() => colourings(page).inputValue()).toBe('tickets');
        await legend(page).getByText('overdue (hatched)').waitFor();
        await page.evaluate(`{
          globalThis.painted = [];
          new MutationObserver((list) => {
            for (const { target } of list) globalThis.painted.push(target.dataset.room);
          }).observe(document.querySelector('.plan-rooms'), { subtree: true, attributes: true });
        }`);
        const { id } = await raise({ spaceId: place.id, priority: 'low' });
        await expect.poll(() => shade(page, place)).toContain('level-low');
        await option(page, `${place.code} ${place.name} 1 open, low`).waitFor();
        await raise({ spaceId: place.id, priority: 'critical' });
        await expect.poll(() => shade(page, place)).toContain('level-critical');
        await option(page, `${place.code} ${place.name} 2 open, critical`).waitFor();
        // The other rooms are left as they are.
        expect(new Set(await page.evaluate<string[]>('globalThis.painted'))).toEqual(
          new Set([place.id]),
        );
        const { items } = await call(
          agent,
          'GET',
          `/api/service-desk/requests?spaceId=${place.id}&priority=critical`,
        );
        await call(agent, 'POST', `/api/service-desk/requests/${items[0].id}/transition`, {
          state: 'cancelled',
        });
        await expect.poll(() => shade(page, place)).toContain('level-low');
        await call(agent, 'POST', `/api/service-desk/requests/${id}/transition`, {
          state: 'cancelled',
        });
        await expect.poll(() => shade(page, place)).not.toContain('level-');
      }));

    it('hatches overdue tickets, and names them in words', async () => {
      const { page, at: go } = await open(agent);
      const place = named(/Post/);
      await page.route(/\/plan\/colours/, (route) =>
        route.fulfill({
          json: {
            colour: 'tickets',
            at: null,
            kind: 'level',
            unit: null,
            scale: null,
            categories: null,
            spaces: [{ spaceId: place.id, value: 'high', count: 3, overdue: true }],
          },
        }),
      );
      await go(addressOf(office), /^Plan of/);
      await option(page, `${place.code} ${place.name} 3 open, high, overdue`).waitFor();
      await expect
        .poll(() =>
          page.evaluate(
            `getComputedStyle(document.querySelector('[data-room="${place.id}"]')).fill`,
          ),
        )
        .toContain('#plan-hatch-high');
      const halo = 'getComputedStyle(document.querySelector(".plan-labels")).paintOrder';
      expect(await page.evaluate(halo)).toBe('stroke');
      await shape(page, place).hover();
      await page.locator('.plan-tip', { hasText: '3 open, high, overdue' }).waitFor();
      await page.context().close();
    });

    it('shows numbers by a scale with its ends and unit, kept in the address', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        await at(portal);
        await colourings(page).selectOption('occupancy');
        await expect.poll(() => shade(page, rooms[0]!)).toContain('step-0');
        await expect.poll(() => shade(page, rooms[2]!)).toContain('step-8');
        expect(await shade(page, rooms[3]!)).not.toContain('step-');
        await expect.poll(() => legend(page).locator('.plan-ramp').textContent()).toBe('1040');
        await colourings(page).selectOption(TEMPERATURE);
        await option(page, /21.5 °C/).waitFor();
        await legend(page).getByText('21.5 °C').first().waitFor();
        expect(decodeURIComponent(page.url())).toContain(`colour=${TEMPERATURE}`);
        await page.goBack();
        await expect.poll(() => colourings(page).inputValue()).toBe('layer:occupancy');
        await expect.poll(() => shade(page, rooms[0]!)).toContain('step-0');
        await colourings(page).selectOption('Nothing');
        await expect.poll(() => shade(page, rooms[0]!)).not.toContain('step-');
      }));

    it('shows categories by frequency, as text', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        await at(portal, '?colour=layer:use');
        await expect.poll(() => shade(page, rooms[1]!)).toContain('category-0');
        expect(await shade(page, rooms[2]!)).toContain('category-0');
        const keys = legend(page).getByRole('listitem');
        await expect
          .poll(() => keys.allTextContents())
          .toEqual(['desks', MARKUP, 'store', 'no value']);
        await option(page, `${rooms[0]!.code} ${rooms[0]!.name} ${MARKUP}`).waitFor();
      }));

    it('reads values again as they come', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        await at(portal, `?colour=${TEMPERATURE}`);
        await option(page, /21.5 °C/).waitFor();
        await observe(23.75);
        await option(page, /23.75 °C/).waitFor();
        await observe(21.5);
        await option(page, /21.5 °C/).waitFor();
      }));

    it('goes back a day by a slider, whose position is in the address', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        await at(portal, `?colour=${TEMPERATURE}`);
        await option(page, /21.5 °C/).waitFor();
        const slider = page.getByRole('slider', { name: 'A day back, to now' });
        await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Now');
        // Who wants little motion plays nothing.
        expect(await page.getByRole('button', { name: 'Play the last day' }).count()).toBe(0);
        await slider.focus();
        for (let quarters = 0; quarters < 12; quarters += 1) await page.keyboard.press('ArrowLeft');
        await option(page, /17.25 °C/).waitFor();
        expect(page.url()).toContain('at=');
        await page.reload();
        await option(page, /17.25 °C/).waitFor();
        await page.getByRole('slider').focus();
        await page.keyboard.press('End');
        await option(page, /21.5 °C/).waitFor();
        expect(page.url()).not.toContain('at=');
      }));

    it('plays the day, and stops on request', () =>
      as(
        agent,
        async (portal) => {
          const { page, press } = portal;
          await at(portal, `?colour=${TEMPERATURE}`);
          await option(page, /21.5 °C/).waitFor();
          // It waits for the values of each time.
          const looked = Promise.withResolvers<void>();
          await page.route(/\/plan\/colours\?.*\bat=/, async (route) => {
            await looked.promise;
            await route.continue();
          });
          await press('Play the last day');
          const slider = page.getByRole('slider');
          await expect.poll(async () => Number(await slider.inputValue())).toBeLessThan(20);
          const early = Number(await slider.inputValue());
          looked.resolve();
          await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(early);
          expect(page.url()).not.toContain('at=');
          await press('Pause');
          await expect.poll(() => page.url()).toContain('at=');
          await page.getByRole('button', { name: 'Play the last day' }).waitFor();
        },
        { reducedMotion: 'no-preference' },
      ));

    it('shows the values of data layers with the room', () =>
      as(agent, async (portal) => {
        const { page } = portal;
        await at(portal, `?space=${rooms[1]!.id}`);
        const shown = panel(page, `${rooms[1]!.code} ${rooms[1]!.name}`);
        await shown.getByRole('heading', { name: 'Data layers' }).waitFor();
        await shown.getByText('desks').waitFor();
        await shown.getByText('25', { exact: true }).waitFor();
      }));

    it('offers no tickets without the permission to read them', () =>
      as('developer@acme.test', async (portal) => {
        const { page } = portal;
        await at(portal, `?space=${rooms[0]!.id}`);
        await expect.poll(() => colourings(page).inputValue()).toBe('faults');
        const shown = panel(page, `${rooms[0]!.code} ${rooms[0]!.name}`);
        await shown.getByRole('heading', { name: /^Open faults/ }).waitFor();
        expect(await shown.getByText(/ticket/i).count()).toBe(0);
      }));

    it('keeps the plan when its colours cannot be loaded, with a message', async () => {
      const { page, at: go } = await open(agent);
      await page.route(/\/plan\/colours/, (route) => route.abort());
      await go(addressOf(office), /^Plan of/);
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      await expect.poll(() => page.locator('[data-room]').count()).toBe(rooms.length);
      await page.unrouteAll({ behavior: 'wait' });
      const trouble = page.getByText('The server cannot be reached.');
      await pressUntil(
        page.getByRole('button', { name: 'Try again' }),
        async () => (await trouble.count()) === 0,
      );
      await page.context().close();
    });

    it.each(['light', 'dark'] as const)('is accessible in the %s theme', (colorScheme) =>
      as(
        agent,
        async (portal) => {
          const { page } = portal;
          for (const query of [`?colour=${TEMPERATURE}`, '?colour=layer:use'])
            for (const width of [1_280, 390]) {
              await page.setViewportSize({ width, height: 860 });
              await at(portal, query);
              await legend(page).waitFor();
              expect(await seriousIn(page)).toEqual([]);
              expect(await isWithinWidth(portal)).toBe(true);
            }
        },
        { colorScheme },
      ),
    );
  });

  it("is a thumbnail beside a room's ticket, and links to the plan", () =>
    as(agent, async (portal) => {
      const { page } = portal;
      const place = rooms[2]!;
      const { id } = await raise({ spaceId: place.id, subject: 'Lamp flickers' });
      await portal.at(`#/tickets/${id}`, 'Lamp flickers');
      await page.locator('.small-plan .plan-here').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('link', { name: /^Show on the plan of/ }).click();
      await panel(page, `${place.code} ${place.name}`).waitFor();
      const { id: elsewhere } = await raise({ subject: 'No room' });
      await portal.at(`#/tickets/${elsewhere}`, 'No room');
      expect(await page.getByRole('heading', { name: 'Place', exact: true }).count()).toBe(0);
    }));

  it('is pictured in both themes, and as a schematic one', async () => {
    const priorities = ['critical', 'high', 'medium', 'low'];
    for (const [index, priority] of priorities.entries())
      await raise({ spaceId: rooms[index * 2]!.id, priority });
    for (const colorScheme of ['light', 'dark'] as const)
      await as(
        agent,
        async (portal) => {
          await at(portal, `?space=${rooms[4]!.id}`);
          await expect
            .poll(() => portal.page.locator('[data-room][class*="level-"]').count())
            .toBeGreaterThanOrEqual(priorities.length);
          await portal.page.getByText('Room sensor Elbe').waitFor();
          await takePicture(portal.page, colorScheme === 'light' ? 'plan' : 'plan-dark', 860);
        },
        { colorScheme },
      );
    for (const colorScheme of ['light', 'dark'] as const)
      await as(
        agent,
        async (portal) => {
          const { page } = portal;
          await portal.at(addressOf(schematic), 'Plan of Building S');
          await expect.poll(() => page.locator('.plan-labels text').count()).toBe(AREAS.length);
          const name = colorScheme === 'light' ? 'plan-schematic' : 'plan-schematic-dark';
          await takePicture(page, name, 860);
        },
        { colorScheme },
      );
  });
});
