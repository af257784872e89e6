/** ops/image: the build, contents and licences of a release. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { licencesIn, refusalOf, type Lock } from '../ops/image/licence-rules.ts';
import { text } from './support/sources.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const lock = JSON.parse(text('package-lock.json')) as Lock;

it.each(['node:24', 'node:24@sha256:0123', `node@sha512:${'0'.repeat(64)}`])(
  'a release is not built on %s, which is no digest',
  (base) => {
    const { status, stderr } = spawnSync('sh', ['ops/image/build.sh', 'registry.test/atrium:1'], {
      cwd: root,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_IMAGE: base, BASE_IMAGE: base },
    });
    expect(stderr).toContain(`${base}: must be named by digest`);
    expect(status).toBe(1);
  },
);

it('the bill of materials is CycloneDX, lists installed packages and is reproducible', async () => {
  interface Bom {
    readonly bomFormat: string;
    readonly specVersion: string;
    readonly serialNumber: string;
    readonly metadata: { readonly timestamp: string; readonly component: object };
    readonly components: readonly {
      readonly name: string;
      readonly purl: string;
      readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    }[];
  }
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  const print = () =>
    run(process.execPath, ['ops/image/sbom.ts'], { cwd: root, env, maxBuffer: 16 * 1024 ** 2 });
  const [one, other] = await Promise.all([print(), print()]);
  expect(one.stdout).toBe(other.stdout);
  const bom = JSON.parse(one.stdout) as Bom;
  expect(bom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    metadata: {
      timestamp: '2023-11-14T22:13:20.000Z',
      component: { name: 'atrium-server', type: 'application' },
    },
  });
  const names = new Set(bom.components.map(({ name }) => name));
  const { dependencies } = JSON.parse(text('package.json')) as { dependencies: object };
  expect(Object.keys(dependencies).filter((name) => !names.has(name))).toEqual([]);
  expect(names).not.toContain('vitest');
  expect(bom.components.length).toBeGreaterThan(200);
  for (const { purl, hashes } of bom.components) {
    expect(purl).toMatch(/^pkg:npm\/.+@.+/);
    expect(hashes![0]).toMatchObject({
      alg: 'SHA-512',
      content: expect.stringMatching(/^\w{128}$/),
    });
  }
});

describe('licences', () => {
  const of = (name: string, licence: string | null) =>
    refusalOf({ name, version: '1.0.0', licence });

  it('of all that is installed in production are accepted', () => {
    const found = licencesIn(lock);
    expect(found.length).toBeGreaterThan(200);
    expect(found.map(({ name }) => name)).not.toContain('vitest');
    const refused = found.filter((it) => refusalOf(it) !== null);
    expect(refused).toEqual([]);
  });

  it('are refused where a package names none, an unknown one, or one that binds its user', () => {
    expect(of('x', null)).toBe('it names no licence');
    expect(of('x', 'SEE LICENSE IN x')).toContain('not among the accepted');
    for (const licence of ['GPL-3.0-only', 'AGPL-3.0-only', 'MIT AND GPL-2.0-only', 'UNLICENSED'])
      expect(of('x', licence)).toContain('not among the accepted');
    expect(of('x', 'LGPL-3.0-or-later')).toContain('not among the accepted');
  });

  it('may be one of several, and a copyleft of a library that is named', () => {
    expect(of('x', '(MIT OR GPL-3.0-only)')).toBeNull();
    expect(of('x', '(BSD-3-Clause AND Apache-2.0)')).toBeNull();
    expect(of('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')).toBeNull();
  });
});
