/** The browser of the tests. Where it is not installed they are skipped, by name. */
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
} from 'playwright-core';
import { programOnPath } from '../programs.ts';
import { WAITS_MAX_MS } from '../until.ts';

/** The shell is the same engine without a browser's window, and takes half of the CPU time. */
const PATH = programOnPath(['chromium-headless-shell', 'chromium']);
const ARGUMENTS = [
  '--no-sandbox',
  '--headless',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const hasChromium = PATH !== null;

/** Names of downloads are given in the browser's own encoding. */
const UTF8 = { LC_ALL: 'C.UTF-8' };

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: PATH!, args: ARGUMENTS, env: { ...process.env, ...UTF8 } });

/** A window of its own, whose pages wait as long as everything else in tests does. */
export const newWindow = async (
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(WAITS_MAX_MS);
  return context;
};
