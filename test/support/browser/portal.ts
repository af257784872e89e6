/** The portal in the window of a signed-in user. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
} from 'playwright-core';
import { expect } from 'vitest';
import { newWindow } from './chromium.ts';
import type { ServerProcess } from '../servers/server.ts';

export interface OpenPortal {
  readonly page: Page;
  /** Errors of the browser, including violations of the content security policy. */
  readonly complaints: string[];
  /** Every origin that was requested. */
  readonly origins: Set<string>;
  /** Opens a page of it, and waits for its heading and what it loads. */
  at(hash: string, heading: string | RegExp): Promise<void>;
  press(name: string): Promise<void>;
}

/**
 * A page closes its live connection, which the server may have closed just before, as for a
 * deleted sandbox, or which is still being opened: then the browser logs these warnings.
 */
const LEFT_LIVE = [
  /^WebSocket is already in CLOSING or CLOSED state\.$/,
  /failed: WebSocket is closed before the connection is established\.$/,
];

/** Signs a window in at the issuer, without a page. */
export const signInAs = async (
  context: BrowserContext,
  server: Pick<ServerProcess, 'url'>,
  email: string,
): Promise<void> => {
  // Forgets the person known to the issuer there.
  await context.clearCookies();
  const form = await context.request.get(`${server.url}/session/login`);
  const answer = await context.request.post(form.url(), { form: { email } });
  if (!answer.ok()) throw new Error(`no sign-in: ${answer.status()} at ${answer.url()}`);
  await form.dispose();
  await answer.dispose();
};

/** In the page: a change of the address has been rendered. */
const FRAME = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** @param email `null`: not signed in. */
export const openPortal = async (
  browser: Browser,
  server: ServerProcess,
  email: string | null,
  options: BrowserContextOptions = {},
): Promise<OpenPortal> => {
  const context = await newWindow(browser, {
    viewport: { width: 1280, height: 860 },
    // During a colour transition the contrast is arbitrary.
    reducedMotion: 'reduce',
    ...options,
  });
  if (email !== null) await signInAs(context, server, email);
  const page = await context.newPage();
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (LEFT_LIVE.some((words) => words.test(message.text()))) return;
    // Before sign-in GET /session is a 401, which the browser logs.
    if (email === null && message.location().url === `${server.url}/session`) return;
    complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    // Created by the page itself, for a file download.
    if (!request.url().startsWith('blob:')) origins.add(origin);
    if (request.resourceType() === 'xhr' && !request.headers()['x-atrium-subject'])
      complaints.push(`sent in nobody's name: ${request.url()}`);
  });
  await page.goto(server.url);
  // While the portal starts it replaces the history entry: a navigation during that may be lost.
  await page.locator('#portal > :not(noscript)').first().waitFor({ state: 'attached' });
  return {
    page,
    complaints,
    origins,
    async at(hash, heading) {
      await page.goto(`${server.url}/${hash}`);
      // Another address of the same page has the same heading, and rows of the former address.
      await page.evaluate(FRAME);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await page.locator('main [aria-busy="true"]').first().waitFor({ state: 'detached' });
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
  };
};

/** Deadline of one press on a busy machine. */
const PRESS_MAX_MS = 5_000;

/** Presses a button that the page may remove by itself, until `isDone`. */
export const pressUntil = async (
  button: Locator,
  isDone: () => Promise<boolean>,
): Promise<void> => {
  await expect
    .poll(async () => {
      if (await isDone()) return true;
      // The button is disabled while the page retries by itself, and removed once it has an answer.
      await button.click({ timeout: PRESS_MAX_MS });
      return false;
    })
    .toBe(true);
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Serious findings of axe on the current page: empty for an accessible page. */
export const seriousIn = async (page: Page): Promise<readonly string[]> => {
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  if (!isThere) await page.evaluate(`${axe};undefined`);
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};

/** In the page: elements beyond its right edge, if the page is wider than the window. */
const WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right + scrollX > innerWidth)
    .map((element) => element.outerHTML.slice(0, 200))`;

/** Elements wider than the window: empty where the page does not scroll sideways. */
export const widerThanWindow = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(WIDER);
