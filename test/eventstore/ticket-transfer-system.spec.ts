/** Tickets moved in bulk, on a whole server whose log is a real EventStoreDB. */
import { describe, inject } from 'vitest';
import { ticketTransferOnServer } from '../contract/ticket-transfer/ticket-transfer.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';

const program = eventstoreProgram();

describe('on a real EventStoreDB', () => {
  ticketTransferOnServer(async () => {
    const server = program ? await eventstoreServer(program) : null;
    const { url: DATABASE_URL, drop } = await freshDatabase();
    const EVENTSTORE_URL = server?.url ?? inject('eventstoreUrl');
    return {
      env: { EVENTSTORE_URL, DATABASE_URL, ATRIUM_DATA: temporaryDirectory('transfer') },
      async close() {
        await drop();
        await server?.release();
      },
    };
  }, 300);
});
