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

/** What all pages of those who have signed in may weigh together. */
const ALL_BYTES_MAX = 220_000;
/** What a first visit to the tickets may weigh, without their own data. */
const FIRST_VISIT_BYTES_MAX = 70_000;
/** What a visit to the pages without sign-in may weigh. */
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

  it('comes with less than 220 kB, of all pages together', () => {
    const ofSignedIn = Object.keys(files).filter((name) => !name.startsWith('public.'));
    expect(weightOf(ofSignedIn)).toBeLessThan(ALL_BYTES_MAX);
  });

  it('comes without sign-in with less than 20 kB', () => {
    const names = ['public.html', 'public.css', 'public.js', 'icon.svg'];
    expect(weightOf(names)).toBeLessThan(PUBLIC_BYTES_MAX);
    expect(files['public.js']).not.toMatch(/from"\.\//);
  });

  it('loads for the tickets less than 70 kB: each page is a file of its own', () => {
    const names = ['index.html', 'portal.css', 'portal.js', 'shared.js', 'tickets.js', 'icon.svg'];
    expect(weightOf(names)).toBeLessThan(FIRST_VISIT_BYTES_MAX);
    expect(files['portal.js']).not.toMatch(/from"\.\/(?!shared)/);
  });

  it('names no address of somebody else, but in its libraries', () => {
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
    // Names of XML, which nobody asks.
    expect(named.filter((at) => at !== 'http://www.w3.org')).toEqual([]);
  });
});

/** Of programs: no person is given it. */
const PROGRAMS: readonly Role[] = ['integration'];

it.each(Object.entries(rolesFor))(
  'names the roles that open what needs %s',
  (permission, named) => {
    const holders = permissionTable[permission as keyof typeof rolesFor];
    expect(named).toEqual(holders.filter((role) => !PROGRAMS.includes(role)));
  },
);
