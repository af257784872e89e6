import { join } from 'node:path';
import { afterAll, it } from 'vitest';
import { directoryStores } from '../../src/files/directory-store.ts';
import { killedBetweenBytesAndEvent } from '../contract/files/killed.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { servers } from '../support/servers/servers.ts';

const running = servers();
afterAll(() => running.release());

it('leaves no attachment without bytes, and sweeps bytes without an attachment', async () => {
  const directory = temporaryDirectory('attachments-killed');
  const files = directoryStores(join(directory, 'files')).of('main');
  await killedBetweenBytesAndEvent(running, {
    env: { ATRIUM_DATA: directory },
    stored: async () => (await Array.fromAsync(files.stored())).flat(),
  });
});
