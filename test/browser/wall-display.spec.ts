/** The plan alone on a screen on a wall. contract.md section 6 «Outlines». */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';

const SCREEN = { width: 1_920, height: 1_080 };
const TEMPERATURE = 'Zone_Air_Temperature_Sensor';

describe.skipIf(!hasChromium)('the wall display', () => {
  const { as, call } = portalServer();
  const manager = 'manager@acme.test';
  let office: string;
  let point: { readonly id: string; readonly spaceId: string; readonly storeyId: string };

  const observe = (value: number) =>
    call(manager, 'POST', `/api/v1/buildings/${office}/observations`, {
      observations: [{ pointId: point.id, value }],
    });

  beforeAll(async () => {
    const { items } = await call(manager, 'GET', '/api/v1/buildings');
    office = items[0].id;
    const path = `/api/v1/buildings/${office}`;
    const points = await call(manager, 'GET', `${path}/points?limit=100`);
    point = points.items.find(
      (one: { pointClass: string; spaceId: string | null }) =>
        one.pointClass === TEMPERATURE && one.spaceId !== null,
    );
    await call(manager, 'POST', `${path}/diagnostic-rules`, {
      title: 'Too hot',
      severity: 'high',
      pointId: point.id,
      comparison: 'gt',
      threshold: 30,
    });
    await observe(21);
  });

  const address = (query: string) =>
    `#/buildings/${office}/plan?storey=${point.storeyId}&colour=faults${query}`;

  it.each(['light', 'dark'] as const)('fills the screen and follows a fault (%s)', (colorScheme) =>
    as(
      manager,
      async ({ page, at }) => {
        const isPictured = colorScheme === 'light';
        await observe(21);
        await at(address('&display=wall'), /, /);
        const room = page.locator(`[data-room="${point.spaceId}"]`);
        await room.waitFor();
        for (const hidden of ['.top', '.side', '.plan-storeys', '.plan-side', '.plan-day'])
          expect(await page.locator(hidden).isVisible()).toBe(false);
        await page.getByRole('group', { name: 'Legend' }).waitFor();
        await expect
          .poll(() => page.locator('.plan-canvas').boundingBox())
          .toMatchObject({
            height: expect.closeTo(SCREEN.height - 176, -1.5),
          });
        const fits = 'document.documentElement.scrollHeight <= innerHeight';
        expect(await page.evaluate(fits)).toBe(true);
        await expect.poll(() => room.getAttribute('class')).not.toContain('level-');
        if (isPictured) await takePicture(page, 'wall-before', SCREEN.height, SCREEN.width);
        await observe(35);
        await expect.poll(() => room.getAttribute('class')).toContain('level-');
        if (isPictured) await takePicture(page, 'wall', SCREEN.height, SCREEN.width);
        expect(await seriousIn(page)).toEqual([]);
        await observe(21);
        await expect.poll(() => room.getAttribute('class')).not.toContain('level-');
      },
      { colorScheme, viewport: SCREEN },
    ),
  );

  it('is entered by a button or a key, over the whole screen, and left in the same ways', () =>
    as(manager, async ({ page, at, press }) => {
      const isFull = () => page.evaluate('document.fullscreenElement !== null');
      await at(address(''), /^Plan of/);
      await page.locator('[data-room]').first().waitFor();
      await press('Wall display');
      await expect.poll(() => page.url()).toContain('display=wall');
      await expect.poll(isFull).toBe(true);
      expect(page.url()).toContain('colour=faults');
      await page.keyboard.press('w');
      await expect.poll(() => page.url()).not.toContain('display');
      await expect.poll(isFull).toBe(false);
      await page.keyboard.press('w');
      await expect.poll(isFull).toBe(true);
      // The effect of Escape in full screen.
      await page.evaluate('document.exitFullscreen()');
      await expect.poll(() => page.url()).not.toContain('display');
      await page.locator('.plan-side').waitFor();
    }));

  it('is left with Escape where its address opened it, which does so without full screen', () =>
    as(manager, async ({ page, at }) => {
      await at(address('&display=wall'), /, /);
      await page.locator('[data-room]').first().waitFor({ timeout: 5_000 });
      expect(await page.locator('.plan-side').isVisible()).toBe(false);
      await page.keyboard.press('?');
      const keys = page.getByRole('dialog');
      await keys.getByText('Leave the wall display').waitFor({ timeout: 5_000 });
      await page.keyboard.press('Escape');
      await keys.waitFor({ state: 'detached', timeout: 5_000 });
      expect(page.url()).toContain('display=wall');
      await page.keyboard.press('Escape');
      await page.locator('.plan-side').waitFor({ timeout: 5_000 });
      expect(page.url()).not.toContain('display');
    }));
});
