/** Tickets in bulk, line by line. contract.md sections 1 and 5. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerLines } from '../../../src/api/http/answer-lines.ts';
import { ANSWER_LINES_KEPT_BYTES_MAX } from '../../../src/api/http/limits.ts';
import { FREE_FORM_BYTES_MAX } from '../../../src/domain/tickets/limits.ts';
import { BODY_BYTES_MAX } from '../../../src/limits.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { logWith } from '../../../src/engine/log/log-with.ts';
import { postgresEventStore } from '../../../src/engine/log/postgres/store.ts';
import { testApi } from '../../support/api/api.ts';
import { configured, rule } from '../../support/domain/service-desk.ts';

const REQUESTS = '/api/service-desk/requests';
const IMPORT = `${REQUESTS}/import`;
const NDJSON = { 'content-type': 'application/x-ndjson' };

const platform = testApi();
const agent = platform.as('agent@acme.test');
const manager = platform.as('manager@acme.test');
const stranger = platform.as('agent@globex.test');
let buildingId: string;
let spaceId: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  spaceId = (await agent.get(`/api/v1/buildings/${buildingId}/spaces`)).body.items[0].id;
});

// oxlint-disable-next-line typescript/no-explicit-any -- each test asserts its own shape
type Answer = any;

const lineOf = (importKey: string, over: object = {}) => ({
  importKey,
  buildingId,
  description: 'Water under the sink',
  ...over,
});
const written = (lines: readonly unknown[]) =>
  lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
const answersIn = (body: string): Answer[] =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const imported = async (
  lines: readonly unknown[],
  { query = '', caller = agent }: { query?: string; caller?: typeof agent } = {},
): Promise<Answer[]> => {
  const { status, body } = await caller.post(`${IMPORT}${query}`, written(lines), NDJSON);
  expect(status, JSON.stringify(body)).toBe(200);
  return answersIn(body);
};
const ticketOf = async (id: string) => (await agent.get(`${REQUESTS}/${id}`)).body;
const keysOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

describe('an import', () => {
  it('opens a ticket for each line, and answers in their order', async () => {
    const keys = keysOf(randomUUID(), 30);
    const { headers, body, status } = await agent.post(
      IMPORT,
      written(keys.map((key) => lineOf(key, { subject: key }))),
      NDJSON,
    );
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    const answers = answersIn(body);
    expect(answers.pop()).toEqual({ summary: { created: 30, exists: 0, failed: 0 } });
    for (const [at, answer] of answers.entries()) {
      const { id, number } = answer;
      expect(answer).toEqual({ line: at + 1, importKey: keys[at], status: 'created', id, number });
      expect(await ticketOf(id)).toMatchObject({ id, number, subject: keys[at], state: 'new' });
    }
    expect(new Set(answers.map(({ number }) => number)).size).toBe(30);
  });

  it("starts SLA clocks now, and keeps the original's data in `metadata.imported`", async () => {
    const originals = {
      originalNumber: 'WO-4711',
      originalCreatedAt: '2019-05-13T08:30:00.000Z',
      originalClosedAt: '2019-05-14T08:30:00+02:00',
    };
    const metadata = { externalId: 'a', imported: { from: 'b' } };
    const line = lineOf(randomUUID(), { ...originals, metadata, priority: 'high', spaceId });
    const began = Date.now();
    const [{ id }] = await imported([line]);
    const ticket = await ticketOf(id);
    expect(ticket).toMatchObject({
      metadata: { externalId: 'a', imported: { from: 'b', ...originals } },
      spaceId,
      closedAt: null,
      createdBy: { kind: 'user', name: 'Acme Agent' },
    });
    expect(Date.parse(ticket.createdAt)).toBeGreaterThanOrEqual(began);
    const minutes = (Date.parse(ticket.slaFirstResponseDueAt) - Date.parse(ticket.createdAt)) / 6e4;
    expect(minutes).toBe(60);
    const [{ id: without }] = await imported([lineOf(randomUUID(), { originalNumber: null })]);
    expect((await ticketOf(without)).metadata).toEqual({});
    const own = { imported: '2024, wave 3' };
    const [{ id: named }] = await imported([lineOf(randomUUID(), { metadata: own })]);
    expect((await ticketOf(named)).metadata).toEqual(own);
  });

  it('appears in the change feed as an import', async () => {
    const [{ id }] = await imported([lineOf(randomUUID())]);
    const all: Answer[] = [];
    for (let after = '0'; ;) {
      const { body } = await agent.get(`/api/service-desk/changes?after=${after}&limit=500`);
      all.push(...body.items);
      if (body.nextCursor === after) break;
      after = body.nextCursor;
    }
    expect(all.filter(({ ticketId }) => ticketId === id)).toMatchObject([
      { change: 'created', origin: 'import', actor: { name: 'Acme Agent' } },
    ]);
  });

  it('shows in the list when it has ended', async () => {
    await imported([lineOf(randomUUID(), { category: 'shown' })]);
    const total = async () => (await agent.get(`${REQUESTS}?category=shown`)).body.total;
    await expect.poll(total).toBe(1);
  });

  it('runs the routing rules as a create does, and not with `routing=off`', async () => {
    const rules = { routingRules: [rule('all', { assignTeamId: 'hvac', triage: true })] };
    const path = '/api/service-desk/configuration';
    expect((await manager.put(path, configured(rules))).status).toBe(200);
    try {
      const [{ id: routed }] = await imported([lineOf(randomUUID())]);
      const { body: created } = await agent.post(REQUESTS, { buildingId, description: 'x' });
      for (const ticket of [await ticketOf(routed), created])
        expect(ticket).toMatchObject({ state: 'triaged', assignedTeamId: 'hvac' });
      const query = '?routing=off';
      const [{ id: left }] = await imported([lineOf(randomUUID())], { query });
      expect(await ticketOf(left)).toMatchObject({ state: 'new', assignedTeamId: null });
    } finally {
      await manager.put(path, configured({}));
    }
    const { status, body } = await agent.post(`${IMPORT}?routing=no`, '', NDJSON);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('checks `formData` against its form, and only its limits with `forms=off`', async () => {
    const field = { key: 'source', label: 'Source', kind: 'text', required: true } as const;
    const requestTypes = [{ requestType: 'leak', name: 'Leak', fields: [field] }];
    const path = '/api/service-desk/configuration';
    expect((await manager.put(path, configured({ requestTypes }))).status).toBe(200);
    try {
      // As tickets are exported after an erasure, and after a field was removed.
      const forms = [{}, { source: 'tap', since: 'May' }];
      const lines = forms.map((formData) =>
        lineOf(randomUUID(), { requestType: 'leak', formData }),
      );
      const details = (await imported(lines)).slice(0, 2).map(({ detail }) => detail);
      expect(details).toEqual([
        'formData.source: is required',
        'formData.since: is not a field of the request type "leak"',
      ]);
      const query = '?forms=off';
      const answers = (await imported(lines, { query })).slice(0, 2);
      const stored = await Promise.all(
        answers.map(async ({ id }) => (await ticketOf(id)).formData),
      );
      expect(stored).toEqual(forms);
      const formData = { text: 'x'.repeat(FREE_FORM_BYTES_MAX) };
      const large = lineOf(randomUUID(), { requestType: 'leak', formData });
      expect((await imported([large], { query }))[0]).toMatchObject({
        status: 'failed',
        code: 'VALIDATION_FAILED',
      });
    } finally {
      await manager.put(path, configured({}));
    }
    const { status, body } = await agent.post(`${IMPORT}?forms=no`, '', NDJSON);
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    ['nothing', '', 0],
    ['blank lines', '\n \r\n\n', 0],
    ['a last line without an end, and ends of Windows', 'A\r\n\r\nB', 2],
  ])('accepts %s', async (_, body, created) => {
    const text = body.replaceAll(/[AB]/g, () => JSON.stringify(lineOf(randomUUID())));
    const answers = answersIn((await agent.post(IMPORT, text, NDJSON)).body);
    expect(answers.pop()).toEqual({ summary: { created, exists: 0, failed: 0 } });
    expect(answers.map(({ line }) => line)).toEqual([1, 3].slice(0, created));
  });
});

it('fails a line whose importKey begins or ends with a blank', async () => {
  const [padded] = await imported([lineOf(` ${randomUUID()}`)]);
  expect(padded).toMatchObject({ status: 'failed', code: 'VALIDATION_FAILED' });
  expect(padded!.detail).toContain('must not begin or end with a blank');
});

describe('the same importKey', () => {
  it('again is the same ticket, for any other members and any caller', async () => {
    const key = randomUUID();
    const [{ id, number }] = await imported([lineOf(key)]);
    const again = [
      ...(await imported([lineOf(key)])),
      ...(await imported([lineOf(key, { description: 'changed' })], { caller: manager })),
    ];
    const exists = { line: 1, importKey: key, status: 'exists', id, number };
    const summary = { created: 0, exists: 1, failed: 0 };
    expect(again).toEqual([exists, { summary }, exists, { summary }]);
    expect((await ticketOf(id)).revision).toBe(0);
  });

  it('draws no number for a ticket that is there', async () => {
    const keys = keysOf(randomUUID(), 20);
    await imported(keys.map((key) => lineOf(key)));
    const next = async () =>
      Number((await imported([lineOf(randomUUID())]))[0].number.replace('SR-', ''));
    const before = await next();
    await imported(keys.map((key) => lineOf(key)));
    expect(await next()).toBe(before + 1);
  });

  it('twice in one import is one ticket, made by the first line', async () => {
    const key = randomUUID();
    const [first, second, third, last] = await imported([lineOf(key), lineOf(key), lineOf(key)]);
    const statuses = [first, second, third].map(({ status }) => status);
    expect(statuses).toEqual(['created', 'exists', 'exists']);
    expect(new Set([first.id, second.id, third.id]).size).toBe(1);
    expect(last).toEqual({ summary: { created: 1, exists: 2, failed: 0 } });
  });

  it('sent to two processes concurrently is one ticket', async () => {
    const other = await platform.beside({ roles: new Set(['api'] as const) });
    const keys = keysOf(randomUUID(), 60);
    const lines = keys.map((key) => lineOf(key));
    const [here, there] = await Promise.all([
      imported(lines),
      imported(lines.toReversed(), { caller: other.as('manager@acme.test') }),
    ]);
    const ids = (answers: readonly Answer[]) =>
      Object.fromEntries(answers.flatMap(({ importKey, id }) => (id ? [[importKey, id]] : [])));
    expect(ids(here)).toEqual(ids(there));
    const sums = [here.at(-1).summary, there.at(-1).summary];
    expect(sums[0].created + sums[1].created).toBe(60);
    expect(sums[0].exists + sums[1].exists).toBe(60);
  });

  it('of another organisation is another ticket', async () => {
    const key = randomUUID();
    const theirs = await platform.importBuilding('manager@globex.test');
    const [mine] = await imported([lineOf(key)]);
    const [other] = await imported([lineOf(key, { buildingId: theirs })], { caller: stranger });
    expect([other.status, other.id === mine.id]).toEqual(['created', false]);
  });
});

describe('a line that fails', () => {
  it.each([
    ['no JSON', '{"importKey":', null, 'VALIDATION_FAILED'],
    ['no object', '[1]', null, 'VALIDATION_FAILED'],
    ['no UTF-8 that can be kept', '{"importKey":"k","description":"\\u0000"}', null, 'VALIDATION'],
    ['no key', () => ({ ...lineOf('x'), importKey: undefined }), null, 'VALIDATION_FAILED'],
    ['an empty key', () => lineOf(''), null, 'VALIDATION_FAILED'],
    ['a key that is too long', () => lineOf('k'.repeat(201)), null, 'VALIDATION_FAILED'],
    ['an unknown member', () => lineOf('k', { state: 'closed' }), 'k', 'VALIDATION_FAILED'],
    ['no description', () => lineOf('k', { description: '' }), 'k', 'VALIDATION_FAILED'],
    ['no time', () => lineOf('k', { originalCreatedAt: 'today' }), 'k', 'VALIDATION_FAILED'],
    ['an unknown building', () => lineOf('k', { buildingId: randomUUID() }), 'k', 'REFERENCE_NOT'],
    [
      'metadata that originals make too large',
      () => lineOf('k', { metadata: { x: 'y'.repeat(16_370) }, originalNumber: '1'.repeat(100) }),
      'k',
      'VALIDATION_FAILED',
    ],
    [
      'metadata in whose place originals are stored',
      () => lineOf('k', { metadata: { imported: '2024, wave 3' }, originalNumber: '1' }),
      'k',
      'VALIDATION_FAILED',
    ],
    [
      'a number that cannot be kept',
      () => JSON.stringify(lineOf('k', { metadata: { n: 1 } })).replace(':1}', ':1e400}'),
      null,
      'VALIDATION_FAILED',
    ],
    ['a MiB', () => `"${'x'.repeat(BODY_BYTES_MAX)}"`, null, 'PAYLOAD_TOO_LARGE'],
  ])(
    'for %s returns the reason, and does not stop other lines',
    async (_, made, importKey, code) => {
      const wrong = typeof made === 'function' ? made() : made;
      const answers = await imported([lineOf(randomUUID()), wrong, lineOf(randomUUID())]);
      expect(answers.map(({ status }) => status)).toEqual([
        'created',
        'failed',
        'created',
        undefined,
      ]);
      expect(answers[1]).toEqual({
        line: 2,
        importKey,
        status: 'failed',
        code: expect.stringContaining(code),
        detail: expect.stringMatching(/\S/),
      });
      expect(answers[1].detail.length).toBeLessThan(1_000);
      expect(answers[3]).toEqual({ summary: { created: 2, exists: 0, failed: 1 } });
    },
  );

  it('leaves its key to be used by the line that is mended', async () => {
    const key = randomUUID();
    const [failed] = await imported([lineOf(key, { priority: 'urgent' })]);
    const [created] = await imported([lineOf(key, { priority: 'high' })]);
    expect([failed.status, created.status]).toEqual(['failed', 'created']);
  });
});

describe('an import that may not be', () => {
  it.each([
    ['viewer@acme.test', 403, 'PERMISSION_DENIED'],
    ['operator@atrium.test', 403, 'PERMISSION_DENIED'],
    [null, 401, 'UNAUTHENTICATED'],
  ])('by %s is refused before it is read', async (email, status, code) => {
    const answer = await platform.as(email).post(IMPORT, written([lineOf(randomUUID())]), NDJSON);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    [{ 'content-type': 'application/json' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ 'content-type': 'text/csv' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [{ ...NDJSON, 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('as %j is refused', async (headers, status, code) => {
    const answer = await agent.post(IMPORT, '{}', headers);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

/** An import whose lines are sent one by one. */
const sending = async (caller = 'agent@acme.test', address = platform.address) => {
  const sender: ClientRequest = httpRequest(`${address}${IMPORT}`, {
    method: 'POST',
    agent: false,
    headers: { ...NDJSON, authorization: `Bearer ${await platform.issuer.tokenOf(caller)}` },
  }).on('error', () => {});
  onTestFinished(() => void sender.destroy());
  const answered = once(sender, 'response') as Promise<[IncomingMessage]>;
  const lines = answered.then(([answer]) => createInterface(answer)[Symbol.asyncIterator]());
  lines.catch(() => {});
  return {
    send: (line: unknown) => void sender.write(`${written([line])}\n`),
    write: (text: string) => void sender.write(text),
    end: () => void sender.end(),
    destroy: () => void sender.destroy(),
    status: async () => (await answered)[0].statusCode,
    /** The next line of the answer; `null` at its end. */
    next: async (): Promise<Answer> => {
      const { done, value } = await (await lines).next();
      return done ? null : JSON.parse(value);
    },
  };
};

