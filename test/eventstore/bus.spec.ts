import { describe, inject } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { busContract } from '../contract/bus.contract.ts';
import { busOn, parkedIdsIn } from '../support/consumers/bus.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const eventstoreUrl = inject('eventstoreUrl');

describe('on a real EventStoreDB', () => {
  busContract('EventStoreDB', async () => {
    const { url, drop } = await freshDatabase();
    const log = eventstoreDbStore({ url: eventstoreUrl });
    return {
      process: async () => busOn(url, log),
      parked: (consumer) => parkedIdsIn(log, consumer),
      async close() {
        await log.close();
        await drop();
      },
    };
  });
});
