import { describe } from 'vitest';
import { rollout } from '../contract/rollout/rollout.contract.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';

describe('on the embedded log', () => {
  rollout(async () => {
    const { url, drop } = await freshDatabase();
    return {
      env: { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('rollout') },
      close: drop,
    };
  });
});
