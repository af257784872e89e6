/** Erasures of persons, over HTTP. contract.md section 11. */
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jsonHash } from '../../../src/engine/aggregates/json-hash.ts';
import { testApi } from '../../support/api/api.ts';
import { bridgeOf } from '../../support/api/bridge.ts';
import type { Caller } from '../../support/api/caller.ts';
import { formHeaders, formOf } from '../../support/api/form.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';
import { sent, subjectOf } from '../../support/domain/work-order-events.ts';
import { addSession } from '../../support/session-rows.ts';

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
    .poll(async () => (await manager.get(`${ERASURES}/${erasureId}`)).body.status)
    .toBe('finished');
  return (await manager.get(`${ERASURES}/${erasureId}`)).body;
};

/** In the order of the list. */
const placeOf = ({ requestedAt, erasureId }: Record<string, unknown>) =>
  `${String(requestedAt)} ${String(erasureId)}`;

const database = async () => {
  const client = new Client(platform.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};

describe('an erasure', () => {
  it('ends the sessions of the person and forgets their sign-ins and presence', async () => {
    const db = await database();
    for (const subject of ['zyx', 'other']) await addSession(db, { subject });
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
    expect(asked.headers['etag']).toBe('"0"');
    expect(await finished(erasureId)).toMatchObject({
      found: { tickets: 0, notes: 0, attachments: 0, sessions: 1 },
      finishedAt: expect.any(String),
    });
    const { headers } = await manager.get(`${ERASURES}/${erasureId}`);
    expect(Number(headers['etag']?.slice(1, -1))).toBeGreaterThan(0);
    const unchanged = { 'if-none-match': headers['etag']! };
    expect((await manager.get(`${ERASURES}/${erasureId}`, unchanged)).status).toBe(304);
    const { rows } = await db.query(
      `select subject from session.session
       union all select organisation || '/' || user_id from people.sign_ins
         where name = 'Z' order by 1`,
    );
    expect(rows.map(({ subject }) => subject)).toEqual(['acme/other', 'globex/zyx', 'other']);
    const keys = await db.query(`select from personal.keys where subject = 'user:zyx'`);
    expect(keys.rowCount).toBe(0);
  });

  it('ends no session of an account that never signed in to the organisation', async () => {
    const db = await database();
    await addSession(db, { subject: 'abroad' });
    await db.query(
      `insert into people.sign_ins (organisation, user_id, name, folded, seen_on)
       values ('globex', 'abroad', 'A', 'a', '2026-01-01')`,
    );
    await db.query(
      `insert into presence.present (ticket_id, caller, actor, state, since, expires_at)
       values (gen_random_uuid(), 'abroad', '{"kind":"user","id":"abroad"}', 'viewing', now(),
         now() + interval '1 hour')`,
    );
    const { body } = await erase({ subject: { userId: 'abroad' } });
    expect(await finished(body.erasureId)).toMatchObject({ found: { sessions: 0 } });
    const { rows } = await db.query(
      `select (select count(*)::int from session.session where subject = 'abroad') as sessions,
         (select count(*)::int from presence.present where caller = 'abroad') as present`,
    );
    expect(rows).toEqual([{ sessions: 1, present: 1 }]);
  });

  it('ends the sessions of those whose sign-ins are not recorded', async () => {
    const db = await database();
    for (const organisation of ['acme', 'globex'])
      await addSession(db, { subject: 'tenant', organisation });
    const { body } = await erase({ subject: { userId: 'tenant' } });
    expect(await finished(body.erasureId)).toMatchObject({ found: { sessions: 1 } });
    const { rows } = await db.query(
      `select organisation from session.session where subject = 'tenant'`,
    );
    expect(rows).toEqual([{ organisation: 'globex' }]);
    // The same day, by the same process.
    await addSession(db, { subject: 'tenant', organisation: 'acme' });
    await erase({ subject: { userId: 'tenant' } });
    expect(await finished(body.erasureId)).toMatchObject({ found: { sessions: 2 } });
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

  it('is refused under the Idempotency-Key of another person, and of another choice', async () => {
    const key = { 'idempotency-key': 'erasure-2' };
    const first = await erase({ subject: { email: 'first@example.com' } }, key);
    for (const other of [{ subject: { email: 'other@example.com' } }, { texts: 'keep' }])
      expect(await erase({ subject: { email: 'first@example.com' }, ...other }, key)).toMatchObject(
        { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } },
      );
    const again = await erase({ subject: { email: 'first@example.com' } }, key);
    expect(again.body.erasureId).toBe(first.body.erasureId);
    await finished(first.body.erasureId);
  });

  it('keeps no hash of the body that a list of addresses could be tried on', async () => {
    const body = {
      subject: { email: 'guessed@example.com' },
      texts: 'erase',
      reason: 'Asked for on 1 May.',
    };
    const asked = await manager.post(ERASURES, body, { 'idempotency-key': 'erasure-3' });
    await finished(asked.body.erasureId);
    const [requested] = await platform.log.readStream(`erasure-${asked.body.erasureId}`);
    expect(requested!.meta['bodyHash']).toMatch(/^[\w-]{43}$/);
    expect(requested!.meta['bodyHash']).not.toBe(jsonHash(body));
    const db = await database();
    const { rowCount } = await db.query('select from graph.command_key where body_hash = $1', [
      jsonHash(body),
    ]);
    expect(rowCount).toBe(0);
  });

  it.each([
    [{ userId: 'ada' }, 'ADA asked for it'],
    [{ email: 'ada@example.com' }, 'as ada@example.com wrote'],
    // Its script has no spaces between words.
    [{ userId: '田中' }, '田中さんの依頼'],
  ])('is refused with a reason that names the person: %j', async (subject, reason) => {
    expect(await erase({ subject, reason })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ path: 'reason' }] },
    });
  });

  it('may have a reason with a word that merely contains a short name', async () => {
    const reason = 'Legal request of 12 May 2026.';
    expect(await erase({ subject: { userId: '1' }, reason })).toMatchObject({ status: 202 });
  });

  it.each([{}, { userId: 'ada', email: 'ada@example.com' }])(
    'is refused without one person, and says how to name one: %j',
    async (subject) =>
      expect(await erase({ subject })).toMatchObject({
        status: 400,
        body: {
          errors: [
            { path: 'subject', message: 'must have either a userId or the email of a person' },
          ],
        },
      }),
  );

  it("writes no personal data to the server's log", async () => {
    const { body } = await erase({ subject: { userId: 'Zyxwvut' } });
    await finished(body.erasureId);
    const events = await platform.log.readStream(`erasure-${body.erasureId}`);
    expect(events.map(({ type }) => type)).toEqual(['ErasureRequested', 'ErasureFinished']);
    expect(JSON.stringify(events)).not.toMatch(/zyxwvut/i);
  });

  it('is listed, newest first and page by page, without the person', async () => {
    const globex = platform.as('manager@globex.test');
    const ask = (userId: string) =>
      globex.post(ERASURES, { subject: { userId }, texts: 'keep', reason: `No. ${userId.length}` });
    const asked = [await ask('listed-a'), await ask('listed-bb'), await ask('listed-ccc')];
    const last = asked.at(-1)!.headers['x-atrium-position'];
    const listed: Record<string, unknown>[] = [];
    let cursor: string | null = null;
    do {
      const query: string = `?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`;
      const answer = await globex.get(`${ERASURES}${query}`, { 'x-atrium-position': String(last) });
      expect(answer.status).toBe(200);
      expect(answer.body.items.length).toBeLessThanOrEqual(2);
      listed.push(...answer.body.items);
      cursor = answer.body.nextCursor;
    } while (cursor !== null);
    const newestFirst = asked
      .map(({ body }) => body)
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
    expect(listed.map(placeOf)).toEqual(newestFirst.map(placeOf));
    expect(listed[0]).toMatchObject({
      texts: 'keep',
      reason: newestFirst[0].reason,
      requestedBy: { kind: 'user', name: 'Globex Manager' },
    });
    expect(JSON.stringify(listed)).not.toMatch(/listed-/);
    const statuses = async () =>
      (await globex.get(ERASURES)).body.items.map((one: { status: string }) => one.status);
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(asked.map(() => 'finished'));
    const [first] = (await globex.get(ERASURES)).body.items;
    // The process that has finished it asked for nothing.
    expect(first.requestedBy).toMatchObject({ kind: 'user', name: 'Globex Manager' });
    expect(first).toEqual((await globex.get(`${ERASURES}/${first.erasureId}`)).body);
  });

  it('is listed once when it is requested again', async () => {
    const before = (await erase({ subject: { userId: 'again' }, texts: 'keep' })).body;
    await finished(before.erasureId);
    const again = await erase({ subject: { userId: 'again' }, texts: 'erase', reason: 'More.' });
    const position = { 'x-atrium-position': String(again.headers['x-atrium-position']) };
    const { items } = (await manager.get(`${ERASURES}?limit=500`, position)).body;
    const own = items.filter(
      ({ erasureId }: { erasureId: string }) => erasureId === before.erasureId,
    );
    const { requestedAt } = before;
    expect(own).toMatchObject([{ texts: 'erase', reason: 'More.', requestedAt }]);
    await finished(before.erasureId);
  });

  it('is listed for managers alone', async () => {
    expect(await platform.as('agent@acme.test').get(ERASURES)).toMatchObject({ status: 403 });
    const refused = await manager.get(`${ERASURES}?cursor=x`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
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

describe('an erasure with texts', () => {
  const TICKETS = '/api/service-desk/requests';
  const erased = async (subject: object) =>
    (await finished((await erase({ subject })).body.erasureId)).found;

  it('includes what a program wrote on the tickets of a reporter', async () => {
    const bridge = await bridgeOf(platform, 'acme');
    const buildingId = await platform.importBuilding();
    const raised = async (reporterEmail: string) => {
      const ticket = { buildingId, description: 'Zyxwvut waits', reporterEmail };
      const { body } = await bridge.post(TICKETS, ticket);
      const path = `${TICKETS}/${body.id}`;
      await bridge.post(`${path}/updates`, { body: 'Zyxwvut called', visibility: 'public' });
      const file = { name: 'file', fileName: 'zyxwvut.txt', content: `Of ${reporterEmail}` };
      const attached = await bridge.post(`${path}/attachments`, formOf(file), formHeaders);
      expect(attached.status, JSON.stringify(attached.body)).toBe(201);
      await bridge.patch(path, { subject: 'Zyxwvut lives here' });
      return { path, attachment: `${path}/attachments/${attached.body.attachmentId}` };
    };
    const own = await raised('zyxwvut@example.com');
    const others = await raised('other@example.com');
    const found = await erased({ email: 'zyxwvut@example.com' });
    expect(found).toMatchObject({ tickets: 1, notes: 1, attachments: 1 });
    const shown = async ({ path }: typeof own) =>
      JSON.stringify([(await manager.get(path)).body, (await manager.get(`${path}/updates`)).body]);
    expect(await shown(own)).not.toMatch(/zyxwvut/i);
    expect((await manager.get(own.attachment)).status).toBe(404);
    expect(await shown(others)).toMatch(/lives here.*Zyxwvut waits.*called/);
    expect((await manager.get(others.attachment)).status).toBe(200);
  });

  it('includes what a work-order system wrote on the tickets of a reporter', async () => {
    const bridge = await bridgeOf(platform, 'acme');
    const buildingId = await platform.importBuilding();
    const reporterEmail = 'ordered@example.com';
    const { body } = await bridge.post(TICKETS, { buildingId, description: 'x', reporterEmail });
    const path = `${TICKETS}/${body.id}/updates`;
    const data = sent(buildingId, { ticketId: body.id, note: 'Zyxwvut is at home after 5' });
    const message = { subject: subjectOf('created', buildingId), data };
    await platform.as('operator@atrium.test').post('/api/v1/bus/events', message);
    const notes = async () =>
      (await manager.get(path)).body.items.filter(
        (item: { kind: string }) => item.kind === 'system',
      );
    const note = 'Work order 4711 was created.\nZyxwvut is at home after 5';
    await expect.poll(notes).toMatchObject([{ body: note }]);
    expect(await erased({ email: reporterEmail })).toMatchObject({ tickets: 1, notes: 1 });
    expect(await notes()).toMatchObject([{ body: '(erased)', erased: true }]);
  });

  /** A ticket that `caller` raises for the address, and the note of a program on it. */
  const noted = async (caller: Caller, reporterEmail: string) => {
    const bridge = await bridgeOf(platform, 'acme');
    const ticket = { buildingId: await platform.importBuilding(), description: 'x', reporterEmail };
    const { body } = await caller.post(TICKETS, ticket);
    const path = `${TICKETS}/${body.id}/updates`;
    await bridge.post(path, { body: 'Zyxwvut called' });
    return async () => (await manager.get(path)).body.items[0];
  };
  const kept = async (subject: object) =>
    finished((await erase({ subject, texts: 'keep' })).body.erasureId);

  it.each(['acme-bridge', 'agent@acme.test'])(
    'includes what a program wrote where the texts were kept at first, of a ticket by %s',
    async (raiser) => {
      const isAgent = raiser.startsWith('agent');
      const caller = isAgent ? platform.as(raiser) : await bridgeOf(platform, 'acme');
      const email = `kept-${raiser.slice(0, 4)}@example.com`;
      const note = await noted(caller, email);
      await kept({ email });
      if (isAgent) await kept({ userId: (await caller.get('/api/v1/me')).body.actor.id });
      expect(await note()).toMatchObject({ kind: 'note', body: 'Zyxwvut called' });
      await erased({ email });
      expect(await note()).toMatchObject({ kind: 'note', erased: true });
    },
  );

  it('leaves what a program wrote for a reporter whose texts are kept', async () => {
    const agent = platform.as('agent@acme.test');
    const note = await noted(agent, 'stays@example.com');
    await kept({ email: 'stays@example.com' });
    await erased({ userId: (await agent.get('/api/v1/me')).body.actor.id });
    expect(await note()).toMatchObject({ kind: 'note', body: 'Zyxwvut called' });
  });

  it('leaves what a program writes later, if a later request keeps the texts', async () => {
    const bridge = await bridgeOf(platform, 'acme');
    const first = await noted(bridge, 'later@example.com');
    await erased({ email: 'later@example.com' });
    const second = await noted(bridge, 'later@example.com');
    await kept({ email: 'later@example.com' });
    expect(await first()).toMatchObject({ erased: true });
    expect(await second()).toMatchObject({ body: 'Zyxwvut called' });
  });

  it('includes imported texts with their reporters, not with the importer', async () => {
    const buildingId = await platform.importBuilding();
    const lines = [1, 2].map((n) =>
      JSON.stringify({
        importKey: `reported-${n}`,
        buildingId,
        description: `Text of tenant ${n}`,
        reporterEmail: `tenant-${n}@example.com`,
      }),
    );
    const agent = platform.as('agent@acme.test');
    const imported = await agent.post(`${TICKETS}/import`, Buffer.from(lines.join('\n')), {
      'content-type': 'application/x-ndjson',
    });
    expect(imported.status).toBe(200);
    const texts = async () => {
      const { items } = (await manager.get(`${TICKETS}?sort=createdAt&buildingId=${buildingId}`))
        .body;
      return items.map(({ description }: { description: string }) => description);
    };
    await expect.poll(texts).toEqual(['Text of tenant 1', 'Text of tenant 2']);
    const { items } = (await manager.get(`${TICKETS}?sort=-createdAt&limit=1`)).body;
    const updates = `${TICKETS}/${items[0].id}/updates`;
    await (await bridgeOf(platform, 'acme')).post(updates, { body: 'The tenant called' });
    await erased({ userId: (await agent.get('/api/v1/me')).body.actor.id });
    expect(await texts()).toEqual(['Text of tenant 1', 'Text of tenant 2']);
    expect((await manager.get(updates)).body.items[0]).toMatchObject({ body: 'The tenant called' });
    await erased({ email: 'tenant-1@example.com' });
    expect(await texts()).toEqual(['(erased)', 'Text of tenant 2']);
  });
});

describe('after an erasure', () => {
  const TICKETS = '/api/service-desk/requests';
  const CONFIGURATION = '/api/service-desk/configuration';

  it.each([
    ['keep', 'one event', {}],
    ['erase', 'one event', {}],
    ['erase', 'several events', { routingRules: [rule('all', { assignTeamId: 'plumbers' })] }],
  ])(
    'of texts %s, a repeated command of %s is answered by any process',
    async (texts, of, over) => {
      expect((await manager.put(CONFIGURATION, configured(over))).status).toBe(200);
      const bridge = await bridgeOf(platform, 'acme');
      const reporterEmail = `${texts}-${of.replace(' ', '-')}@example.com`;
      const body = { buildingId: await platform.importBuilding(), description: 'x', reporterEmail };
      const key = { 'idempotency-key': `create-${reporterEmail}` };
      const { id } = (await bridge.post(TICKETS, body, key)).body;
      const transition = `${TICKETS}/${id}/transition`;
      const move = { state: 'triaged', note: 'Zyxwvut called.' };
      const { revision } = (await bridge.post(transition, move, key)).body;
      const { erasureId } = (await erase({ subject: { email: reporterEmail }, texts })).body;
      await finished(erasureId);

      const other = await platform.beside({ personKeysTrustedMs: 0 });
      for (const caller of [bridge, await bridgeOf(other, 'acme')]) {
        const again = await caller.post(TICKETS, body, key);
        expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
        expect(again.body).toMatchObject({ id, reporterEmail: null, reporterErased: true });
        const moved = await caller.post(transition, move, key);
        expect(moved).toMatchObject({ status: 200, body: { state: 'triaged', revision } });
      }
    },
  );

  it('the change feed shows a note as erased exactly if its own text was', async () => {
    const note = 'Evacuate first.';
    const rules = configured({ routingRules: [rule('all', { note })] });
    expect((await manager.put(CONFIGURATION, rules)).status).toBe(200);
    const agent = platform.as('agent@acme.test');
    const body = { buildingId: await platform.importBuilding(), description: 'Zyxwvut waits' };
    const { id } = (await agent.post(TICKETS, body)).body;
    await agent.post(`${TICKETS}/${id}/updates`, { body: 'Zyxwvut called.' });
    const userId = (await agent.get('/api/v1/me')).body.actor.id;
    const { erasureId } = (await erase({ subject: { userId } })).body;
    await finished(erasureId);
    const { items } = (await manager.get(`/api/service-desk/changes?buildingId=${body.buildingId}`))
      .body;
    const [created, noted] = items;
    expect(created).toMatchObject({ change: 'created', notes: [{ body: note }] });
    expect(created.notes[0]).not.toHaveProperty('erased');
    expect(noted).toMatchObject({ notes: [{ body: '(erased)', erased: true }] });
  });
});
