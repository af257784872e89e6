/** The store in a bucket of a real server, which verifies signatures. Decision 0102. */
import { readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FilesUnavailable, FileMissing } from '../../../src/files/file-store.ts';
import { s3AddressOf } from '../../../src/files/place.ts';
import { s3Stores, type S3Stores } from '../../../src/files/s3/store.ts';
import { fileStoreContract } from '../../contract/files/file-store.contract.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { hasS3Server, s3Server, type S3Server } from '../../support/s3/server.ts';
import { letPass } from '../../support/until.ts';

const chunks = async function* (text = 'leak') {
  yield Buffer.from(text);
};

describe.skipIf(!hasS3Server())('a store in a bucket (skipped without Swift)', () => {
  let server: S3Server;
  const open: S3Stores[] = [];
  const receivingDirectory = temporaryDirectory('s3-store');
  beforeAll(async () => {
    server = await s3Server();
    await server.start();
  });
  afterAll(async () => {
    await Promise.all(open.map((one) => one.close()));
    await server.release();
    rmSync(receivingDirectory, { recursive: true, force: true });
  });

  const storesAt = (url: string, over: { secret?: string; silentMaxMs?: number } = {}) => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY } = server.credentials;
    const made = s3Stores({
      address: s3AddressOf(url),
      credentials: { accessKeyId, secretAccessKey: over.secret ?? AWS_SECRET_ACCESS_KEY },
      receivingDirectory,
      ...(over.silentMaxMs === undefined ? {} : { silentMaxMs: over.silentMaxMs }),
    });
    open.push(made);
    return made;
  };

  let count = 0;
  fileStoreContract(() => {
    count += 1;
    return storesAt(server.url(`contract-${count}`)).of('main');
  });

  it('leaves nothing in the directory where files are received', async () => {
    const files = storesAt(server.url('received')).of('main');
    const received = await files.receive(chunks());
    expect(readdirSync(receivingDirectory)).toEqual([]);
    await received.keep('acme');
    await received.discard();
  });

  it('of one platform is removed without those of others, with any contents', async () => {
    const stores = storesAt(server.url('platforms'));
    expect(await stores.names()).toEqual([]);
    for (const name of ['main', 'sandbox_1', 'sandbox_10']) {
      for (let at = 0; at < 12; at += 1)
        await (await stores.of(name).receive(chunks(`${name} ${at}`))).keep('acme');
    }
    await stores.drop('sandbox_1');
    await stores.drop('sandbox_1');
    expect(await stores.names()).toEqual(['main', 'sandbox_10']);
    const pages = await Array.fromAsync(stores.of('main').stored());
    expect(pages.flat()).toHaveLength(12);
  });

  it('refuses names that leave its prefix', () => {
    const stores = storesAt(server.url('names'));
    expect(() => stores.of('../other')).toThrow('no name');
    const files = stores.of('main');
    return expect(files.open({ organisation: 'acme', sha256: '../../x' })).rejects.toThrow('SHA');
  });

  it('names the wrong key, and never its value', async () => {
    const files = storesAt(server.url('secret'), { secret: 'wrong-and-hidden' }).of('main');
    const failure = (await (
      await files.receive(chunks())
    )
      .keep('acme')
      .catch((error: unknown) => error)) as Error;
    expect(failure).toBeInstanceOf(FilesUnavailable);
    expect(failure.message).toMatch(/attachments at http.*answered 403: the key is not accepted/);
    expect(JSON.stringify([failure.message, failure])).not.toContain('wrong-and-hidden');
    expect(await files.ready()).toContain('403');
  });

  it('says that there is no such bucket, which is no missing file', async () => {
    const url = server.url('x').replace(server.bucket, 'elsewhere');
    const files = storesAt(url).of('main');
    const name = { organisation: 'acme', sha256: 'a'.repeat(64) };
    await expect(files.open(name)).rejects.toThrow('no such S3 bucket');
    await expect((await files.receive(chunks())).keep('acme')).rejects.toThrow('NoSuchBucket');
    expect(await files.ready()).toContain('no such bucket');
    const there = storesAt(server.url('x')).of('main');
    await expect(there.open(name)).rejects.toThrow(FileMissing);
  });

  it('hangs: operations fail in bounded time, and no file is lost', async () => {
    const files = storesAt(server.url('frozen'), { silentMaxMs: 300 }).of('main');
    const before = await files.receive(chunks('before'));
    await before.keep('acme');
    const name = { organisation: 'acme', sha256: before.sha256 };
    await server.freeze();
    try {
      const received = await files.receive(chunks('meanwhile'));
      await expect(received.keep('acme')).rejects.toThrow('no answer within 0.3 s');
      await expect(files.open(name)).rejects.toThrow(FilesUnavailable);
      await expect(files.remove({ ...name, organisation: 'globex' })).rejects.toThrow(
        FilesUnavailable,
      );
      expect(await files.ready()).toContain('no answer');
      const again = files.receive(chunks('meanwhile')).then((one) => one.keep('acme'));
      await letPass(400, 'the first attempt fails');
      server.thaw();
      await again;
    } finally {
      server.thaw();
    }
    expect(String(Buffer.concat(await Array.fromAsync(await files.open(name))))).toBe('before');
  });

  it('is killed and restarted: stored files remain', async () => {
    const files = storesAt(server.url('killed')).of('main');
    const received = await files.receive(chunks('durable'));
    await received.keep('acme');
    await server.kill();
    const name = { organisation: 'acme', sha256: received.sha256 };
    await expect(files.open(name)).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(String(Buffer.concat(await Array.fromAsync(await files.open(name))))).toBe('durable');
  });
});
