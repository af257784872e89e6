/** The rows of the request log. contract.md section 4. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/engine/postgres/pool.ts';
import {
  SANDBOX_REQUESTS_KEPT_MAX,
  SANDBOX_REQUESTS_KEPT_MS,
} from '../../../src/projections/sandboxes/limits.ts';
import {
  sandboxRequestRows,
  type LoggedRequest,
  type SandboxRequestRows,
} from '../../../src/projections/sandboxes/requests.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';

let database: TestDatabase;
let db: Database;
let rows: SandboxRequestRows;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase({ url: database.url, logger: pino({ level: 'silent' }), connectionsMax: 5 });
  rows = sandboxRequestRows(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const AT = '2026-06-01T12:00:00.000Z';
const request = (sandboxId: string, requestId: string, at = AT): LoggedRequest => ({
  sandboxId,
  at,
  method: 'GET',
  route: '/api/v1/buildings/{id}',
  status: 200,
  ms: 1.5,
  keyId: null,
  requestId,
});
const query = (sandboxId: string, after = 0, limit = 20_000) => ({
  sandboxId,
  after,
  limit,
  at: AT,
});
const idsOf = async (sandboxId: string) =>
  (await rows.page(query(sandboxId))).items.map(({ requestId }) => requestId);

it('pages through the requests of one sandbox in their order, each once', async () => {
  await rows.write([request('sbx_a', '1'), request('sbx_b', 'other'), request('sbx_a', '2')]);
  await rows.write([request('sbx_a', '3')]);
  const first = await rows.page(query('sbx_a', 0, 2));
  const { sandboxId: _, ...whole } = request('sbx_a', '1');
  expect(first.items).toEqual([whole, { ...whole, requestId: '2' }]);
  const second = await rows.page(query('sbx_a', first.next, 2));
  expect(second.items).toEqual([{ ...whole, requestId: '3' }]);
  expect(await rows.page(query('sbx_a', second.next, 2))).toEqual({ items: [], next: second.next });
  expect(await rows.end('sbx_a')).toBe(second.next);
});

it('gives a following reader every request, under concurrent writers', async () => {
  const writers = Array.from({ length: 4 }, (_, writer) =>
    (async () => {
      for (let batch = 0; batch < 20; batch += 1)
        await rows.write([request('sbx_c', `${writer}.${batch}`)]);
    })(),
  );
  const read: string[] = [];
  let after = 0;
  let isWritten = false;
  const all = Promise.all(writers).finally(() => (isWritten = true));
  for (;;) {
    const isLast = isWritten;
    const page = await rows.page(query('sbx_c', after));
    read.push(...page.items.map(({ requestId }) => requestId));
    after = page.next;
    if (isLast) break;
  }
  await all;
  expect(read.toSorted()).toEqual((await idsOf('sbx_c')).toSorted());
  expect(read).toHaveLength(80);
});

it('holds a long poll until there is a request', async () => {
  const held = rows.await(query('sbx_d'), 60_000, new AbortController().signal);
  await rows.write([request('sbx_d', 'awaited')]);
  expect((await held).items).toMatchObject([{ requestId: 'awaited' }]);
});

it('ends a long poll at its deadline, or when its reader disconnects', async () => {
  expect(await rows.await(query('sbx_none'), 1, new AbortController().signal)).toEqual({
    items: [],
    next: 0,
  });
  expect(await rows.await(query('sbx_none', 7), 60_000, AbortSignal.abort())).toEqual({
    items: [],
    next: 7,
  });
});

it('shows and keeps a day, and of a sandbox its newest requests', async () => {
  const ago = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();
  await rows.write([
    request('sbx_e', 'a day ago', ago(SANDBOX_REQUESTS_KEPT_MS)),
    request('sbx_e', 'within it', ago(SANDBOX_REQUESTS_KEPT_MS - 1)),
  ]);
  expect(await idsOf('sbx_e')).toEqual(['within it']);
  const many = Array.from({ length: SANDBOX_REQUESTS_KEPT_MAX + 3 }, (_, n) =>
    request('sbx_f', String(n)),
  );
  await rows.write(many);
  await rows.trim(['sbx_e', 'sbx_f'], AT);
  const { rows: kept } = await db.pool.query(
    `select sandbox_id as id, count(*) as count, min(request_id::int) filter
       (where sandbox_id = 'sbx_f') as first
     from hosting.request where sandbox_id in ('sbx_e', 'sbx_f') group by 1 order by 1`,
  );
  expect(kept).toEqual([
    { id: 'sbx_e', count: 1, first: null },
    { id: 'sbx_f', count: SANDBOX_REQUESTS_KEPT_MAX, first: 3 },
  ]);
});

it('forgets a sandbox that has ended, and no other', async () => {
  await rows.write([request('sbx_g', 'gone'), request('sbx_h', 'stays')]);
  for (let time = 0; time < 2; time += 1) await rows.forget('sbx_g');
  expect(await idsOf('sbx_g')).toEqual([]);
  expect(await idsOf('sbx_h')).toEqual(['stays']);
});
