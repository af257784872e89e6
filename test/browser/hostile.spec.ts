/** Hostile text in every field, and hostile pages of other origins: neither has any effect. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { hostileData, type HostileData } from '../support/browser/hostile-data.ts';
import {
  commandsOf,
  fetchAll,
  hostilePort,
  listenTo,
  readAll,
  submitAll,
  submitOnTop,
} from '../support/browser/hostile-page.ts';
import { becomeOf, HOSTILE, hostileIn, readableIn } from '../support/browser/hostile-texts.ts';
import { LINKED, PAGES, placeOf, unknownAmong, visit } from '../support/browser/pages.ts';
import { portalServer } from '../support/browser/portal-server.ts';
import { widerThanWindow, type OpenPortal } from '../support/browser/portal.ts';
import { receiver } from '../support/outbound/receivers.ts';

const MANAGER = 'manager@acme.test';
const OPERATOR = 'operator@atrium.test';

describe.skipIf(!hasChromium)('hostile text', () => {
  const portal = portalServer({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  const { server, as, call } = portal;
  let data: HostileData;

  beforeAll(async () => {
    data = await hostileData(portal);
  });

  /** The page shows the texts, has become nothing else and is no wider for them. */
  const staysText = async ({ page }: OpenPortal, texts: readonly string[]) => {
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
    for (const text of texts) await expect.poll(() => readableIn(page)).toContain(text);
    expect(await becomeOf(page)).toEqual([]);
    expect(await widerThanWindow(page)).toEqual([]);
  };

  it.each(PAGES)('is text on the page %s', (pattern) =>
    as(
      placeOf(pattern) === 'operations' ? OPERATOR : MANAGER,
      async (at) => {
        const { page } = at;
        page.on('dialog', (dialog) => at.complaints.push(`dialog: ${dialog.message()}`));
        await visit(page, pattern, data.things);
        await staysText(at, data.shown[pattern] ?? []);
        expect(unknownAmong(await page.evaluate<string[]>(LINKED))).toEqual([]);
      },
      { userAgent: hostileIn(200)[0]! },
    ),
  );

  it('is text where it is searched, chosen and typed', () =>
    as(MANAGER, async (at) => {
      const { page, press } = at;
      const [name] = hostileIn(100);
      await at.at(`#/tickets?search=${encodeURIComponent(HOSTILE[0])}`, 'Tickets');
      const row = page.locator('tr[data-ticket]').first();
      await row.waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('a');
      await page.getByRole('option', { name: HOSTILE[0] }).first().waitFor();
      await page.keyboard.type(HOSTILE[2]);
      await staysText(at, [HOSTILE[2]]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('img onerror');
      await page.getByRole('option', { name: HOSTILE[0] }).first().waitFor();
      await staysText(at, []);
      await page.keyboard.press('Escape');
      await press('Filters');
      await staysText(at, [name!]);
      await press('New ticket');
      for (const label of ['Subject', 'Description', 'Category'])
        await page.getByRole('dialog').getByLabel(label).fill(HOSTILE.join(' '));
      await staysText(at, [HOSTILE.join(' ')]);
      await page.keyboard.press('Escape');
      await press('Discard');
    }));

  const groupings = ['category', 'team', 'building', 'storey', 'space'];
  it.each(groupings)('is text in reports by %s', (grouping) =>
    as(MANAGER, async (at) => {
      await at.at(`#/reports?report=throughput&groupBy=${grouping}`, 'Reports');
      await staysText(at, [HOSTILE[0]]);
    }),
  );

  it.each([
    `#/${HOSTILE[0]}`,
    `#/tickets/${HOSTILE[0]}`,
    `#/tickets?view=${HOSTILE[0]}&search=${HOSTILE[1]}&columns=${HOSTILE[2]}&sort=${HOSTILE[5]}`,
    `#/buildings?page=${HOSTILE[0]}`,
    `#/audit?from=${HOSTILE[0]}&action=${HOSTILE[1]}`,
    `#/reports?report=${HOSTILE[0]}&groupBy=${HOSTILE[1]}&from=${HOSTILE[2]}`,
    `?sign-in=${HOSTILE[0]}#/desk/${HOSTILE[1]}`,
  ])('is text in the address %s', async (hash) => {
    const at = await portal.open(MANAGER);
    await at.page.goto(`${server().url}/${hash}`);
    await at.page.locator('main h1, main .empty, main .trouble').first().waitFor();
    await staysText(at, []);
    // The browser says itself that an answer was a 400 or a 404.
    expect(at.complaints.filter((words) => !/status of 40[04]/.test(words))).toEqual([]);
    await at.page.context().close();
  });

  it('is text as the name that the issuer gives', () =>
    as(MANAGER, async (at) => {
      const { page } = at;
      const [name] = hostileIn(200);
      await page.route('**/session', async (route) => {
        const session = await (await route.fetch()).json();
        await route.fulfill({ json: { ...session, actor: { ...session.actor, name } } });
      });
      await page.reload();
      await page.locator('.person-name').getByText(name!).waitFor();
      await staysText(at, [name!]);
    }));

  it('is text in a live event', () =>
    as(MANAGER, async (at) => {
      const { page } = at;
      await at.at('#/live', 'Live');
      await page.getByLabel('Building').selectOption(data.things['building']!);
      await page.getByText('listening').waitFor();
      const observations = [{ pointId: data.things['point'], value: 41.5 }];
      const path = `/api/v1/buildings/${data.things['building']}/observations`;
      await call(MANAGER, 'POST', path, { observations });
      await page.getByRole('row').filter({ hasText: '41.5' }).waitFor();
      await staysText(at, [HOSTILE[0]]);
    }));

  it('is text as the answer of a webhook’s receiver', async () => {
    const text = HOSTILE.join('\n');
    const { url } = await receiver((request, response) => {
      request.resume().on('end', () => response.end(text));
    });
    const body = { url: `${url}hook`, events: ['building.alarm.triggered'] };
    const { webhookId } = await call(MANAGER, 'POST', '/api/v1/webhooks', body);
    await as(MANAGER, async (at) => {
      await at.at(`#/webhooks/${webhookId}`, /hook/);
      await at.press('Send a test');
      await at.page.getByText('webhook.test', { exact: true }).click();
      await at.page.locator('pre', { hasText: HOSTILE[0] }).waitFor();
      await staysText(at, [text]);
    });
  });
});

