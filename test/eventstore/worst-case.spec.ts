import { inject } from 'vitest';
import { worstCaseContract } from '../contract/worst-case.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

/** What is read from the log or written to it: the rest is the same on every log. */
const asksTheLog =
  /service-desk\/(requests|changes)|bus\/events|keys\/audit|^create by|^the (changes|timeline)/;

worstCaseContract('EventStoreDB', {
  environment: async () => {
    const { url } = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('worst-case');
    return { DATABASE_URL: url, EVENTSTORE_URL: inject('eventstoreUrl'), ATRIUM_DATA };
  },
  scale: {
    tickets: 12,
    importedTickets: 40,
    notes: 12,
    spaces: 10,
    importBytes: 1_024,
    everyFlood: false,
    callers: 0,
  },
  request: (name) => asksTheLog.test(name),
});
