import { temporaryDirectory } from '../support/directory.ts';
import { freshLog } from '../support/log/fresh-log.ts';
import { webhooksUnderKills } from '../contract/webhooks-under-kills.contract.ts';

webhooksUnderKills(async () => {
  const { env, log, drop } = await freshLog();
  return { env: { ...env, ATRIUM_DATA: temporaryDirectory('webhooks') }, log, close: drop };
}, 5);
