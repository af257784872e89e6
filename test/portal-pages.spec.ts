/** The browser specs that visit all pages know all pages. */
import { expect, it } from 'vitest';
import { DESK_PARTS, PAGES, placeOf } from './support/browser/pages.ts';
import { filesOf, text } from './support/sources.ts';

const PORTAL = 'packages/portal/src';

const namesIn = (path: string, pattern: RegExp): string[] =>
  [...text(path).matchAll(pattern)].map(([, name]) => name!);

it('knows each place of the navigation', () => {
  const places = namesIn(`${PORTAL}/navigation.ts`, /\bpath: '(\w+)'/g);
  expect([...new Set(PAGES.map(placeOf))].toSorted()).toEqual(places.toSorted());
});

it('knows each part of a place', () => {
  const parts = filesOf(`${PORTAL}/pages/*/page.tsx`).flatMap((path) =>
    namesIn(path, /(?:part|path\[1\]) === '(\w+)'/g).map(
      (part) => `${path.split('/').at(-2)}/${part}`,
    ),
  );
  expect(parts).toContain('tickets/board');
  expect(parts.filter((part) => !PAGES.includes(part))).toEqual([]);
});

it('knows each editor of the desk', () => {
  const tabs = namesIn(`${PORTAL}/pages/desk/editors.tsx`, /\{ name: '(\w+)', label/g);
  expect(tabs).toEqual(DESK_PARTS);
});
