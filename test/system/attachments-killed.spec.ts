import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { killedBetweenBytesAndEvent, uploads } from '../contract/files/killed.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { servers } from '../support/servers/servers.ts';

const running = servers();
afterAll(() => running.release());

it.each([
  ['an attachment', uploads.attachment],
  ['a note with a file', uploads.note],
])('leaves %s whole or not at all, and sweeps bytes without one', async (_, upload) => {
  const directory = temporaryDirectory('attachments-killed');
  const files = directoryStores(join(directory, 'files')).of('main');
  await killedBetweenBytesAndEvent(running, {
    upload,
    env: { ATRIUM_DATA: directory },
    stored: async () => (await Array.fromAsync(files.stored())).flat(),
  });
});
