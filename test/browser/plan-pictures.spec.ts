/** Plans of sandboxes. `UPDATE_SCREENSHOTS=1` renews the pictures in docs/portal.md. */
import { describe, expect, it } from 'vitest';
import { buildingDocument } from '../../src/domain/sandboxes/generator/building.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { takePicture } from '../support/browser/picture.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { seriousIn } from '../support/browser/portal.ts';
import { parameters } from '../support/domain/sandboxes.ts';

const MANAGER = 'manager@acme.test';
const BUILDINGS = '/api/v1/buildings';

interface PlannedRoom {
  readonly id: string;
}

describe.skipIf(!hasChromium)('the plan of a sandbox', () => {
  const { as, call, raise } = portalServer();

  it.each(['office', 'mall'] as const)('of the kind %s is drawn in both themes', async (kind) => {
    const document = buildingDocument({ ...parameters, buildingType: kind });
    const { buildingId } = await call(MANAGER, 'POST', `${BUILDINGS}/import`, document);
    const { spaces, schematic } = await call(MANAGER, 'GET', `${BUILDINGS}/${buildingId}/plan`);
    expect(schematic).toBe(false);
    const busy = (spaces as readonly PlannedRoom[]).slice(0, 8).filter((_, at) => at % 2 === 0);
    for (const [at, priority] of ['critical', 'high', 'medium', 'low'].entries())
      await raise({ buildingId, spaceId: busy[at]!.id, priority });
    for (const colorScheme of ['light', 'dark'] as const)
      await as(
        'agent@acme.test',
        async ({ page, at }) => {
          await at(`#/buildings/${buildingId}/plan`, /^Plan of/);
          await expect.poll(() => page.locator('[data-room]').count()).toBe(spaces.length);
          const coloured = page.locator('[data-room][class*="level-"]');
          await expect.poll(() => coloured.count()).toBe(busy.length);
          expect(await seriousIn(page)).toEqual([]);
          await takePicture(page, `plan-${kind}${colorScheme === 'dark' ? '-dark' : ''}`, 860);
        },
        { colorScheme },
      );
  });
});