describe('an import under way', () => {
  it('answers each line before the next one arrives', async () => {
    const { send, next, end } = await sending();
    for (const line of [1, 2, 3]) {
      send(lineOf(randomUUID()));
      expect(await next()).toMatchObject({ line, status: 'created' });
    }
    end();
    expect(await next()).toEqual({ summary: { created: 3, exists: 0, failed: 0 } });
    expect(await next()).toBeNull();
  });

  it("uses its caller's only slot; a second import is answered with 429", async () => {
    const { send, next, end } = await sending();
    send(lineOf(randomUUID()));
    await next();
    const { status, headers, body } = await agent.post(IMPORT, '', NDJSON);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    end();
    while ((await next()) !== null);
    await expect.poll(async () => (await agent.post(IMPORT, '', NDJSON)).status).toBe(200);
  });

  it('has stored every answered line of a lost caller, and no truncated line', async () => {
    const { send, write, next, destroy } = await sending();
    const [whole, cut] = [randomUUID(), randomUUID()];
    send(lineOf(whole));
    const { id } = await next();
    // The truncated line is valid by itself, if the disconnect is mistaken for the end.
    write(JSON.stringify(lineOf(cut)));
    destroy();
    let again: Answer[] = [];
    const sent = async () => {
      const lines = written([lineOf(whole), lineOf(cut)]);
      const { status, body } = await agent.post(IMPORT, lines, NDJSON);
      if (status === 200) again = answersIn(body);
      return status;
    };
    await expect.poll(sent).toBe(200);
    expect(again).toMatchObject([
      { status: 'exists', id },
      { status: 'created' },
      { summary: { created: 1, exists: 1, failed: 0 } },
    ]);
  });

  it('is ended by a stopping server after the lines in progress, with a reason', async () => {
    const other = await platform.beside();
    const { send, next } = await sending('agent@acme.test', other.address);
    send(lineOf(randomUUID()));
    expect(await next()).toMatchObject({ status: 'created' });
    const stopped = other.stop();
    expect(await next()).toMatchObject({ problem: { code: 'UNAVAILABLE', status: 503 } });
    expect(await next()).toBeNull();
    await stopped;
  });

  it('is refused when it has not answered any line yet', async () => {
    const other = await platform.beside();
    const { write, status, next } = await sending('agent@acme.test', other.address);
    write('{');
    const another = () => other.as('agent@acme.test').post(IMPORT, '', NDJSON);
    await expect.poll(async () => (await another()).status).toBe(429);
    await other.stop();
    expect(await status()).toBe(503);
    expect(await next()).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('buffers a bounded number of answers for a slow caller, and then waits', async () => {
    const { stream, write, end } = answerLines();
    await write({ text: 'x'.repeat(ANSWER_LINES_KEPT_BYTES_MAX) });
    await new Promise(setImmediate);
    let held = true;
    const waiting = write({ text: 'y' }).then(() => (held = false));
    await new Promise(setImmediate);
    expect(held).toBe(true);
    let length = 0;
    stream.on('data', (chunk: Buffer) => (length += chunk.length));
    await waiting;
    end({ text: 'z' });
    await once(stream, 'end');
    expect(length).toBeGreaterThan(ANSWER_LINES_KEPT_BYTES_MAX);
  });
});

describe('an import whose log becomes unavailable', () => {
  it('stops at the line that could not be stored; a repeat creates no duplicates', async () => {
    const log = postgresEventStore({ url: platform.databaseUrl });
    const fails = new Set<string>();
    const failing = logWith(log, {
      async append(stream, expected, events, options) {
        const appended = await log.append(stream, expected, events, options);
        // The event is stored, but its acknowledgement is lost.
        if (fails.has(String((events[0]!.data as { category?: string }).category)))
          throw new LogUnavailable('no answer');
        return appended;
      },
    });
    const other = await platform.beside({ log: failing });
    const keys = keysOf(randomUUID(), 20);
    const lines = keys.map((key) => lineOf(key, { subject: key, category: key }));
    fails.add(keys[7]!);
    const caller = other.as('agent@acme.test');
    const answers = await imported(lines, { caller });
    expect(answers.slice(0, 7).map(({ status }) => status)).toEqual(Array(7).fill('created'));
    expect(answers.slice(7)).toMatchObject([{ problem: { code: 'UNAVAILABLE', status: 503 } }]);

    fails.clear();
    const again = await imported(lines, { caller });
    expect(again.at(-1).summary).toMatchObject({ failed: 0 });
    expect(again.at(-1).summary.exists).toBeGreaterThanOrEqual(8);
    const list = `${REQUESTS}?search=${keys[0]!.slice(0, 36)}`;
    await expect.poll(async () => (await agent.get(list)).body.total).toBe(20);

    fails.add('first');
    const first = await caller.post(
      IMPORT,
      written([lineOf(randomUUID(), { category: 'first' })]),
      NDJSON,
    );
    expect([first.status, first.body.code]).toEqual([503, 'UNAVAILABLE']);
  });
});
