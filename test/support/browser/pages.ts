/** Every page of the portal, by the pattern of its address. `:name` stands for an id. */
import type { Page } from 'playwright-core';

export const DESK_PARTS = [
  'levels',
  'hours',
  'rules',
  'workflows',
  'types',
  'people',
  'try',
  'json',
];

export const PAGES = [
  'tickets',
  'tickets/board',
  'tickets/:ticket',
  'reports',
  'reports/month',
  ...DESK_PARTS.map((part) => `desk/${part}`),
  'buildings',
  'buildings/import',
  'buildings/:building/import',
  'buildings/:building/spaces',
  'buildings/:building/spaces/:storey',
  'buildings/:building/points',
  'buildings/:building/points/:point',
  'buildings/:building/layers',
  'buildings/:building/faults',
  'buildings/:building/faults/:fault',
  'buildings/:building/rules',
  'buildings/:building/rules/new',
  'buildings/:building/plan',
  'buildings/:building/labels',
  'report',
  'live',
  'sandboxes',
  'sandboxes/:sandbox',
  'webhooks',
  'webhooks/:webhook',
  'keys',
  'keys/:key',
  'erasures',
  'erasures/new',
  'erasures/:erasure',
  'audit',
  'operations',
  'operations/processes',
  'sessions',
];

/** Addresses that show one of the pages. */
const ALIASES = ['', 'desk', 'buildings/:building'];

/** Ids by the names that stand for them in the patterns. */
export type Things = Readonly<Record<string, string>>;

/** The first part of its address, which names it in the navigation. */
export const placeOf = (page: string): string => page.split('/', 1)[0]!;

/** The address of a page, without the question. */
const hashOf = (page: string, things: Things): string =>
  `#/${page.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(things[name]!))}`;

/** An id, as against the name of a part: it has more than lower-case letters in it. */
const isId = (part: string): boolean => !/^[a-z]+$/.test(part);

const fits = (pattern: string, address: string): boolean => {
  const [wanted, parts] = [pattern.split('/'), address.split('/')];
  return (
    wanted.length === parts.length &&
    wanted.every((part, at) => (part.startsWith(':') ? isId(parts[at]!) : part === parts[at]))
  );
};

/** Those of the addresses (`#/tickets?state=new`) that lead to a page that is not listed here. */
export const unknownAmong = (hashes: readonly string[]): readonly string[] =>
  hashes.filter((hash) => {
    const address = hash.replace(/^#\/?/, '').split('?', 1)[0]!;
    return ![...PAGES, ...ALIASES].some((pattern) => fits(pattern, address));
  });

/** In the page: addresses of other pages that it links to. */
export const LINKED = `[...document.querySelectorAll('a[href^="#/"]')].map((link) =>
  link.getAttribute('href'))`;

/** Opens the page of a signed-in window, and waits until it shows what it has loaded. */
export const visit = async (page: Page, pattern: string, things: Things): Promise<void> => {
  await page.goto(`${new URL(page.url()).origin}/${hashOf(pattern, things)}`);
  await shown(page);
};

/** Waits until the page shows what it has loaded. */
export const shown = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
};
