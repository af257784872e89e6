/** The published packages: files, size, and module resolution. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { beforeAll, describe, expect, it } from 'vitest';
import { packed, type Packed } from '../support/packages/packed.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

const KIB = 1024;
/** By package: the largest tarball, compressed, and the files that it may have. */
const published = {
  cli: {
    bytesMax: 160 * KIB,
    allowed: /^(bin\/atrium\.js|dist\/(atrium\.1|cli\/package\.json|(cli|sdk)\/src\/[\w/-]+\.js))$/,
  },
  sdk: {
    bytesMax: 256 * KIB,
    allowed: /^dist\/(cjs\/)?([\w-]+\.(js|d\.ts)|package\.json)$/,
  },
};
/** Packages that a file imports or requires by name. */
const importsIn = (code: string): readonly string[] =>
  [...code.matchAll(IMPORT)].map(([, module]) => module!);
const IMPORT = /(?:from|import|import\(|require\()\s*['"](?!node:|\.)((?:@[\w.-]+\/)?[\w.-]+)/g;

const EVERY = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];

describe.each(['cli', 'sdk'] as const)('the tarball of packages/%s', (name) => {
  const manifest = JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')) as Manifest;
  let pack: Packed;

  beforeAll(async () => {
    pack = await packed(name);
  });

  it('has the compiled code, its declarations, a page and a licence, and nothing else', () => {
    expect(pack.files).toEqual(expect.arrayContaining(EVERY));
    const code = pack.files.filter((path) => !EVERY.includes(path));
    expect(code.filter((path) => !published[name].allowed.test(path))).toEqual([]);
    expect(code.length).toBeGreaterThan(0);
  });

  it('is not larger than its bound', () => {
    expect(pack.bytes).toBeLessThanOrEqual(published[name].bytesMax);
  });

  it('imports only Node and its dependencies', () => {
    const { dependencies = {}, peerDependencies = {} } = manifest;
    const declared = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
    const imported = pack.files
      .filter((path) => path.endsWith('.js'))
      .flatMap((path) => importsIn(readFileSync(`packages/${name}/${path}`, 'utf8')));
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((module) => !declared.has(module))).toEqual([]);
  });

  it('has a description, a repository and provenance', () => {
    expect(manifest).toMatchObject({
      license: 'Apache-2.0',
      repository: { type: 'git', directory: `packages/${name}` },
      keywords: expect.arrayContaining(['atrium']),
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest).not.toHaveProperty('private');
  });

  it('is accepted by publint, suggestions included', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(pack.tarball);
    const tarball = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});

it('the types of the SDK resolve for every kind of importer, each entry', async () => {
  const { tarball } = await packed('sdk');
  const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js');
  const words = [attw, tarball, '--format', 'json'];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  const { analysis } = JSON.parse(stdout) as {
    analysis: {
      readonly entrypoints: Readonly<Record<string, { resolutions: Record<string, object> }>>;
      readonly problems: readonly unknown[];
    };
  };
  expect(analysis.problems).toEqual([]);
  const { exports } = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8')) as Manifest;
  expect(Object.keys(analysis.entrypoints).toSorted()).toEqual(Object.keys(exports!).toSorted());
  for (const { resolutions } of Object.values(analysis.entrypoints))
    expect(Object.keys(resolutions).toSorted()).toEqual([
      'bundler',
      'node10',
      'node16-cjs',
      'node16-esm',
    ]);
});
