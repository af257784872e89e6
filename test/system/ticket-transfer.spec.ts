/** Tickets moved in bulk, on a whole server with the embedded log; 100,000 of them by a bench. */
import { ticketTransferOnServer } from '../contract/ticket-transfer/ticket-transfer.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

ticketTransferOnServer(async () => {
  const { url: DATABASE_URL, drop } = await freshDatabase();
  return { env: { DATABASE_URL, ATRIUM_DATA: temporaryDirectory('transfer') }, close: drop };
}, 500);
