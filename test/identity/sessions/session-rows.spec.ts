import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SESSIONS_OF_PERSON_MAX } from '../../../src/identity/sessions/limits.ts';
import { addSession, endSessionsOf, instant } from '../../../src/identity/sessions/session-rows.ts';
import { freshDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';
import { addSession as addStored } from '../../support/session-rows.ts';
import { lockWaits } from '../../support/postgres/lock-waits.ts';
import { until } from '../../support/until.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Pool;
beforeAll(async () => {
  database = await freshDatabase();
  db = poolOf(database.url);
});
afterAll(async () => {
  await db.end();
  await database.drop();
});
beforeEach(() => db.query('delete from session.session'));

/** Of the oldest sessions, the lowest last. */
const OLDEST = Array.from(
  { length: 10 },
  (_, at) => `${9 - at}0000000-0000-4000-8000-000000000000`,
);

const signIn = () => {
  const now = instant(Date.now());
  return addSession(db, {
    sessionId: randomUUID(),
    cookieHash: randomBytes(32),
    origin: 'http://atrium.test',
    subject: 'ana',
    issuerSid: null,
    tokens: 'tokens',
    renewAt: now,
    tokenEndsAt: now,
    createdAt: now,
    userAgent: null,
    sourceIp: '127.0.0.1',
    organisation: null,
  });
};
const logOut = () => endSessionsOf(db, { sid: null, subject: 'ana' });

// In one order, a sign-in and a logout of one person cannot deadlock.
it.each([
  ['a sign-in beyond the limit', signIn, SESSIONS_OF_PERSON_MAX],
  ['a logout', logOut, 0],
])('%s locks the sessions that it ends in the order of their ids', async (_, end, left) => {
  for (const sessionId of OLDEST) await addStored(db, { subject: 'ana', sessionId });
  for (let at = 1; at < SESSIONS_OF_PERSON_MAX; at += 1) await addStored(db, { subject: 'ana' });
  const other = await db.connect();
  try {
    await other.query('begin');
    await other.query('select from session.session where session_id = $1 for update', [
      OLDEST.at(-1),
    ]);
    const ended = end();
    const isWaiting = async () => (await lockWaits(db)) === 1;
    await until(isWaiting, 'the statement that waits for the first session');
    await db.query('select from session.session where session_id <> $1 for update nowait', [
      OLDEST.at(-1),
    ]);
    await other.query('rollback');
    await ended;
  } finally {
    other.release(true);
  }
  const { rowCount } = await db.query('select from session.session');
  expect(rowCount).toBe(left);
});
