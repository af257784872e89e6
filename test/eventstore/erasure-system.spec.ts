/** No file of a real EventStoreDB has data of an erased person. contract.md section 11. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { rehearseKilledErasures, TRACE } from '../contract/erasure-under-kills.contract.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { natsProgram, natsServer } from '../support/nats/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';

const [program, natsPath] = [eventstoreProgram(), natsProgram()];

describe.skipIf(!program || !natsPath)(
  'a log (skipped without eventstored and nats-server)',
  () => {
    const directory = temporaryFiles();
    const running = servers();
    const endings: (() => Promise<void>)[] = [];
    afterAll(async () => {
      await running.release();
      for (const end of endings.reverse()) await end();
    });

    it('has in no chunk the texts or the identity of an erased person', async () => {
      const server = await eventstoreServer(program!);
      endings.push(() => server.release());
      const store = eventstoreDbStore({ url: server.url });
      endings.push(() => store.close());
      // Bus messages contain whole tickets, and would stay in the log for seven days.
      const nats = await natsServer();
      endings.push(() => nats.release());
      await nats.start();
      const { url, drop } = await freshDatabase();
      endings.push(drop);

      const chunks = () =>
        readdirSync(server.database)
          .filter((name) => name.startsWith('chunk-'))
          .map((name) => readFileSync(join(server.database, name), 'latin1'));
      let written: readonly string[] = [];
      await rehearseKilledErasures({
        env: {
          EVENTSTORE_URL: server.url,
          DATABASE_URL: url,
          NATS_URL: nats.url,
          ATRIUM_DATA: directory.path('data'),
        },
        running,
        store,
        async written(ticketIds) {
          written = ticketIds;
        },
      });

      await running.release();
      await server.stop();
      const bytes = chunks().join('');
      // The searched bytes include the events of the tickets.
      for (const id of written) expect(bytes.includes(`ticket-${id}`)).toBe(true);
      const [found = null] = TRACE.exec(bytes) ?? [];
      expect(found).toBeNull();
    });
  },
);
