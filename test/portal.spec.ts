/**
 * The portal is shipped built. A copy that its sources have left behind fails here, and
 * `npm test -- test/portal.spec.ts -u` makes it again.
 */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rolesFor } from '../packages/portal/src/role-names.ts';
import { built } from '../packages/portal/scripts/build.ts';
import { permissionTable, type Role } from '../src/identity/permissions.ts';
import { filesOf, text } from './support/sources.ts';

/** The maximum total of all pages behind sign-in, in bytes. */
const ALL_BYTES_MAX = 222_000;
/** The maximum of a first visit to the tickets, without their data. */
const FIRST_VISIT_BYTES_MAX = 70_000;
/** The maximum of a visit to the pages without sign-in. */
const PUBLIC_BYTES_MAX = 20_000;

const files = await built();
const weightOf = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(files[name]!).length, 0);

describe('the built portal', () => {
  it.each(Object.entries(files))('has %s as its sources say', async (name, content) => {
    await expect(content).toMatchFileSnapshot(`../packages/portal/built/${name}`);
  });

  it('has nothing else', () => {
    const there = filesOf('packages/portal/built/*').map((path) => path.split('/').at(-1)!);
    expect(there).toEqual(Object.keys(files).toSorted());
  });

  it('is smaller than 222 kB, over all pages', () => {
    const ofSignedIn = Object.keys(files).filter((name) => !name.startsWith('public.'));
    expect(weightOf(ofSignedIn)).toBeLessThan(ALL_BYTES_MAX);
  });

  it('is smaller than 20 kB without sign-in', () => {
    const names = ['public.html', 'public.css', 'public.js', 'icon.svg'];
    expect(weightOf(names)).toBeLessThan(PUBLIC_BYTES_MAX);
    expect(files['public.js']).not.toMatch(/from"\.\//);
  });

  it('loads for the tickets less than 70 kB: each page is a file of its own', () => {
    const names = ['index.html', 'portal.css', 'portal.js', 'shared.js', 'tickets.js', 'icon.svg'];
    expect(weightOf(names)).toBeLessThan(FIRST_VISIT_BYTES_MAX);
    expect(files['portal.js']).not.toMatch(/from"\.\/(?!shared)/);
  });

  it('names no foreign host, except in its libraries', () => {
    const named = [
      'public.html',
      'public.css',
      'public.js',
      'index.html',
      'portal.css',
      'portal.js',
      'shared.js',
      'tickets.js',
    ].flatMap((name) =>
      [...text(`packages/portal/built/${name}`).matchAll(/https?:\/\/[\w.-]+/g)].map(([at]) => at),
    );
    // XML namespaces, which are never requested.
    expect(named.filter((at) => at !== 'http://www.w3.org')).toEqual([]);
  });
});

/** Of programs: no person is given it. */
const PROGRAMS: readonly Role[] = ['integration'];

it.each(Object.entries(rolesFor))(
  'names the roles that have the permission %s',
  (permission, named) => {
    const holders = permissionTable[permission as keyof typeof rolesFor];
    expect(named).toEqual(holders.filter((role) => !PROGRAMS.includes(role)));
  },
);
