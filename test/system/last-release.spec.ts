/**
 * This commit replaces the last release, and the release replaces this commit: with the
 * release's own code, both beside each other, under load. The contract of rollouts tests a
 * synthetic change; this is the real difference since.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../src/engine/postgres/pool.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { emptyDatabase, type TestDatabase } from '../support/postgres/database.ts';
import {
  isInHistory,
  lastReleaseFile,
  releaseAt,
  type LastRelease,
} from '../contract/rollout/last-release.ts';
import { rolloutCallers } from '../contract/rollout/callers.ts';
import { servers } from '../support/servers/servers.ts';
import { settled } from '../support/servers/ticket-load.ts';

const file = lastReleaseFile();

describe.skipIf(!isInHistory(file.commit))(
  `release ${file.version} (skipped without its commit ${file.commit.slice(0, 8)} in the history)`,
  () => {
    const { start, release } = servers();
    const load = rolloutCallers();
    let database: TestDatabase;
    let db: Database;
    let last: LastRelease;

    beforeAll(async () => {
      last = releaseAt(file);
      // Its own first start makes the tables, not this commit's.
      database = await emptyDatabase();
      db = openDatabase({ url: database.url, logger: loggerOf('silent') });
    });
    afterAll(async () => {
      await load.use();
      await release();
      await db?.close();
      await database?.drop();
      last?.remove();
    });

    it('is replaced by this commit and rolled back, without failed requests', async () => {
      const env = { DATABASE_URL: database.url, ATRIUM_DATA: temporaryDirectory('last-release') };
      let older = await start(env, last.server);
      await load.use(older);
      const newer = await start(env);
      await load.use(older, newer);
      await load.use(newer);
      await older.signal('SIGTERM');

      // Rolled back before the written version is raised: it starts on this commit's data.
      older = await start(env, last.server);
      await load.use(older, newer);
      await load.use(older);
      await newer.signal('SIGTERM');
      await load.use();
      expect(load.failures()).toEqual([]);
      const { rows } = await db.pool.query(
        'select consumer, stream, reason from consumers.parked where retry_at is null',
      );
      expect(rows).toEqual([]);
      const shown = new Set((await settled(older)).map(({ id }) => id));
      expect(load.tickets.filter((id) => !shown.has(id))).toEqual([]);
    });
  },
);
