/** Erasures of persons, over HTTP. contract.md section 11. */
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testApi } from '../../support/api/api.ts';

const ERASURES = '/api/v1/erasures';
const platform = testApi(() => ({ personKeysTrustedMs: 0 }));
const manager = platform.as('manager@acme.test');
const erase = (over: object = {}, headers = {}) =>
  manager.post(
    ERASURES,
    { subject: { userId: 'zyx' }, texts: 'erase', reason: 'Asked for on 1 May.', ...over },
    headers,
  );

const finished = async (erasureId: string) => {
  await expect
    .poll(async () => (await manager.get(`${ERASURES}/${erasureId}`)).body.status, {
      timeout: 30_000,
    })
    .toBe('finished');
  return (await manager.get(`${ERASURES}/${erasureId}`)).body;
};

const database = async () => {
  const client = new Client(platform.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

describe('an erasure', () => {
  it('ends the sessions of the person and forgets their sign-ins and presence', async () => {
    const db = await database();
    await db.query(
      `insert into session.session (session_id, cookie_hash, origin, subject, tokens, renew_at,
         token_ends_at, created_at, last_used_at, source_ip)
       select gen_random_uuid(), convert_to(subject, 'utf8'), 'o', subject, 't', now(), now(),
         now(), now(), '127.0.0.1' from unnest(array['zyx', 'other']) as subject`,
    );
    await db.query(
      `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
       select organisation, user_id, 'Z', 'z', '2026-01-01'
       from (values ('acme', 'zyx'), ('acme', 'other'), ('globex', 'zyx')) as s
         (organisation, user_id)`,
    );
    const asked = await erase();
    expect(asked).toMatchObject({
      status: 202,
      body: { status: 'running', found: null, finishedAt: null, texts: 'erase' },
    });
    const { erasureId } = asked.body;
    expect(asked.headers['location']).toBe(`${ERASURES}/${erasureId}`);
    expect(await finished(erasureId)).toMatchObject({
      found: { tickets: 0, notes: 0, attachments: 0, sessions: 1 },
      finishedAt: expect.any(String),
    });
    const { rows } = await db.query(
      `select subject from session.session
       union all select organisation || '/' || user_id from people.sign_ins
         where name = 'Z' order by 1`,
    );
    expect(rows.map(({ subject }) => subject)).toEqual(['acme/other', 'globex/zyx', 'other']);
    const keys = await db.query(`select from personal.keys where subject = 'user:zyx'`);
    expect(keys.rowCount).toBe(0);
  });

  it('is the same for the same person, and is not carried out again', async () => {
    const first = await erase({ subject: { email: 'Twice@example.com' } });
    const done = await finished(first.body.erasureId);
    const again = await erase({ subject: { email: 'twice@example.com' } });
    expect(again).toMatchObject({ status: 202, body: done });
  });

  it('is recorded once under one Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'erasure-1' };
    const first = await erase({ subject: { userId: 'once' } }, key);
    const again = await erase({ subject: { userId: 'once' } }, key);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.erasureId).toBe(first.body.erasureId);
    await finished(first.body.erasureId);
  });

  it.each([
    [{ userId: 'ada' }, 'ADA asked for it'],
    [{ email: 'ada@example.com' }, 'as ada@example.com wrote'],
  ])('is refused with a reason that names the person: %j', async (subject, reason) => {
    expect(await erase({ subject, reason })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'reason' }] },
    });
  });

  it('says nothing of the person in the log', async () => {
    const { body } = await erase({ subject: { userId: 'Zyxwvut' } });
    await finished(body.erasureId);
    const events = await platform.log.readStream(`erasure-${body.erasureId}`);
    expect(events.map(({ type }) => type)).toEqual(['ErasureRequested', 'ErasureFinished']);
    expect(JSON.stringify(events)).not.toMatch(/zyxwvut/i);
  });

  it('is for managers, of their organisation alone', async () => {
    const { body } = await erase({ subject: { userId: 'mine' } });
    const path = `${ERASURES}/${body.erasureId}`;
    expect(await platform.as('manager@globex.test').get(path)).toMatchObject({ status: 404 });
    expect(await platform.as('agent@acme.test').get(path)).toMatchObject({ status: 403 });
    expect(await manager.get(`${ERASURES}/${crypto.randomUUID()}`)).toMatchObject({ status: 404 });
    await finished(body.erasureId);
  });
});
