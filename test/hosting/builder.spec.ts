/** The first phase of a sandbox that is deleted meanwhile: contract.md section 4. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { directoryStores } from '../../src/files/directory-store.ts';
import type { FileStores } from '../../src/files/file-store.ts';
import { sandboxBuilder, type BuilderParts } from '../../src/hosting/builder.ts';
import { databasesOn } from '../../src/hosting/databases.ts';
import { databaseNames, type DatabaseNames } from '../../src/hosting/names.ts';
import { temporaryDirectory } from '../support/directory.ts';

const databases = databasesOn(inject('clusterUrl'));
const sandbox = { sandboxId: 'sbx_0000000000000000', generation: 1, organisation: 'acme' };
const branch = { snapshotId: 'snp_00000000000000000000' };
const BRANCH = { branch } as SandboxView;

let names: DatabaseNames;
let source: string;
let copy: string;
let directory: string;
let fileStores: FileStores;
let unwanted: AbortController;

beforeEach(async () => {
  names = databaseNames('test', randomUUID());
  source = names.ofSnapshot(branch.snapshotId);
  copy = names.of(sandbox.sandboxId, sandbox.generation);
  directory = temporaryDirectory('builder');
  fileStores = directoryStores(directory);
  unwanted = new AbortController();
  await databases.create(source);
  const received = await fileStores.of(source).receive(content());
  await received.keep('acme');
});
afterEach(async () => {
  for (const name of [copy, source]) await databases.drop(name);
  rmSync(directory, { recursive: true });
});

async function* content() {
  yield Buffer.from('a file');
}

const abort = () => unwanted.abort(new Error('deleted'));
const built = (parts: Partial<BuilderParts>, view: Pick<SandboxView, 'branch'>) => {
  const seeding = { prepare() {}, seed: async () => {} };
  const given = { databases, names: async () => names, seeding, ...parts } as BuilderParts;
  const { build } = sandboxBuilder(given);
  return build.database({ ...sandbox, ...view } as SandboxView, unwanted.signal);
};

it('copies no further file of a deleted branch', async () => {
  const aborted: FileStores = {
    ...fileStores,
    copy(...given) {
      abort();
      return fileStores.copy(...given);
    },
  };
  await expect(built({ fileStores: aborted }, BRANCH)).rejects.toThrow('deleted');
  expect(await fileStores.names()).toEqual([source]);
});

it('copies no database of a branch that is deleted while its files are copied', async () => {
  const aborted: FileStores = {
    ...fileStores,
    async copy(...given) {
      await fileStores.copy(...given);
      abort();
    },
  };
  await expect(built({ fileStores: aborted }, BRANCH)).rejects.toThrow('deleted');
  expect(await fileStores.names()).toContain(copy);
  expect(await databases.names()).not.toContain(copy);
});

it('creates no database of a sandbox that is deleted while the template is made', async () => {
  const template = {
    async ready() {
      abort();
      return source;
    },
  };
  await expect(built({ template }, { branch: null })).rejects.toThrow('deleted');
  expect(await databases.names()).not.toContain(copy);
});
