/** The portal as somebody has it who has signed in. */
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
  /** What the browser complains of: errors, and whatever the policy of the pages forbids. */
  readonly complaints: string[];
  /** Every origin that was asked. */
  readonly origins: Set<string>;
  /** Opens a page of it, and waits for its heading. */
  at(hash: string, heading: string | RegExp): Promise<void>;
  press(name: string): Promise<void>;
}

/**
 * A page that leaves a live connection says so to the server, which may have closed it just then,
 * as of a sandbox that is deleted: the browser alone knows that, and warns.
 */
const SENT_LATE = 'WebSocket is already in CLOSING or CLOSED state.';

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

/** @param email `null`: nobody has signed in yet. */
export const openPortal = async (
  browser: Browser,
  server: ServerProcess,
  email: string | null,
  options: BrowserContextOptions = {},
): Promise<OpenPortal> => {
  const context = await newWindow(browser, {
    viewport: { width: 1280, height: 860 },
    // A colour on its way from one to another has any contrast.
    reducedMotion: 'reduce',
    ...options,
  });
  if (email !== null) await signInAs(context, server, email);
  const page = await context.newPage();
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || message.text() === SENT_LATE) return;
    // Before sign-in GET /session is a 401, which the browser logs.
    if (email === null && message.location().url === `${server.url}/session`) return;
    complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin } = new URL(request.url());
    // Made by the page itself, for a file that is saved.
    if (!request.url().startsWith('blob:')) origins.add(origin);
    if (request.resourceType() === 'xhr' && !request.headers()['x-atrium-subject'])
      complaints.push(`sent in nobody's name: ${request.url()}`);
  });
  await page.goto(server.url);
  // While the portal starts it writes into the history: an address that is asked for just then may
  // be lost to it.
  await page.locator('#portal > :not(noscript)').first().waitFor({ state: 'attached' });
  return {
    page,
    complaints,
    origins,
    async at(hash, heading) {
      await page.goto(`${server.url}/${hash}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
  };
};

/** One press on a machine at work. */
const PRESS_MAX_MS = 5_000;

/** Presses a button that the page may put away by itself, until `isDone`. */
export const pressUntil = async (
  button: Locator,
  isDone: () => Promise<boolean>,
): Promise<void> => {
  await expect
    .poll(async () => {
      if (await isDone()) return true;
      // It is busy while the page tries again by itself, and gone once there is an answer.
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

/** What axe finds serious on the page as it is: nothing, where it can be used by everybody. */
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

/** In the page: what reaches beyond its right edge, if the page is wider than the window. */
const WIDER = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right + scrollX > innerWidth)
    .map((element) => element.outerHTML.slice(0, 200))`;

/** What does not fit into the width of the window: nothing, where no page scrolls sideways. */
export const widerThanWindow = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(WIDER);
