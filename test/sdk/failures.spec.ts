/** Errors of the client without an answer from the server: refused and broken sockets. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AtriumError,
  AtriumUnreachableError,
  createAtrium,
  type FollowStatus,
  type Retry,
} from '../../packages/sdk/src/index.ts';
import { nodeFetch } from '../../packages/sdk/src/node.ts';
import { fetch as undiciFetch } from 'undici';
import { freePort } from '../support/servers/port.ts';

const BUILDINGS = '/api/v1/buildings';
const KEYS = '/api/v1/keys';
const TICKET = '/api/service-desk/requests/{id}';
const json = { 'content-type': 'application/json' };
const ok = (response: ServerResponse) =>
  void response.writeHead(200, json).end('{"items":[],"nextCursor":"1","caughtUp":true}');
const broken = ({ socket }: ServerResponse) => void socket?.destroy();
const halfAnswered = (response: ServerResponse) => {
  response.writeHead(200, { ...json, 'content-length': '100' }).write('{"items"');
  setImmediate(() => response.socket?.destroy());
};
const halfPage = (response: ServerResponse) => {
  response.writeHead(502, { 'content-type': 'text/html', 'content-length': '100' }).write('<html>');
  setImmediate(() => response.socket?.destroy());
};
const page = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
const busy = (response: ServerResponse) =>
  void response.writeHead(503, { ...json, 'retry-after': '0' }).end('{}');

/** Treats each request as the next of these says, and the last one again. */
const serving = async (...answers: readonly ((response: ServerResponse) => void)[]) => {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    answers[Math.min(keys.push(headers['idempotency-key']), answers.length) - 1]!(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { keys, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' };
};

const failureOf = async (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(() => null).catch((error: unknown) => error);

describe('a request without an answer', () => {
  it.each([undefined, nodeFetch])('is an error that names it: %s', async (fetch) => {
    const host = fetch ? 'a.sandbox.localhost' : '127.0.0.1';
    const url = `http://${host}:${await freePort()}`;
    const atrium = createAtrium({ url, token: 't', retries: 1, ...(fetch && { fetch }) });
    const params = { path: { id: 'x' } };
    const error = await failureOf(atrium.PATCH(TICKET, { params, body: { subject: 'y' } }));
    expect(error).toBeInstanceOf(AtriumUnreachableError);
    expect(error).toMatchObject({
      method: 'PATCH',
      path: '/api/service-desk/requests/x',
      attempts: 2,
      cause: expect.any(Error),
      message: expect.stringMatching(
        /^PATCH \/api\/service-desk\/requests\/x: no answer after 2 attempts: .*ECONNREFUSED/,
      ),
    });
  });

  it('is an error that names it when the time is up', async () => {
    const server = await serving(() => {});
    const atrium = createAtrium({ ...server, retries: 0, timeoutMs: 50 });
    const error = await failureOf(atrium.GET(BUILDINGS));
    expect(error).toMatchObject({ method: 'GET', path: BUILDINGS, attempts: 1 });
    expect(error).toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  it('is retried, also after an aborted answer, and each retry is reported', async () => {
    const server = await serving(broken, busy, halfAnswered, halfPage, ok);
    const retries: Retry[] = [];
    const onRetry = (retry: Retry) => void retries.push(retry);
    await createAtrium({ ...server, onRetry }).POST(KEYS, { body: { label: 'x' } });
    expect(new Set(server.keys).size).toBe(1);
    expect(server.keys).toHaveLength(5);
    expect(retries.map(({ method, path, attempt }) => [method, path, attempt])).toEqual(
      [1, 2, 3, 4].map((attempt) => ['POST', KEYS, attempt]),
    );
    const [first, second, third, fourth] = retries.map(({ reason }) => reason);
    expect(first).toBeInstanceOf(AtriumUnreachableError);
    expect(AtriumError.is(second) && second.status).toBe(503);
    expect(third).toBeInstanceOf(AtriumUnreachableError);
    expect(fourth).toBeInstanceOf(AtriumUnreachableError);
    expect(retries.every(({ delayMs }) => delayMs >= 0 && delayMs < 2_001)).toBe(true);
  });

  it('is an error that says so where a page came in its place', async () => {
    const atrium = createAtrium(await serving(page));
    const params = { path: { keyId: 'k' } };
    for (const asked of [atrium.GET(BUILDINGS), atrium.DELETE(`${KEYS}/{keyId}`, { params })]) {
      const error = await failureOf(asked);
      expect(error).toBeInstanceOf(AtriumUnreachableError);
      expect(error).toMatchObject({ message: expect.stringMatching('200 text/html, not JSON') });
    }
  });

  it('is told from the answer of a `fetch` with its own class', async () => {
    const server = await serving((response) => void response.writeHead(204).end());
    const fetch = async ({ url, method }: Request) =>
      (await undiciFetch(url, { method })) as Response;
    const params = { path: { keyId: 'k' } };
    const { data } = await createAtrium({ ...server, fetch }).DELETE(`${KEYS}/{keyId}`, { params });
    expect(data).toBeUndefined();
    expect(server.keys).toHaveLength(1);
  });

  it('is retried, whatever a `fetch` throws', async () => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      // oxlint-disable-next-line typescript/only-throw-error -- as a library may
      if (sent === 1) throw undefined;
      return Response.json({ items: [] });
    };
    const atrium = createAtrium({ url: 'http://atrium.test', fetch });
    expect((await atrium.GET(BUILDINGS)).data.items).toEqual([]);
  });

  it('throws the error of a custom `fetch`, unless it is a broken connection', async () => {
    const own = new Error('no such profile');
    const fetch = () => Promise.reject(own);
    const atrium = createAtrium({ url: 'http://atrium.test', retries: 0, fetch });
    expect(await failureOf(atrium.GET(BUILDINGS))).toBe(own);
  });

  it('is the reason of its signal, when that ends it', async () => {
    const server = await serving(() => {});
    const reason = new Error('enough');
    const ended = new AbortController();
    const asked = failureOf(createAtrium(server).GET(BUILDINGS, { signal: ended.signal }));
    ended.abort(reason);
    expect(await asked).toBe(reason);
  });
});

describe('a retry budget', () => {
  afterEach(() => void vi.useRealTimers());

  /** A server with an outage of `ms`. */
  const away = (ms: number) => {
    vi.useFakeTimers();
    const began = performance.now();
    const sent: number[] = [];
    const fetch = async () => {
      sent.push(performance.now() - began);
      if (performance.now() - began < ms) throw new TypeError('fetch failed');
      return Response.json({ items: [], nextCursor: '1', caughtUp: true });
    };
    return { sent, server: { url: 'http://atrium.test', token: 't', fetch } };
  };

  it('outlasts a shorter outage, and uses its whole time', async () => {
    const { server } = away(59_000);
    const asked = createAtrium({ ...server, retryBudgetMs: 60_000 }).GET(BUILDINGS);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await asked).data.items).toEqual([]);
  });

  it('ends with the last failure', async () => {
    const { server, sent } = away(Number.POSITIVE_INFINITY);
    const asked = failureOf(createAtrium({ ...server, retryBudgetMs: 60_000 }).GET(BUILDINGS));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await asked).toMatchObject({ name: 'AtriumUnreachableError', attempts: sent.length });
    expect(sent.at(-1)).toBe(60_000);
  });

  it('is a minute for who follows a feed, and not for a single request', async () => {
    const { server, sent } = away(59_000);
    const following = createAtrium(server).changes()[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await following).value).toMatchObject({ cursor: '1' });
    expect(sent.length).toBeGreaterThan(5);

    const single = away(59_000);
    const asked = failureOf(createAtrium(single.server).GET(BUILDINGS));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await asked).toMatchObject({ attempts: 5 });
  });

  it("throws the last failure of a feed's longer outage", async () => {
    const { server } = away(61_000);
    const following = failureOf(createAtrium(server).audit()[Symbol.asyncIterator]().next());
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await following).toMatchObject({ method: 'GET', path: '/api/v1/keys/audit' });
  });
});

it('a feed reports its connection state, with the reason of a failure', async () => {
  const server = await serving(ok, broken, ok);
  const states: FollowStatus[] = [];
  const onStatus = (status: FollowStatus) => void states.push(status);
  const ended = new AbortController();
  const { signal } = ended;
  const pages = createAtrium(server).changes({ onStatus, signal });
  expect((await pages.next()).value).toMatchObject({ cursor: '1' });
  const rest = pages.next();
  await expect.poll(() => states.length).toBe(4);
  ended.abort();
  expect((await rest).done).toBe(true);
  expect(states.map(({ state }) => state)).toEqual([
    'connecting',
    'connected',
    'waiting',
    'connected',
  ]);
  expect(states[2]).toMatchObject({
    attempt: 1,
    reason: { method: 'GET', name: 'AtriumUnreachableError' },
  });
});
