/** The browser of the tests. Where it is not installed they are skipped, by name. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PATH = '/usr/bin/chromium';
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

export const hasChromium = existsSync(PATH);

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: PATH, args: ARGUMENTS });
