import { afterAll, beforeAll, expect, it } from 'vitest';
import { PostgresAppender } from '../../../../src/engine/log/postgres/appender.ts';
import { Connection } from '../../../../src/engine/log/postgres/connection.ts';
import { postgresEventStore, prepareLog } from '../../../../src/engine/log/postgres/store.ts';
import { serialised } from '../../../../src/engine/log/serialised.ts';
import { silent } from '../../../../src/engine/observe/report.ts';
import { freshDatabase } from '../../../support/postgres/database.ts';
import { happened } from '../../../support/log/events.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
beforeAll(async () => {
  database = await freshDatabase();
  await prepareLog(database.url);
});
afterAll(() => database.drop());

/** Unreachable once, before the first half of a commit that was refused. */
class CutBeforeHalf extends Connection {
  #isRefused = false;
  #cuts = 0;

  get cuts(): number {
    return this.#cuts;
  }

  override async rows<Row extends unknown[]>(query: Parameters<Connection['rows']>[0]) {
    try {
      return await super.rows<Row>(query);
    } catch (error) {
      this.#isRefused = true;
      throw error;
    }
  }

  override async client() {
    if (this.#isRefused && this.#cuts === 0) {
      this.#cuts += 1;
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    }
    return super.client();
  }
}

it('keeps the order of the calls where a halved commit loses its connection', async () => {
  const connection = new CutBeforeHalf({ url: database.url, name: 'append', report: silent });
  const appender = new PostgresAppender(connection, 'es', () => {});
  const append = (stream: string, events = [happened('A')]) =>
    appender.append({ stream, expected: 'any', events: serialised(stream, events) });
  const known = happened('Known');
  await append('known-1', [known]);
  const streams = Array.from({ length: 8 }, (_, n) => `s-${n}`);
  const appends = streams.map((stream, n) =>
    append(stream, n === 6 ? [happened('A'), known] : undefined),
  );
  const answers = await Promise.allSettled(appends);
  expect(connection.cuts).toBe(1);
  expect(answers.map(({ status }) => status).indexOf('rejected')).toBe(6);
  await connection.end();
  const log = postgresEventStore({ url: database.url });
  const { events } = await log.readAll(null, { limit: 100 });
  await log.close();
  expect(events.map(({ stream }) => stream)).toEqual([
    'known-1',
    ...streams.filter((stream) => stream !== 's-6'),
  ]);
});
