import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { screenedStores } from '../../src/files/screening.ts';
import { fileStoreContract } from '../contract/files/file-store.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { inPieces, quarters } from '../support/pictures.ts';

const root = temporaryDirectory('screening');
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const fresh = (screening = {}) => {
  count += 1;
  return screenedStores(directoryStores(join(root, `${count}`)), screening).of('main');
};

const photo = () =>
  quarters()
    .jpeg()
    .withExif({ IFD0: { Artist: 'Ada' } })
    .toBuffer();
const stored = async (bytes: Uint8Array, screening = {}) => {
  const files = fresh(screening);
  const received = await files.receive(inPieces(bytes));
  await received.keep('acme');
  const { sha256 } = received;
  const pieces = await Array.fromAsync(await files.open({ organisation: 'acme', sha256 }));
  return { bytes: Buffer.concat(pieces), told: received.bytes };
};

describe('a store whose files are screened', () => {
  fileStoreContract(fresh);

  it('has pictures without metadata, and tells of what it has', async () => {
    const { bytes, told } = await stored(await photo());
    expect(bytes.includes('Ada')).toBe(false);
    expect(told).toBe(bytes.length);
  });

  it('keeps metadata if it is told to', async () => {
    const sent = await photo();
    expect((await stored(sent, { keepsMetadata: true })).bytes.equals(sent)).toBe(true);
  });

  it('refuses a picture whose metadata would stay, and has nothing of it', async () => {
    const sent = await quarters()
      .avif()
      .withExif({ IFD0: { Artist: 'Ada' } })
      .toBuffer();
    sent[sent.indexOf('iloc') + 11] = 0xff;
    const files = fresh();
    await expect(files.receive(inPieces(sent))).rejects.toMatchObject({ reason: 'broken' });
    const entries = await readdir(join(root, `${count}`), { recursive: true, withFileTypes: true });
    expect(entries.filter((one) => one.isFile())).toEqual([]);
  });
});
