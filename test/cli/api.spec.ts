/** `atrium api`: any request of the API. */
import { writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const platform = testApi();
const home = temporaryDirectory('cli');
const RAISED = 5;
let buildingId: string;
let token: string;
/** Ids of tickets, as they were raised. */
const ids: string[] = [];

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  token = await platform.issuer.tokenOf('agent@acme.test');
  const agent = platform.as('agent@acme.test');
  for (let at = 0; at < RAISED; at += 1) {
    const body = { buildingId, description: `Ticket ${at}` };
    ids.push((await agent.post('/api/service-desk/requests', body)).body.id);
  }
  const listed = async () => (await agent.get('/api/service-desk/requests')).body.total === RAISED;
  await until(listed, 'the list');
});

const environment = (ATRIUM_URL = platform.address) => ({
  ATRIUM_TOKEN: token,
  ATRIUM_URL,
  XDG_CONFIG_HOME: home,
});
const api = (...words: readonly string[]) => runAtrium(environment(), 'api', ...words);
const linesOf = (out: string) => out.split('\n').filter(Boolean);

describe('a path', () => {
  it('is written with or without its beginning, and in any case of the method', async () => {
    const { body } = await platform.as('agent@acme.test').get('/api/v1/me');
    for (const path of ['me', '/me', '/api/v1/me', 'api/v1/me']) {
      const { code, out, err } = await api('get', path);
      expect([code, JSON.parse(out), err]).toEqual([0, body, '']);
    }
    const desk = await api('GET', '/service-desk/requests', '--jq', '.page');
    expect(desk).toEqual({ code: 0, out: '1\n', err: '' });
  });

  it('names no other host', async () => {
    const elsewhere = await api('GET', 'https://elsewhere.example/api/v1/me');
    expect(elsewhere).toMatchObject({ code: 2, out: '' });
    const doubled = await api('GET', '//elsewhere.example/me');
    expect(doubled).toMatchObject({ code: 1, out: '' });
    expect(doubled.err).toContain('(NOT_FOUND)');
  });
});

describe('fields', () => {
  it('are the query of a GET', async () => {
    const words = ['-f', 'sort=createdAt', '-F', 'limit=2', '-F', 'state=["new","triaged"]'];
    const { out } = await api('GET', 'service-desk/requests?page=2', ...words);
    const page = JSON.parse(out) as { items: { id: string }[]; page: number };
    expect([page.page, page.items.map(({ id }) => id)]).toEqual([2, ids.slice(2, 4)]);
  });

  it('are the body of others: texts, and values of JSON', async () => {
    const values = ['-f', `buildingId=${buildingId}`, '-f', 'description=12'];
    const words = ['POST', 'service-desk/requests', ...values, '-F', 'metadata={"floor":"2"}'];
    const { code, out } = await api(...words);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ description: '12', metadata: { floor: '2' } });
  });

  it('that are malformed are refused', async () => {
    expect(await api('GET', 'me', '-f', 'nonsense')).toEqual({
      code: 2,
      out: '',
      err: 'atrium: write -f key=value, not nonsense\n',
    });
    expect(await api('GET', 'me', '-F', 'limit=two')).toEqual({
      code: 2,
      out: '',
      err: 'atrium: -F limit: two is not JSON; use -f limit=… to send a text\n',
    });
  });
});

describe('--input and -H', () => {
  it('send a body from a file or a pipe, and headers', async () => {
    const file = join(home, 'ticket.json');
    writeFileSync(file, JSON.stringify({ buildingId, description: 'From a file' }));
    const words = ['POST', 'service-desk/requests', '-H', 'Idempotency-Key: file-1'];
    const first = JSON.parse((await api(...words, '--input', file)).out) as { id: string };
    const piped = startAtrium(environment(), 'api', ...words, '--input', '-', '--jq', '.id');
    onTestFinished(() => void piped.process.kill('SIGKILL'));
    piped.process.stdin!.end(JSON.stringify({ buildingId, description: 'From a file' }));
    expect(await piped.ended).toEqual({ code: 0, out: `${first.id}\n`, err: '' });
  });
});

describe('a list', () => {
  const walk = ['service-desk/requests', '-f', 'sort=createdAt', '--paginate'];

  it('is read page by page, as lines or as one array', async () => {
    const lines = await api('GET', ...walk, '-F', 'limit=2', '--jq', '.id');
    expect(linesOf(lines.out).slice(0, RAISED)).toEqual(ids);
    const { out } = await api('GET', ...walk, '-F', 'limit=2', '--slurp');
    const whole = JSON.parse(out) as { id: string }[];
    expect(whole.slice(0, RAISED).map(({ id }) => id)).toEqual(ids);
  });

  it('by offset and by cursor, with a feed up to its end', async () => {
    const points = `buildings/${buildingId}/points`;
    const total = Number((await api('GET', points, '--jq', '.total')).out);
    const limit = Math.ceil(total / 3);
    const paged = await api('GET', points, '--paginate', '-F', `limit=${limit}`, '--jq', '.id');
    expect(new Set(linesOf(paged.out)).size).toBe(total);
    const changes = 'service-desk/changes?limit=2';
    const words = ['--paginate', '--jq', '.ticketId'];
    expect(linesOf((await api('GET', changes, ...words)).out)).toEqual(expect.arrayContaining(ids));
  });

  it('is required by --paginate', async () => {
    expect(await api('GET', 'me', '--paginate')).toEqual({
      code: 2,
      out: '',
      err: 'atrium: --paginate: the response is not a list\n',
    });
    expect((await api('POST', 'webhooks', '--paginate')).err).toBe(
      'atrium: --paginate needs GET\n',
    );
  });
});

describe('an answer', () => {
  it('is printed with its headers on request', async () => {
    const { out } = await api('GET', 'me', '--include', '--jq', '.credential');
    expect(out).toMatch(/^HTTP\/1\.1 200 OK\n(.+\n)*x-request-id: \S+\n(.+\n)*\nsession\n$/);
  });

  it('with an error goes to standard error, and under --json to both', async () => {
    const path = 'service-desk/requests/00000000-0000-4000-8000-000000000000';
    const refused = await api('GET', path);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toMatch(/^atrium: .+ \(NOT_FOUND\)\n$/);
    const { code, out, err } = await api('GET', path, '--json');
    const problem = JSON.parse(out) as Record<string, unknown>;
    expect(problem).toMatchObject({ code: 'NOT_FOUND', status: 404, title: expect.any(String) });
    const { requestId } = problem;
    const { error } = JSON.parse(err) as { error: object };
    expect([code, error]).toEqual([
      1,
      { code: 'NOT_FOUND', status: 404, requestId, message: expect.any(String) },
    ]);
  });

  it('is filtered by jq, which names errors of the expression', async () => {
    const { code, out, err } = await api('GET', 'me', '--jq', '.actor[');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^atrium: --jq: syntax error/);
  });
});

describe('a command', () => {
  it('is sent again under one key when the server could not answer', async () => {
    const asked: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      asked.push({ headers: request.headers, body: await text(request) });
      const headers = { 'X-Request-Id': 'r', 'Content-Type': 'application/json' };
      response.writeHead(asked.length === 1 ? 503 : 201, headers).end('{}');
    };
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code } = await runAtrium(environment(url), 'api', 'POST', 'webhooks', '-f', 'url=u');
    expect([code, asked.map(({ body }) => body)]).toEqual([0, ['{"url":"u"}', '{"url":"u"}']]);
    const [first, second] = asked.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(second).toBe(first);
  });
});
