import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { fileStoreContract } from '../contract/files/file-store.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';

const root = temporaryDirectory('file-store');
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const fresh = () => {
  count += 1;
  return directoryStores(join(root, `contract-${count}`)).of('main');
};

const one = async function* () {
  yield Buffer.from('leak');
};

describe('a store in a directory', () => {
  fileStoreContract(fresh);

  it('is made with its first file, for its owner alone', async () => {
    const stores = directoryStores(join(root, 'made'));
    expect(await stores.names()).toEqual([]);
    await (await stores.of('main').receive(one())).keep('acme');
    expect(await stores.names()).toEqual(['main']);
    const entries = await readdir(join(root, 'made'), { recursive: true, withFileTypes: true });
    const [file] = entries.filter((entry) => entry.isFile());
    expect(statSync(join(file!.parentPath, file!.name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'made')).mode & 0o777).toBe(0o700);
  });

  it.runIf(process.platform === 'linux')('refuses a file where nothing can be made', async () => {
    const files = directoryStores('/proc/nowhere').of('main');
    await expect(files.receive(one())).rejects.toThrow('ENOENT');
  });

  it.runIf(process.platform === 'linux')('closes a file of which nothing was read', async () => {
    const files = fresh();
    const { sha256, keep } = await files.receive(one());
    await keep('acme');
    const descriptors = async () => (await readdir('/proc/self/fd')).length;
    const before = await descriptors();
    for (let n = 0; n < 5; n += 1) {
      const body = Readable.from(await files.open({ organisation: 'acme', sha256 }));
      body.destroy();
      await once(body, 'close');
    }
    expect(await descriptors()).toBeLessThanOrEqual(before);
  });

  it('removes unfinished files by their age, and says how many', async () => {
    const files = fresh();
    await files.receive(one());
    expect(await files.removeUnfinished(60_000)).toBe(0);
    expect(await files.removeUnfinished(-1)).toBe(1);
    expect(await files.removeUnfinished(-1)).toBe(0);
  });

  it('of one platform is removed without those of others', async () => {
    const stores = directoryStores(join(root, 'platforms'));
    for (const name of ['main', 'sandbox_1']) {
      await (await stores.of(name).receive(one())).keep('acme');
    }
    await stores.drop('sandbox_1');
    await stores.drop('sandbox_1');
    expect(await stores.names()).toEqual(['main']);
  });

  it('is copied to another platform, and begins no further file once that is aborted', async () => {
    const stores = directoryStores(join(root, 'copies'));
    await (await stores.of('from').receive(one())).keep('acme');
    const unwanted = AbortSignal.abort(new Error('deleted'));
    await expect(stores.copy('from', 'to', 'acme', unwanted)).rejects.toThrow('deleted');
    expect(await stores.names()).toEqual(['from']);
    await stores.copy('from', 'to', 'acme');
    const keysOf = (name: string) => Array.fromAsync(stores.of(name).stored());
    expect(await keysOf('to')).toEqual(await keysOf('from'));
  });

  it('refuses names that leave its directory', () => {
    expect(() => directoryStores(root).of('../other')).toThrow('no name');
    const files = fresh();
    return expect(files.open({ organisation: 'acme', sha256: '../../x' })).rejects.toThrow('SHA');
  });
});
