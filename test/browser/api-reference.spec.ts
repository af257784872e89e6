/** The page at `/docs`, as who has just started a server meets it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium, newWindow } from '../support/browser/chromium.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

describe.skipIf(!hasChromium)('the API reference', () => {
  const running = servers();
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let asked: URL[];
  let violations: string[];

  beforeAll(async () => {
    const { url } = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('reference');
    server = await running.start({ DATABASE_URL: url, ATRIUM_DATA });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await running.release();
  });
  afterEach(async () => {
    await page.context().close();
    expect(violations).toEqual([]);
  });

  const open = async (origin: string, hash = '') => {
    page = await (await newWindow(browser, { viewport: { width: 1400, height: 1000 } })).newPage();
    asked = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    violations = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) violations.push(message.text());
    });
    await page.goto(`${origin}/docs${hash}`);
    await page.getByRole('heading', { name: 'Raise a ticket' }).first().waitFor();
  };

  /** What the API answers to a press of "Send", for this demo user. */
  const sent = async (request: string, email: string) => {
    await page.getByRole('button', { name: `Test Request (${request})` }).click();
    const dialog = page.getByRole('dialog');
    const token = dialog.getByLabel('Bearer Token').or(dialog.getByPlaceholder('Token'));
    await token.first().fill(await server.tokenOf(email));
    const [method, path] = request.split(' ') as [string, string];
    const [answer] = await Promise.all([
      page.waitForResponse((response) => {
        const isIt = response.request().method().toLowerCase() === method;
        return isIt && new URL(response.url()).pathname === path;
      }),
      dialog.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    return { status: answer.status(), url: new URL(answer.url()), body: await answer.json() };
  };

  it.each(['localhost', '127.0.0.1'])(
    'lists tickets at a press of "Send", opened at %s, with no filter set',
    async (host) => {
      const origin = server.url.replace('localhost', host);
      await open(origin, '#tag/tickets/GET/api/service-desk/requests');
      const path = 'get /api/service-desk/requests';
      const { status, url, body } = await sent(path, 'agent@acme.test');
      expect([status, url.origin]).toEqual([200, origin]);
      expect([...url.searchParams.keys()].toSorted()).toEqual(['limit', 'page', 'sort']);
      expect(body.items.length).toBeGreaterThan(3);
      expect(new Set(asked.map((one) => one.origin))).toEqual(new Set([origin]));
    },
  );

  it('raises the ticket of the example at a press of "Send"', async () => {
    await open(server.url, '#tag/tickets/POST/api/service-desk/requests');
    const { status, body } = await sent('post /api/service-desk/requests', 'agent@acme.test');
    expect([status, body.subject]).toEqual([201, 'Too warm']);
  });

  it('runs its own scripts and asks this server alone, by a policy of each answer', async () => {
    const policies = await Promise.all(
      [1, 2].map(async () => {
        const answer = await fetch(`${server.url}/docs/`);
        return [answer.headers.get('content-security-policy') ?? '', await answer.text()] as const;
      }),
    );
    expect(policies[0]![0]).not.toBe(policies[1]![0]);
    for (const [policy, html] of policies) {
      const nonce = /script-src 'nonce-([^']+)';/.exec(policy)?.[1];
      expect(html.match(/nonce="[^"]*"/g)).toEqual(
        Array.from({ length: 3 }, () => `nonce="${nonce}"`),
      );
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    }
    await open(server.url);
    await page.evaluate(`
      const script = document.createElement('script');
      script.textContent = 'globalThis.wasRun = true';
      document.body.append(script);
    `);
    expect(await page.evaluate(() => 'wasRun' in globalThis)).toBe(false);
    expect(violations.splice(0).join()).toMatch(/script-src/);
  });

  it('begins with tickets, and has no advertising', async () => {
    await open(server.url);
    const groups = await page.getByRole('button', { name: /Group - / }).allTextContents();
    expect(groups.map((name) => name.replace(/^.* - /, ''))[0]).toBe('tickets');
    for (const link of await page.locator('a[href*="scalar"]').all()) {
      expect(await link.isVisible(), await link.textContent().then(String)).toBe(false);
    }
    const words = await page.locator('body').innerText();
    expect(words).not.toMatch(/scalar|Ask AI|MCP/i);
  });
});
