/** The guarantees of every file store. */
import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { fileKeyOf } from '../../../src/files/file-key.ts';
import { FileMissing, type FileName, type FileStore } from '../../../src/files/file-store.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inPieces(bytes: Uint8Array, length = 1_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(chunks));

const keysOf = async (files: FileStore, after?: string): Promise<readonly string[]> =>
  (await Array.fromAsync(files.stored(after))).flat();

/** @param made Creates an empty store. */
export const fileStoreContract = (made: () => FileStore): void => {
  const kept = async (files: FileStore, organisation: string, bytes: Uint8Array) => {
    const received = await files.receive(inPieces(bytes));
    await received.keep(organisation);
    return { organisation, sha256: received.sha256 };
  };

  it('returns stored bytes, whole and in ranges', async () => {
    const files = made();
    const bytes = randomBytes(200_000);
    const received = await files.receive(inPieces(bytes));
    expect([received.bytes, received.sha256]).toEqual([bytes.length, sha256Of(bytes)]);
    await received.keep('acme');
    const name = { organisation: 'acme', sha256: received.sha256 };
    expect((await read(await files.open(name))).equals(bytes)).toBe(true);
    const part = await read(await files.open(name, { start: 70_000, end: 140_000 }));
    expect(part.equals(bytes.subarray(70_000, 140_001))).toBe(true);
  });

  it('returns no file before it is kept, nor to another organisation', async () => {
    const files = made();
    const received = await files.receive(inPieces(Buffer.from('leak')));
    const name = { organisation: 'acme', sha256: received.sha256 };
    await expect(files.open(name)).rejects.toThrow(FileMissing);
    for (const _ of ['once', 'again'])
      expect((await read(received.read())).toString()).toBe('leak');
    await received.keep('acme');
    await expect(files.open({ ...name, organisation: 'ACME' })).rejects.toThrow(FileMissing);
  });

  it('stores the same bytes once, and again after they were removed', async () => {
    const files = made();
    const bytes = Buffer.from('twice');
    const name = await kept(files, 'acme', bytes);
    expect(await kept(files, 'acme', bytes)).toEqual(name);
    await files.remove(name);
    await files.remove(name);
    await expect(files.open(name)).rejects.toThrow(FileMissing);
    await kept(files, 'acme', bytes);
    expect(String(await read(await files.open(name)))).toBe('twice');
  });

  it('lets a reader finish though its file is removed meanwhile', async () => {
    const files = made();
    const bytes = randomBytes(300_000);
    const name = await kept(files, 'acme', bytes);
    const chunks = await files.open(name);
    await files.remove(name);
    expect((await read(chunks)).equals(bytes)).toBe(true);
  });

  it('keeps no bytes of an upload that fails, is discarded, or is never kept', async () => {
    const files = made();
    const cut = async function* () {
      yield Buffer.from('half');
      throw new Error('cut');
    };
    await expect(files.receive(cut())).rejects.toThrow('cut');
    const discarded = await files.receive(inPieces(Buffer.from('discarded')));
    await discarded.discard();
    await discarded.discard();
    const leftBehind = await files.receive(inPieces(Buffer.from('left behind')));
    expect(await files.removeUnfinished(60_000)).toBe(0);
    await files.removeUnfinished(-1);
    expect(await files.removeUnfinished(-1)).toBe(0);
    expect(await keysOf(files)).toEqual([]);
    await leftBehind.discard();
  });

  it('does not discard a kept file', async () => {
    const files = made();
    const received = await files.receive(inPieces(Buffer.from('kept')));
    await received.keep('acme');
    await received.discard();
    const { sha256 } = received;
    expect(String(await read(await files.open({ organisation: 'acme', sha256 })))).toBe('kept');
  });

  it('lists its files in order, from any key on', async () => {
    const files = made();
    const names: FileName[] = [];
    for (let at = 0; at < 5; at += 1) {
      names.push(await kept(files, at % 2 ? 'acme' : 'globex', Buffer.from(`file ${at}`)));
    }
    const keys = names.map(fileKeyOf).toSorted();
    expect(await keysOf(files)).toEqual(keys);
    for (const [at, key] of keys.entries())
      expect(await keysOf(files, key)).toEqual(keys.slice(at + 1));
    await files.remove(names[0]!);
    expect(await keysOf(files)).toEqual(keys.filter((key) => key !== fileKeyOf(names[0]!)));
  });

  it('stores an empty file, and one of many chunks', async () => {
    const files = made();
    const empty = await kept(files, 'acme', Buffer.alloc(0));
    expect(await read(await files.open(empty))).toHaveLength(0);
    const bytes = randomBytes(3 * 1024 * 1024 + 1);
    const name = await kept(files, 'acme', bytes);
    expect((await read(await files.open(name))).equals(bytes)).toBe(true);
  });

  it('releases its connection or handle when a reader leaves early, or never starts', async () => {
    const files = made();
    const bytes = randomBytes(400_000);
    const name = await kept(files, 'acme', bytes);
    for (let at = 0; at < 3; at += 1) {
      for await (const chunk of await files.open(name)) {
        expect(bytes.subarray(0, chunk.length).equals(chunk)).toBe(true);
        break;
      }
      await (await files.open(name))[Symbol.asyncIterator]().return?.();
    }
    expect((await read(await files.open(name))).equals(bytes)).toBe(true);
  });

  it('is ready', async () => expect(await made().ready()).toBe(true));
};
