import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { ScannerUnavailable, type Scanner } from '../../src/files/scanner/scanner.ts';
import { screenedStores, type Screening } from '../../src/files/screening.ts';
import { fileStoreContract } from '../contract/files/file-store.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { inPieces, quarters } from '../support/pictures.ts';

const root = temporaryDirectory('screening');
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
const logger = pino({ level: 'silent' });
const fresh = (screening: Partial<Screening> = {}) => {
  count += 1;
  const stores = directoryStores(join(root, `${count}`));
  return screenedStores(stores, { logger, ...screening }).of('main');
};
const filesOfLast = async () => {
  const entries = await readdir(join(root, `${count}`), { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ name }) => name);
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
  return { bytes: Buffer.concat(pieces), bytesReceived: received.bytes };
};

describe('a store whose files are screened', () => {
  fileStoreContract(fresh);

  it('stores pictures without metadata, and returns the stored size', async () => {
    const { bytes, bytesReceived } = await stored(await photo());
    expect(bytes.includes('Ada')).toBe(false);
    expect(bytesReceived).toBe(bytes.length);
  });

  it('keeps metadata if configured', async () => {
    const sent = await photo();
    expect((await stored(sent, { keepsMetadata: true })).bytes.equals(sent)).toBe(true);
  });

  it('refuses a picture whose metadata would remain, and stores nothing', async () => {
    const sent = await quarters()
      .avif()
      .withExif({ IFD0: { Artist: 'Ada' } })
      .toBuffer();
    sent[sent.indexOf('iloc') + 11] = 0xff;
    const files = fresh();
    await expect(files.receive(inPieces(sent))).rejects.toMatchObject({ reason: 'broken' });
    expect(await filesOfLast()).toEqual([]);
  });

  const scannedBy = (scan: Scanner['scan'], ready: true | string = true) =>
    fresh({ scanner: { scan, ready: async () => ready } });

  it('scans a file before it becomes readable', async () => {
    const seen: Buffer[] = [];
    const files = scannedBy(async (read) => {
      for (const _ of ['first', 'again']) {
        seen.push(Buffer.concat(await Array.fromAsync(read())));
      }
      return null;
    });
    const received = await files.receive(inPieces(await photo()));
    const file = { organisation: 'acme', sha256: received.sha256 };
    await expect(files.open(file)).rejects.toMatchObject({ name: 'FileMissing' });
    await received.keep('acme');
    const stored = Buffer.concat(await Array.fromAsync(await files.open(file)));
    expect(seen).toEqual([stored, stored]);
  });

  it('refuses an infected file, and stores nothing', async () => {
    const files = scannedBy(async () => 'Eicar');
    const refused = files.receive(inPieces(Buffer.from('x')));
    await expect(refused).rejects.toMatchObject({ name: 'FileRefused', reason: 'infected' });
    expect(await filesOfLast()).toEqual([]);
  });

  it('refuses files without its scanner, stores nothing, and is not ready', async () => {
    const files = scannedBy(async () => {
      throw new ScannerUnavailable('away');
    }, 'the scanner is away');
    await expect(files.receive(inPieces(Buffer.from('x')))).rejects.toThrow(ScannerUnavailable);
    expect(await filesOfLast()).toEqual([]);
    expect(await files.ready()).toBe('the scanner is away');
  });
});
