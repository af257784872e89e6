/** Whole servers on the log in Postgres, while keys are revoked and processes killed. */
import { keysUnderLoad } from '../contract/keys-under-load.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { ownLog } from '../support/events.ts';

keysUnderLoad(async () => {
  const { url, log, drop } = await ownLog();
  return {
    // The same issuer's key for every process.
    env: { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('keys') },
    log,
    close: drop,
  };
});
