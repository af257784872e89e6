/** The page at `/docs/live`, where developers watch a building's live events. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, newWindow } from '../support/browser/chromium.ts';
import { portalServer } from '../support/browser/portal-server.ts';

describe.skipIf(!hasChromium)('the page for live data', () => {
  const { server, browser, call } = portalServer();
  let page: Page;
  /** The browser's errors and warnings, and every requested address. */
  let complaints: string[];
  let origins: string[];

  beforeEach(async () => {
    page = await (await newWindow(browser())).newPage();
    [complaints, origins] = [[], []];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => origins.push(new URL(request.url()).origin));
  });
  afterEach(() => page.context().close());

  const says = (words: string | RegExp) => page.getByRole('status').getByText(words).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const found = async (token: string, origin = server().url) => {
    await page.goto(`${origin}/docs/live`);
    await page.getByLabel('Token').fill(token);
    await press('Show buildings');
  };
  const manager = (method: string, path: string, body?: object) =>
    call('manager@acme.test', method, path, body);
  const observe = async (value: number) => {
    const buildings = await manager('GET', '/api/v1/buildings');
    const path = `/api/v1/buildings/${buildings.items[0].id}`;
    const points = await manager('GET', `${path}/points?limit=1`);
    const observations = [{ pointId: points.items[0].id, value }];
    await manager('POST', `${path}/observations`, { observations });
  };
  const row = (value: number) => page.getByRole('row').filter({ hasText: `"value":${value},` });

  it("shows the building's events until leave, without requests to other hosts", async () => {
    await found(await server().tokenOf('viewer@acme.test'));
    await says('Pick a building.');
    await press('Listen');
    await says(/^Listening to /);
    await observe(17.25);
    await row(17.25).waitFor();
    await expect.poll(() => row(17.25).textContent()).toContain('building.point.updated');
    await observe(18.5);
    await row(18.5).waitFor();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('18.5');

    await press('Leave');
    await says('Not connected.');
    await observe(19.75);
    await press('Listen');
    await says(/^Listening to /);
    await observe(20.25);
    await row(20.25).waitFor();
    expect(await row(19.75).count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(new Set(origins)).toEqual(new Set([server().url]));
  });

  it('shows why it does not listen', async () => {
    await found('none');
    await says(/^Refused: UNAUTHENTICATED\./);
    // An address of this server that is no origin it lists: it says nothing, so the page does.
    const elsewhere = server().url.replace('localhost', '127.0.0.1');
    await found(await server().tokenOf('viewer@acme.test'), elsewhere);
    await press('Listen');
    await says(`Is ${elsewhere} among the server's CORS_ORIGINS?`);
  });

  it('keeps to a narrow policy', async () => {
    const { headers } = await fetch(`${server().url}/docs/live`);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [`default-src 'none'`, `script-src 'self'`, `frame-ancestors 'none'`])
      expect(policy).toContain(rule);
    expect(policy).not.toContain('unsafe');
  });
});
