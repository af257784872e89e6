/** contract.md section 11: no store has a byte of an erased person; the texts of others stay. */
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { testApi } from '../../support/api/api.ts';
import { until } from '../../support/until.ts';
import { BOUNDARY, formHeaders } from '../../support/api/form.ts';

const TICKETS = '/api/service-desk/requests';
const ERASURES = '/api/v1/erasures';
const platform = testApi(() => ({ personKeysTrustedMs: 0 }));
const manager = platform.as('manager@acme.test');
const person = platform.as('agent@acme.test');
const operator = platform.as('operator@atrium.test');

/** In any case, and as Postgres prints bytes in hexadecimal. */
const TRACE = /zyxwvut|qponm|7a79787776757|5a79787776757|40815/i;
const written = { description: 'Zyxwvut Qponm wrote it', subject: 'Zyxwvut' };

type Answer = Awaited<ReturnType<typeof manager.get>>;

const must = (answer: Pick<Answer, 'status' | 'body'>, status: number): Answer['body'] => {
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
};

let buildingId: string | undefined;

/** Two tickets: one of the person's own, and one that the manager wrote down for them. */
const raisedTickets = async () => {
  buildingId ??= await platform.importBuilding();
  const own = must(await person.post(TICKETS, { buildingId, ...written }), 201);
  must(await person.post(`${TICKETS}/${own.id}/updates`, { body: 'Zyxwvut says more' }), 201);
  const note = { body: 'The manager answers', visibility: 'public' };
  must(await manager.post(`${TICKETS}/${own.id}/updates`, note), 201);
  const form =
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="zyxwvut.txt"\r\n` +
    `Content-Type: text/plain\r\n\r\nQponm\r\n--${BOUNDARY}--\r\n`;
  must(await person.post(`${TICKETS}/${own.id}/attachments`, form, formHeaders), 201);
  const called = must(
    await manager.post(TICKETS, {
      buildingId,
      description: 'The manager wrote it',
      reporterName: 'Zyxwvut Qponm',
      reporterEmail: 'Zyxwvut@qponm.example',
      reporterPhone: '+49 40815',
    }),
    201,
  );
  return { own: own.id as string, called: called.id as string };
};

const erased = async (subject: object, texts: string) => {
  const asked = must(await manager.post(ERASURES, { subject, texts, reason: 'Asked.' }), 202);
  const path = `${ERASURES}/${asked.erasureId}`;
  await expect.poll(async () => (await manager.get(path)).body.status).toBe('finished');
  return (await manager.get(path)).body.found;
};

const userIdOf = async (id: string): Promise<string> =>
  must(await manager.get(`${TICKETS}/${id}`), 200).createdBy.id;

/** Every row of every table that has a trace of the person, but for messages of the bus. */
const traces = async () => {
  const db = new Client(platform.databaseUrl);
  await db.connect();
  try {
    const { rows: tables } = await db.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
      found.push(...rows.flatMap(({ row }) => (TRACE.test(row) ? [`${name}: ${row}`] : [])));
    }
    return found.filter((row) => !row.includes('MessagePublished') && !row.includes('(bus-'));
  } finally {
    await db.end();
  }
};

const inLog = async () => {
  const { events } = await platform.log.readAll(null, { limit: 1_000 });
  return events
    .filter(({ stream }) => !stream.startsWith('bus-'))
    .filter((event) => TRACE.test(JSON.stringify(event)));
};

const answers = async ({ own, called }: { own: string; called: string }) => {
  const [first, second] = [`${TICKETS}/${own}`, `${TICKETS}/${called}`];
  const paths = [
    first,
    second,
    TICKETS,
    `${first}/updates`,
    `${second}/updates`,
    `${first}/attachments`,
    '/api/service-desk/changes?limit=200',
  ];
  const shown: Record<string, Answer['body']> = {};
  for (const path of paths) shown[path] = must(await manager.get(path), 200);
  shown['export'] = (await manager.get(`${TICKETS}/export`)).body;
  return shown;
};

describe('a person who was erased', () => {
  it('is in no answer and no store, and the texts of others stay', async () => {
    const ids = await raisedTickets();
    const userId = await userIdOf(ids.own);
    // So that it is seen that traces would be found.
    await expect.poll(traces).not.toEqual([]);
    expect(JSON.stringify(await answers(ids))).toMatch(TRACE);
    expect(await inLog()).toEqual([]);

    expect(await erased({ userId }, 'erase')).toMatchObject({
      tickets: 1,
      notes: 1,
      attachments: 1,
    });
    expect(await erased({ email: 'zyxwvut@QPONM.example' }, 'erase')).toMatchObject({ tickets: 1 });

    const shown = await answers(ids);
    for (const [path, body] of Object.entries(shown))
      expect(JSON.stringify(body), path).not.toMatch(TRACE);
    const one = shown[`${TICKETS}/${ids.own}`];
    expect(one).toMatchObject({
      description: '(erased)',
      subject: null,
      createdBy: { kind: 'user', id: 'erased', erased: true },
    });
    expect(shown[`${TICKETS}/${ids.called}`]).toMatchObject({
      reporterErased: true,
      reporterName: null,
      reporterEmail: null,
      description: 'The manager wrote it',
    });
    const { items } = shown[`${TICKETS}/${ids.own}/updates`];
    expect(items[0]).toMatchObject({ kind: 'note', body: '(erased)', erased: true });
    expect(items[0].actor).toMatchObject({ erased: true });
    expect(items[1]).toMatchObject({ kind: 'note', body: 'The manager answers' });
    expect(shown[`${TICKETS}/${ids.own}/attachments`].items).toEqual([]);
    const changes = shown['/api/service-desk/changes?limit=200'].items;
    expect(changes.filter(({ change }: { change: string }) => change === 'erasure')).toHaveLength(
      2,
    );
    const ofCalled = changes.filter(
      ({ ticket }: { ticket: { id: string } }) => ticket.id === ids.called,
    );
    expect(ofCalled.length).toBeGreaterThan(1);
    for (const { ticket } of ofCalled) expect(ticket).toMatchObject({ reporterErased: true });
    expect(await traces()).toEqual([]);
    expect(await inLog()).toEqual([]);
    const found = await manager.get(`${TICKETS}?search=zyxwvut`);
    expect(found.body).toMatchObject({ total: 0 });

    // A rebuild from the log gives the same.
    const projection = '/api/v1/operations/projections/ticket-list';
    const { id } = must(await operator.post(`${projection}/rebuild`, {}), 202);
    const state = async () =>
      (await operator.get(`${projection}/requests`)).body.items.find(
        (one: { id: string }) => one.id === id,
      ).state;
    await until(async () => (await state()) === 'done', 'the rebuild');
    expect((await answers(ids))[TICKETS]).toEqual(shown[TICKETS]);
  });

  it('is removed from texts that are kept', async () => {
    const ids = await raisedTickets();
    const userId = await userIdOf(ids.own);
    // Includes earlier erasures: the same person is the same erasure.
    expect(await erased({ userId }, 'keep')).toMatchObject({ tickets: 2, notes: 2 });
    const shown = await answers(ids);
    expect(shown[`${TICKETS}/${ids.own}`]).toMatchObject({
      ...written,
      createdBy: { id: 'erased', erased: true },
    });
    const { items } = shown[`${TICKETS}/${ids.own}/updates`];
    expect(items[0]).toMatchObject({ body: 'Zyxwvut says more', actor: { erased: true } });
    expect(shown[`${TICKETS}/${ids.own}/attachments`].items).toMatchObject([
      { name: 'zyxwvut.txt', createdBy: { erased: true } },
    ]);
    expect(JSON.stringify(await inLog())).not.toContain(userId);
  });
});
