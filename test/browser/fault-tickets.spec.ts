/** Faults and their tickets in the pages. contract.md section 6. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';
import { until } from '../support/until.ts';

interface Point {
  readonly id: string;
  readonly name: string;
  readonly spaceId: string | null;
  readonly storeyId: string;
  readonly valueType: string;
}

interface Fault {
  readonly faultId: string;
  readonly title: string;
  readonly ticket: { readonly ticketId: string; readonly number: string } | null;
}

const MANAGER = 'manager@acme.test';
const AGENT = 'agent@acme.test';

describe.skipIf(!hasChromium)('faults and their tickets', () => {
  const { as, call } = portalServer();
  let building: string;
  let of: string;
  let points: readonly Point[];

  const faults = async (): Promise<readonly Fault[]> =>
    (await call(MANAGER, 'GET', `${of}/faults?limit=200`)).items;
  const send = (pointId: string, value: number) =>
    call(MANAGER, 'POST', `${of}/observations`, { observations: [{ pointId, value }] });
  /** A fault of a rule of this title, on a point of its own. */
  const opened = async (title: string, more: object = {}): Promise<Fault & { point: Point }> => {
    const [point, ...rest] = points;
    points = rest;
    const rule = { title, severity: 'high', comparison: 'gt', threshold: 100, pointId: point!.id };
    await call(MANAGER, 'POST', `${of}/diagnostic-rules`, { ...rule, ...more });
    await send(point!.id, 200);
    const found = async () => (await faults()).find((fault) => fault.title === title);
    await until(async () => (await found()) !== undefined, 'the fault');
    return { ...(await found())!, point: point! };
  };

  beforeAll(async () => {
    const { items } = await call(MANAGER, 'GET', '/api/v1/buildings');
    building = items[0].id;
    of = `/api/v1/buildings/${building}`;
    const all: readonly Point[] = (await call(MANAGER, 'GET', `${of}/points?limit=200`)).items;
    points = all.filter(({ spaceId, valueType }) => spaceId !== null && valueType === 'number');
  });

  it('a fault in the list raises its ticket, which leads back to it', () =>
    as(AGENT, async (portal) => {
      const { page, press } = portal;
      const { faultId, point } = await opened('Pump silent');
      await portal.at(`#/buildings/${building}/faults`, 'Harbour House');
      const row = page.getByRole('row', { name: /Pump silent/ });
      await press('Raise a ticket for Pump silent');
      const link = row.getByRole('link', { name: /^SR-/ });
      await link.waitFor();
      // The focus is not lost with the button.
      const focused = () => page.evaluate('document.activeElement.textContent');
      await expect.poll(focused).toBe(await link.textContent());
      await row.getByText('New').waitFor();
      expect(await seriousIn(page)).toEqual([]);
      expect(await widerThanWindow(page)).toEqual([]);
      await link.click();
      await page.getByRole('heading', { name: 'Pump silent', level: 1 }).waitFor();
      await page.getByRole('link', { name: /^Show on the plan of/ }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await page.getByRole('link', { name: 'Pump silent', exact: true }).click();
      await page.getByRole('heading', { name: 'Pump silent', level: 2 }).waitFor();
      expect(page.url()).toContain(`#/buildings/${building}/faults/${faultId}`);
      await page.getByRole('link', { name: /^Show on the plan of/ }).waitFor();
      expect(await seriousIn(page)).toEqual([]);
      expect(await widerThanWindow(page)).toEqual([]);
      await page.getByRole('link', { name: point.name, exact: true }).click();
      await page.getByRole('heading', { name: point.name, level: 2 }).waitFor();
    }));

  it('follows its ticket while it is shown', () =>
    as(AGENT, async (portal) => {
      const { page } = portal;
      const { faultId } = await opened('Valve stuck');
      await portal.at(`#/buildings/${building}/faults/${faultId}`, 'Harbour House');
      await page.getByRole('button', { name: 'Raise a ticket for Valve stuck' }).waitFor();
      // By a colleague.
      const { id, number } = await call(MANAGER, 'POST', `${of}/faults/${faultId}/ticket`, {});
      await page.getByRole('link', { name: number }).waitFor();
      const path = `/api/service-desk/requests/${id}/transition`;
      await call(MANAGER, 'POST', path, { state: 'cancelled' });
      await page.getByText('Cancelled', { exact: true }).waitFor();
    }));

  it('of a ticket-raising rule show their ticket, and its end', () =>
    as(AGENT, async (portal) => {
      const { page } = portal;
      const { faultId, point } = await opened('Fan loud', { raiseTicket: { priority: 'high' } });
      await portal.at(`#/buildings/${building}/faults/${faultId}`, 'Harbour House');
      const link = page.getByRole('link', { name: /^SR-/ });
      await link.click();
      await page.getByRole('heading', { name: 'Fan loud', level: 1 }).waitFor();
      await page.getByText('Atrium raised it for a fault').waitFor();
      await page.getByText('open', { exact: true }).waitFor();
      await send(point.id, 20);
      await page.getByText(/its condition no longer holds/).waitFor();
      await page.getByText('Atrium moved it from Triaged to Resolved').waitFor();
      await expect.poll(() => page.getByText('open', { exact: true }).count()).toBe(0);
    }));

  it('is raised from the room beside the plan', () =>
    as(AGENT, async (portal) => {
      const { page } = portal;
      const { faultId, point } = await opened('Damper open');
      const room = `storey=${point.storeyId}&space=${point.spaceId}`;
      await portal.at(`#/buildings/${building}/plan?${room}`, /^Plan of/);
      await page.getByRole('button', { name: 'Raise a ticket for Damper open' }).click();
      const item = page.getByRole('listitem').filter({ hasText: 'Damper open' });
      const number = item.getByRole('link', { name: /^SR-/ }).first();
      await number.waitFor();
      expect(await seriousIn(page)).toEqual([]);
      await expect
        .poll(async () => (await faults()).find((one) => one.faultId === faultId)?.ticket?.number)
        .toBe(await number.textContent());
    }));

  it('show existing tickets without a button to a user who may not raise any', async () => {
    const { faultId } = await opened('Lamp dark');
    await as('viewer@acme.test', async (portal) => {
      const { page } = portal;
      await portal.at(`#/buildings/${building}/faults`, 'Harbour House');
      await page.getByRole('link', { name: 'Lamp dark' }).waitFor();
      await expect.poll(() => page.getByRole('columnheader', { name: 'Ticket' }).count()).toBe(1);
      expect(await page.getByRole('button', { name: /^Raise a ticket/ }).count()).toBe(0);
    });
    await as('developer@acme.test', async (portal) => {
      const { page } = portal;
      await portal.at(`#/buildings/${building}/faults`, 'Harbour House');
      await page.getByRole('link', { name: 'Lamp dark' }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Ticket' }).count()).toBe(0);
      await portal.at(`#/buildings/${building}/faults/${faultId}`, 'Harbour House');
      await page.getByText('Opened', { exact: true }).waitFor();
      expect(await page.getByText('Ticket', { exact: true }).count()).toBe(0);
    });
  });
});
