import { worstCaseContract } from '../contract/worst-case.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

worstCaseContract('the embedded log', {
  environment: async () => {
    const { url } = await freshDatabase();
    return { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('worst-case') };
  },
  scale: {
    tickets: 8,
    importedTickets: 40,
    notes: 8,
    spaces: 200,
    importBytes: 64 * 1024,
    everyFlood: false,
    callers: 0,
  },
});