describe.skipIf(!hasChromium)('a hostile page', () => {
  const { server, open, call } = portalServer();

  /** All that the commands of the page would change. */
  const state = async (page: OpenPortal['page'], buildingId: string) => {
    const of = (path: string) => call(MANAGER, 'GET', path);
    const sessions = await page.context().request.get(`${server().url}/session/list`);
    return {
      tickets: (await of(`/api/service-desk/requests?buildingId=${buildingId}`)).total,
      views: await of('/api/service-desk/views'),
      configuration: await of('/api/service-desk/configuration'),
      keys: (await of('/api/v1/keys')).items.length,
      webhooks: (await of('/api/v1/webhooks')).total,
      sessions: sessions.status(),
    };
  };

  // The cookie is sent from another port of this host, and by navigation from another site.
  it.each(['localhost', '127.0.0.1'])('of %s changes nothing and reads nothing', async (host) => {
    const port = await hostilePort();
    const { page } = await open(MANAGER);
    const { items } = await call(MANAGER, 'GET', '/api/v1/buildings');
    const [{ id }] = items;
    const before = await state(page, id);
    expect(before.sessions).toBe(200);
    await page.goto(`http://${host}:${port}/`);
    const { url } = server();
    const commands = commandsOf(id);
    expect(await page.evaluate(fetchAll(url, commands))).toEqual([]);
    await page.evaluate(submitAll(url, commands));
    expect(await page.evaluate(readAll(url))).toEqual([]);
    expect(await page.evaluate(listenTo(url, id))).toEqual([]);
    const tops: number[] = [];
    for (const [, path] of commands) {
      await page.goto(`http://${host}:${port}/`);
      const [answer] = await Promise.all([
        page.waitForResponse((answer) => answer.url() === url + path),
        page.waitForEvent('load'),
        page.evaluate(submitOnTop(url + path)),
      ]);
      tops.push(answer.status());
    }
    expect(tops.filter((status) => status < 400)).toEqual([]);
    expect(await state(page, id)).toEqual(before);
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await page.context().close();
  });

  it('is refused requests that the portal itself may send', async () => {
    const { page } = await open(MANAGER);
    const { items } = await call(MANAGER, 'GET', '/api/v1/buildings');
    const { url } = server();
    const [, [, path, body]] = commandsOf(items[0].id);
    const statuses = await page.evaluate(`(async () => {
      const body = '${JSON.stringify(body)}';
      const headers = { 'content-type': 'application/json' };
      return (await fetch('${path}', { method: 'POST', headers, body })).status;
    })()`);
    expect(statuses).toBe(201);
    const answers = await page.evaluate<string[]>(listenTo(url, items[0].id));
    expect(answers.join()).toContain('"ok":true');
    await page.context().close();
  });
});
