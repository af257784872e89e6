/** Diagnostic rules in the pages: listed, tried and made. contract.md section 6. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn, widerThanWindow } from '../support/browser/portal.ts';

const HOUR_MS = 3_600_000;
const DAYS = 20;
const CLASS = 'Zone_Air_Temperature_Sensor';

interface TestPoint {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly pointClass: string;
  readonly valueType: string;
}

describe.skipIf(!hasChromium)('rules', () => {
  const { as, open, call, server } = portalServer();
  const manager = 'manager@acme.test';
  const agent = 'agent@acme.test';
  let office: string;
  let ofClass: readonly TestPoint[];
  let fan: TestPoint;
  const rulesPath = () => `/api/v1/buildings/${office}/diagnostic-rules`;
  const at = (part = '') => `#/buildings/${office}/rules${part}`;

  /** Warm in the afternoon: each point by another maximum. */
  const observe = async () => {
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    for (const [index, { id }] of ofClass.slice(0, 3).entries()) {
      const observations = Array.from({ length: DAYS * 24 }, (_, hour) => {
        const time = now - hour * HOUR_MS;
        const warmth = Math.cos(((new Date(time).getUTCHours() - 15) / 12) * Math.PI);
        const value = Math.round((22 + (4 - index) * warmth) * 10) / 10;
        return { pointId: id, value, timestamp: new Date(time).toISOString() };
      });
      await call(manager, 'POST', `/api/v1/buildings/${office}/observations`, { observations });
    }
  };

  beforeAll(async () => {
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    office = items[0].id;
    const points: readonly TestPoint[] = (
      await call(manager, 'GET', `/api/v1/buildings/${office}/points?limit=1000`)
    ).items;
    ofClass = points.filter(({ pointClass }) => pointClass === CLASS);
    fan = points.find(({ valueType }) => valueType === 'boolean')!;
    await observe();
  });

  const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
  const choose = async (page: Page, name: RegExp, text: string) => {
    await page.getByRole('button', { name }).press('Enter');
    await page.locator('.popover').getByRole('combobox').fill(text);
    await page.keyboard.press('Enter');
  };
  const fill = async (page: Page, threshold: string) => {
    await field(page, 'Title of its faults').fill('Too warm');
    await choose(page, /^Class/, 'zone air temperature');
    await field(page, 'Threshold in °C').fill(threshold);
    await field(page, 'For at least').fill('1');
    await field(page, 'For at least: unit').selectOption('3600');
  };
  const dryRun = (rule: object, days: number) =>
    call(manager, 'POST', `${rulesPath()}/dry-run`, {
      rule: { title: 'Trial', severity: 'high', ...rule },
      from: new Date(Date.now() - days * 24 * HOUR_MS).toISOString(),
      to: new Date().toISOString(),
    });

  it('are tried on the past month, made and deleted by a manager, with the keyboard', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      await portal.at(at(), 'Harbour House');
      await page.getByText('No rules', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'New rule' }).press('Enter');
      await fill(page, '24');
      const rule = { pointClass: CLASS, comparison: 'gt', threshold: 24, forSeconds: 3_600 };
      const { items } = await dryRun(rule, 30);
      expect(items.length).toBeGreaterThan(DAYS);
      await page.getByRole('button', { name: 'Try it' }).press('Enter');
      await page.getByText(`${items.length} faults would have opened`).waitFor();
      await page.getByText(`at 2 of ${ofClass.length} points: above 24 °C for 1 hour.`).waitFor();
      const ofPoint = (index: number) =>
        items.filter(({ pointId }: { pointId: string }) => pointId === ofClass[index]!.id);
      const bands = page.locator('.time-chart .time-band');
      const rows = page
        .getByRole('table', { name: 'Faults that would have opened' })
        .locator('tbody tr');
      await expect.poll(() => bands.count()).toBe(ofPoint(0).length);
      await page.getByText('Its faults as a table').press('Enter');
      await expect.poll(() => rows.count()).toBe(ofPoint(0).length);
      await expect
        .poll(() => rows.first().locator('time').first().getAttribute('datetime'))
        .toBe(ofPoint(0)[0].openedAt);
      await expect.poll(() => page.locator('.time-chart .time-threshold').count()).toBe(1);
      await page.getByRole('img', { name: /readings, \d+ faults, above 24 °C/ }).waitFor();
      await takePicture(page, 'rule-trial', 860);
      const other = page.getByRole('button', { name: new RegExp(ofClass[1]!.code) });
      await other.press('Enter');
      await expect.poll(() => bands.count()).toBe(ofPoint(1).length);
      await expect.poll(() => other.getAttribute('aria-pressed')).toBe('true');
      expect((await call(manager, 'GET', rulesPath())).items).toEqual([]);

      await page.getByRole('button', { name: 'Create the rule' }).press('Enter');
      await page.getByText('“Too warm” is active.').waitFor();
      const row = page.getByRole('row', { name: /Too warm/ });
      await row.getByText('above 24 °C for 1 hour').waitFor();
      await row.getByText(`${ofClass.length} points`).waitFor();
      const made = (await call(manager, 'GET', rulesPath())).items;
      expect(made).toMatchObject([{ title: 'Too warm', severity: 'high', ...rule }]);

      await row.getByRole('button', { name: 'Delete Too warm' }).press('Enter');
      const asked = page.getByRole('dialog', { name: 'Delete this rule?' });
      await asked.getByText('Too warm', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      expect((await call(manager, 'GET', rulesPath())).items).toHaveLength(1);
      await row.getByRole('button', { name: 'Delete Too warm' }).press('Enter');
      await asked.getByRole('button', { name: 'Delete' }).press('Enter');
      await page.getByText('No rules', { exact: true }).waitFor();
      expect((await call(manager, 'GET', rulesPath())).items).toEqual([]);
    }));

  it('are read-only for other roles', async () => {
    const { ruleId } = await call(manager, 'POST', rulesPath(), {
      title: 'Silent',
      severity: 'low',
      pointId: fan.id,
      comparison: 'stale',
      threshold: 5_400,
    });
    await as(agent, async (portal) => {
      const { page } = portal;
      await portal.at(at(), 'Harbour House');
      const row = page.getByRole('row', { name: /Silent/ });
      await row.getByText('no observation for 1 hour 30 minutes').waitFor();
      await row.getByRole('link', { name: fan.name }).waitFor();
      expect(await page.getByRole('link', { name: 'New rule' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
      await portal.at(at('/new'), 'Harbour House');
      await page.getByText('Your role cannot create rules').waitFor();
    });
    await call(manager, 'DELETE', `${rulesPath()}/${ruleId}`);
  });

  it('counts the open faults of each', async () => {
    const { ruleId } = await call(manager, 'POST', rulesPath(), {
      title: 'Warm now',
      severity: 'high',
      pointId: ofClass[0]!.id,
      comparison: 'gt',
      threshold: 40,
    });
    const path = `/api/v1/buildings/${office}`;
    await call(manager, 'POST', `${path}/observations`, {
      observations: [{ pointId: ofClass[0]!.id, value: 41 }],
    });
    await expect
      .poll(async () => (await call(manager, 'GET', `${path}/faults?open=true`)).total)
      .toBe(1);
    await as(manager, async (portal) => {
      const { page } = portal;
      await portal.at(at(), 'Harbour House');
      const row = page.getByRole('row', { name: /Warm now/ });
      await expect.poll(() => row.locator('td').nth(6).textContent()).toBe('1');
      await portal.press('Delete Warm now');
      await page.getByText(/its open faults \(1\) are closed/).waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('“Warm now” is deleted.').waitFor();
      await portal.at(`#/buildings/${office}/points/${ofClass[0]!.id}`, 'Harbour House');
      await page.getByRole('heading', { name: 'Faults' }).waitFor();
      await page.getByText('Warm now', { exact: true }).waitFor();
      await page.locator('.small-plan .plan-here').waitFor();
    });
    expect((await call(manager, 'GET', rulesPath())).items).not.toContainEqual({ ruleId });
  });

  it('keep typed text through a reload, and can start from a copy or a point', () =>
    as(manager, async (portal) => {
      const { page } = portal;
      await portal.at(at('/new'), 'Harbour House');
      await fill(page, '23.5');
      await page.reload();
      await page.getByText(/^Draft from .* restored/).waitFor();
      await expect.poll(() => field(page, 'Threshold in °C').inputValue()).toBe('23.5');
      await page.getByRole('button', { name: 'Create the rule' }).click();
      await page.getByRole('link', { name: 'Copy Too warm' }).press('Enter');
      await expect.poll(() => field(page, 'Threshold in °C').inputValue()).toBe('23.5');
      await expect.poll(() => field(page, 'For at least: unit').inputValue()).toBe('3600');
      await portal.at(`#/buildings/${office}/points/${fan.id}`, 'Harbour House');
      await page.getByRole('link', { name: 'Watch this point' }).press('Enter');
      await page.getByRole('button', { name: new RegExp(fan.name) }).waitFor();
      await field(page, 'Title of its faults').fill('Fan stands');
      await field(page, 'A fault opens when the value').selectOption('no');
      await page.getByLabel('Each fault raises a ticket').check();
      await field(page, 'Priority').selectOption('high');
      await field(page, 'Category').fill('ventilation');
      await page.getByRole('button', { name: 'Create the rule' }).click();
      await page
        .getByRole('row', { name: /Fan stands/ })
        .getByText('no for 15 minutes')
        .waitFor();
      const { items } = await call(manager, 'GET', rulesPath());
      expect(items.at(-1)).toMatchObject({
        pointId: fan.id,
        comparison: 'lte',
        threshold: 0,
        raiseTicket: { priority: 'high', category: 'ventilation' },
      });
      await page.getByRole('link', { name: 'Copy Fan stands' }).click();
      await expect.poll(() => field(page, 'A fault opens when the value').inputValue()).toBe('no');
      await expect.poll(() => field(page, 'Category').inputValue()).toBe('ventilation');
      for (const { ruleId } of items) await call(manager, 'DELETE', `${rulesPath()}/${ruleId}`);
    }));

  it('name missing fields, and keep the input', () =>
    as(manager, async (portal) => {
      const { page, press } = portal;
      await portal.at(at('/new'), 'Harbour House');
      await field(page, 'For at least').fill('7');
      await press('Create the rule');
      await page.getByText('Some fields are missing or invalid.').waitFor();
      await page.getByText('Choose the points to watch').waitFor();
      await page.getByText('Must not be blank').waitFor();
      await expect.poll(() => field(page, 'For at least').inputValue()).toBe('7');
      expect((await call(manager, 'GET', rulesPath())).items).toEqual([]);
    }));

  it('say the bounds of a trial and of a building in plain words', async () => {
    const { page } = await open(manager);
    await page.goto(`${server().url}/${at('/new')}`);
    await fill(page, '24');
    await field(page, 'Time').selectOption('365');
    await page.route(/dry-run$/, async (route) => {
      const detail = '20 points over 365 days are more than 3660.';
      const problem = {
        code: 'VALIDATION_FAILED',
        title: 'x',
        detail,
        requestId: 'r',
        status: 400,
      };
      await route.fulfill({ status: 400, json: problem });
    });
    await page.getByRole('button', { name: 'Try it' }).click();
    await page
      .getByText('20 points over 365 days are too many for one trial. Try at most 183 days')
      .waitFor();
    await page.unroute(/dry-run$/);
    await field(page, 'Time').selectOption('');
    await field(page, 'From').fill('2026-03-02');
    await field(page, 'To').fill('2026-03-01');
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('Must not be after the other day').waitFor();

    const rules: string[] = [];
    for (let at = 0; at < 20; at += 1) {
      const body = {
        title: `R${at}`,
        severity: 'low',
        pointClass: CLASS,
        comparison: 'gt',
        threshold: 90,
      };
      rules.push((await call(manager, 'POST', rulesPath(), body)).ruleId);
    }
    await page.getByRole('button', { name: 'Create the rule' }).click();
    await page
      .getByText('A point has at most 20 rules that can match it. Delete one that is no longer')
      .waitFor();
    await expect.poll(() => field(page, 'Threshold in °C').inputValue()).toBe('24');
    for (const ruleId of rules) await call(manager, 'DELETE', `${rulesPath()}/${ruleId}`);
    await page.context().close();
  });

  it('show that a trial runs, and stop it', async () => {
    const { page } = await open(manager);
    await page.goto(`${server().url}/${at('/new')}`);
    await fill(page, '24');
    let isAborted = false;
    page.on('requestfailed', (request) => {
      isAborted ||= request.url().endsWith('/dry-run');
    });
    await page.route(/dry-run$/, () => {});
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText('The trial is running.').waitFor();
    await page.getByText(/^([2-9]|\d{2,}) s$/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(() => isAborted).toBe(true);
    await page.unroute(/dry-run$/);
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/\d+ faults would have opened/).waitFor();
    await field(page, 'Threshold in °C').fill('25');
    await page.getByText('The rule has changed since').waitFor();
    await page.context().close();
  });

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 390],
    ['dark', 390],
  ] as const)('are accessible in the %s theme, %i pixels wide', (colorScheme, width) =>
    as(
      manager,
      async (portal) => {
        const { page } = portal;
        await portal.at(at('/new'), 'Harbour House');
        await fill(page, '24');
        await portal.press('Try it');
        await page.locator('.time-chart').waitFor();
        expect(await seriousIn(page)).toEqual([]);
        expect(await widerThanWindow(page)).toEqual([]);
      },
      { colorScheme, viewport: { width, height: 860 } },
    ),
  );
});
