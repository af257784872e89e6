/** This release starts on the data of an early one and gives the same answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../src/engine/postgres/migrate.ts';
import type { EventStore } from '../../../src/engine/log/event-store.ts';
import { prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { migrations } from '../../../src/migrations/migrations.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { clockAt } from '../../support/log/keys.ts';
import { emptyDatabase, runOnce, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { REQUESTS } from '../../support/servers/ticket-load.ts';
import { earlyAnswers, earlyCommand, earlyDatabase } from './early-release.ts';

export interface UpgradedLog {
  /** Default: the one in the database. */
  readonly log?: EventStore;
  /** Whether its positions equal those in the answers of the early release. */
  readonly hasSamePositions: boolean;
}

/** @param openLog The early release's log. */
export const upgrade = (openLog: () => Promise<UpgradedLog>): void => {
  describe('data of the release of commit be3c377', () => {
    const { now, answers } = earlyAnswers();
    let database: TestDatabase;
    let hasSamePositions: boolean;
    let platform: TestPlatform;

    beforeAll(async () => {
      database = await emptyDatabase();
      await runOnce(database.url, earlyDatabase());
      await prepareLog(database.url);
      const pool = poolOf(database.url);
      try {
        await migrate(pool, migrations);
      } finally {
        await pool.end();
      }
      const opened = await openLog();
      ({ hasSamePositions } = opened);
      platform = await testPlatform({
        databaseUrl: database.url,
        clock: clockAt(now),
        ...(opened.log ? { log: opened.log } : {}),
      });
    });
    afterAll(async () => {
      await platform?.close();
      await database?.drop();
    });

    it('gets the answers of that release: members may be added, none differs', async () => {
      expect(answers.length).toBeGreaterThan(50);
      for (const { as, path, body } of answers) {
        const answer = await platform.as(as).get(path);
        expect([path, answer.status]).toEqual([path, 200]);
        expect({ path, body: answer.body }).toMatchObject({
          path,
          body: comparable(body, hasSamePositions),
        });
      }
    });

    it('includes command ids and numbers: a repeat is recognised, numbers continue', async () => {
      const agent = platform.as(earlyCommand.as);
      const early = (await agent.get(`${REQUESTS}?limit=200`)).body.items;
      const first = early.find((one: { number: string }) => one.number === earlyCommand.number);
      const { buildingId, spaceId } = first;
      const body = { ...earlyCommand.body, buildingId, spaceId };
      const repeated = await agent.post(REQUESTS, body, { 'idempotency-key': earlyCommand.key });
      expect([repeated.body.id, repeated.headers['idempotent-replayed']]).toEqual([
        first.id,
        'true',
      ]);
      const next = await agent.post(REQUESTS, { buildingId, description: 'The lift is stuck.' });
      expect([next.status, next.body.number]).toEqual([201, `SR-${numberAfter(early)}`]);
    });
  });
};

/** Without cursors, and without positions where the logs differ. */
const comparable = (body: unknown, hasSamePositions: boolean): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'position' && !hasSamePositions) return expect.any(String);
    return name === 'nextCursor' && value !== null ? expect.any(String) : value;
  });

const numberAfter = (tickets: readonly { readonly number: string }[]): string => {
  const numbers = tickets.map(({ number }) => Number(number.slice('SR-'.length)));
  return String(Math.max(...numbers) + 1).padStart(6, '0');
};
