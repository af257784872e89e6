/** Readings of the room's points at the time a ticket was raised. contract.md section 6. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';

const MINUTE_MS = 60_000;
const READINGS = 96;
const POINTS = 6;

describe.skipIf(!hasChromium)('readings of a ticket', () => {
  const { as, call, raise } = portalServer();
  const manager = 'manager@acme.test';
  let buildingId: string;
  let spaces: readonly { readonly id: string }[];
  let points: readonly { readonly id: string; readonly name: string }[];

  beforeAll(async () => {
    const point = (at: number) => ({
      code: `P${at}`,
      name: `Sensor ${at}`,
      pointClass: 'Zone_Air_Temperature_Sensor',
      valueType: 'number',
      unit: '°C',
    });
    const room = (code: string, elements: readonly object[]) => ({
      code,
      name: `Room ${code}`,
      spaceTypeSlug: 'office',
      elements,
    });
    const sensors = {
      code: 'E',
      name: 'Sensors',
      elementTypeSlug: 'sensor',
      points: Array.from({ length: POINTS }, (_, at) => point(at)),
    };
    const imported = await call(manager, 'POST', '/api/v1/buildings/import', {
      site: { code: 'S', name: 'S' },
      building: {
        code: 'T',
        name: 'T',
        storeys: [
          { code: 'G', name: 'Ground', level: 0, spaces: [room('1', [sensors]), room('2', [])] },
        ],
      },
    });
    ({ buildingId } = imported);
    const of = `/api/v1/buildings/${buildingId}`;
    spaces = (await call(manager, 'GET', `${of}/spaces`)).items;
    points = (await call(manager, 'GET', `${of}/points`)).items;
    const now = Date.now();
    for (const [index, { id: pointId }] of points.entries())
      await call(manager, 'POST', `${of}/observations`, {
        observations: Array.from({ length: READINGS }, (_, at) => ({
          pointId,
          value: 20 + index + at / 100,
          timestamp: new Date(now - at * 15 * MINUTE_MS).toISOString(),
        })),
      });
  });

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 390],
  ] as const)('are drawn in the %s theme, %i pixels wide, as text too', (colorScheme, width) =>
    as(
      'agent@acme.test',
      async (portal) => {
        const { page } = portal;
        const ticket = await raise({ buildingId, spaceId: spaces[0]!.id });
        let asked = 0;
        page.on('request', (request) => {
          if (request.url().includes('/observations?')) asked += 1;
        });
        await portal.at(`#/tickets/${ticket.id}`, 'Tap drips');
        await page.getByRole('heading', { name: 'Readings when it was raised' }).waitFor();
        const charts = page.getByRole('img', { name: /around the time of the ticket/ });
        await expect.poll(() => charts.count()).toBe(4);
        expect(asked).toBe(4);
        await expect.poll(() => page.locator('.time-moment').count()).toBe(4);
        await page.getByText(/^Sensor 1: 21(\.\d+)? °C then, from 21 °C to 21\.4\d °C/).waitFor();
        await page.getByRole('link', { name: '2 other points of the room' }).waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect(await widerThanWindow(page)).toEqual([]);
        await page.getByRole('link', { name: 'Sensor 0' }).press('Enter');
        await page.waitForURL(new RegExp(points[0]!.id));
      },
      { colorScheme, viewport: { width, height: 860 } },
    ),
  );

  it('are left out where the room has none, and where there is no room', () =>
    as('viewer@acme.test', async (portal) => {
      const { page } = portal;
      const [silent, nowhere] = [
        await raise({ buildingId, spaceId: spaces[1]!.id }),
        await raise({ buildingId }),
      ];
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const isAsked = (part: string) => asked.some((url) => url.includes(part));
      await portal.at(`#/tickets/${nowhere.id}`, 'Tap drips');
      await page.getByRole('heading', { name: 'Details' }).waitFor();
      expect(isAsked('/points?')).toBe(false);
      const answer = page.waitForResponse(/\/points\?/);
      await portal.at(`#/tickets/${silent.id}`, 'Tap drips');
      await (await answer).finished();
      await page.locator('.small-plan').waitFor();
      expect(isAsked('/observations?')).toBe(false);
      expect(await page.getByText('Readings when it was raised').count()).toBe(0);
    }));
});
