/** Backups in a bucket of a real S3 server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { s3AddressOf } from '../../../src/files/place.ts';
import type { BackupPlace } from '../../../src/operator/backup/place.ts';
import { temporaryFiles } from '../../support/files.ts';
import { everythingIn, fill } from '../../support/log/contents.ts';
import { hasS3Server, s3Server, type S3Server } from '../../support/s3/server.ts';
import {
  attach,
  backedUp,
  furnish,
  installationIn,
  keysIn,
  openedPlace,
  restoredInto,
  textOf,
  type Installation,
} from './installation.ts';

describe.skipIf(!hasS3Server())('a backup in a bucket (skipped without Swift)', () => {
  const directory = temporaryFiles();
  const open: Installation[] = [];
  let server: S3Server;
  let place: BackupPlace;

  beforeAll(async () => {
    server = await s3Server();
    await server.start();
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } =
      server.credentials;
    place = await openedPlace(
      {
        kind: 's3',
        address: s3AddressOf(server.url('backups')),
        credentials: { accessKeyId, secretAccessKey },
      },
      directory.path('data'),
    );
  });
  afterAll(async () => {
    await place.close();
    for (const one of open) await one.close();
    await server.release();
  });

  it('is made, listed, expired and restored as in a directory', async () => {
    const keys = await keysIn(directory.path('keys'));
    const source = await installationIn(directory.path('source'));
    open.push(source);
    await furnish(source);
    await fill(source.log, 200, 30);
    const attachment = await attach(source, 'a photograph');
    await backedUp(source, place, keys);
    const last = await backedUp(source, place, keys, { kept: 1 });
    expect(await place.manifests()).toEqual([last]);

    const copy = await installationIn(directory.path('copy'), { empty: true });
    open.push(copy);
    await restoredInto(copy, place, last, keys);
    expect(await everythingIn(copy.log)).toEqual(await everythingIn(source.log));
    expect(await textOf(copy, attachment)).toBe('a photograph');
  });
});
