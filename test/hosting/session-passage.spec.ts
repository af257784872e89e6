/** Requests of portal pages to a sandbox. docs/decisions/0084. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createConnection, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseUpgrade } from '../../src/api/http/upgrades.ts';
import { sessionPassage } from '../../src/hosting/session-passage.ts';
import { Unauthenticated } from '../../src/identity/caller.ts';
import { cookiesOf } from '../../src/identity/sessions/cookies.ts';
import type { SessionsAt } from '../../src/identity/sessions/sessions.ts';
import { until } from '../support/until.ts';

const ORIGIN = 'http://localhost:4000';
const COOKIE = 'c'.repeat(43);
const SAME = { cookie: `atrium=${COOKIE}`, 'sec-fetch-site': 'same-origin' };

interface Passed {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

let passed: Passed[];
let hasEnded: boolean;
let address: string;
let close: () => Promise<void>;

const cookies = cookiesOf(ORIGIN);
const sessions = {
  origin: ORIGIN,
  cookieIn: (headers: IncomingHttpHeaders) =>
    headers.authorization === undefined ? cookies.session(headers) : null,
  open: async (cookie: string) => {
    if (cookie !== COOKIE || hasEnded) throw new Unauthenticated('The session has ended.');
    return { sessionId: 's', subject: 'ana', accessToken: 'a.b.c', expiresAt: '' };
  },
} as Pick<SessionsAt, 'origin' | 'cookieIn' | 'open'> as SessionsAt;

beforeEach(async () => {
  passed = [];
  hasEnded = false;
  const isSandbox = ({ host = '' }: IncomingHttpHeaders) => host.includes('.sandbox.localhost');
  const passage = sessionPassage({
    // Answers only requests to a sandbox.
    dispatcher: {
      takeRequest({ method, url, headers }, response) {
        if (!isSandbox(headers)) return false;
        passed.push({ method, url, headers: { ...headers } });
        response.end('from the sandbox');
        return true;
      },
      takeUpgrade({ method, url, headers }, socket) {
        if (!isSandbox(headers)) return false;
        passed.push({ method, url, headers: { ...headers } });
        socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
        return true;
      },
    },
    sessions,
    apiUrlOf: (slug) => `http://${slug}.sandbox.localhost:4000`,
    logger: pino({ level: 'silent' }),
    checkMs: 10,
  });
  const server = createServer((request, response) => {
    const own = () => response.writeHead(418).end('own');
    if (!passage.takeRequest(request, response, own)) own();
  });
  server.on('upgrade', (request, socket, head) => {
    if (!passage.takeUpgrade(request, socket, head)) refuseUpgrade(socket, 404);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = async () => {
    server.closeAllConnections();
    server.close();
  };
});
afterEach(() => close());

const ask = async (path: string, headers: Record<string, string> = SAME, method = 'GET') => {
  const answer = await fetch(`http://${address}${path}`, { method, headers });
  return { status: answer.status, body: await answer.text() };
};

const CLOCK = '/session/sandboxes/oak-7/api/v1/clock?x=1';

describe('a request of a page to a sandbox', () => {
  it('is forwarded like one of a program: with the token, and without the cookie', async () => {
    expect(await ask(CLOCK, { ...SAME, origin: ORIGIN }, 'POST')).toEqual({
      status: 200,
      body: 'from the sandbox',
    });
    const [{ method, url, headers }] = passed as [Passed];
    expect([method, url]).toEqual(['POST', '/api/v1/clock?x=1']);
    expect(headers).toMatchObject({
      host: 'oak-7.sandbox.localhost:4000',
      authorization: 'Bearer a.b.c',
      origin: 'http://oak-7.sandbox.localhost:4000',
    });
    expect(headers.cookie).toBeUndefined();
  });

  it.each([
    ['no cookie', {}, 401],
    ['an unknown cookie', { cookie: `atrium=${'d'.repeat(43)}` }, 401],
    ['a token beside the cookie', { ...SAME, authorization: 'Bearer x' }, 401],
  ])('is refused with %s', async (_, headers, status) => {
    expect((await ask(CLOCK, headers as Record<string, string>)).status).toBe(status);
    expect(passed).toEqual([]);
  });

  it('has no effect where a page of another origin has sent it', async () => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const { status, body } = await ask(CLOCK, { ...SAME, 'sec-fetch-site': site }, 'POST');
      expect([status, JSON.parse(body).code]).toEqual([403, 'CROSS_SITE']);
    }
    expect(passed).toEqual([]);
  });

  it.each(['/session/login', '/docs', '/', '/metrics', '//evil.example/api/'])(
    'reaches nothing but the API and the live service, as %s',
    async (path) => {
      expect((await ask(`/session/sandboxes/oak-7${path}`)).status).toBe(404);
      expect(passed).toEqual([]);
    },
  );

  it.each(['/session/sandboxes/Oak_7/api/', '/session/sandboxes/', '/session/list', '/api/v1/me'])(
    'is the main platform’s own as %s',
    async (path) => expect((await ask(path)).body).toBe('own'),
  );
});

describe('a live connection of a page to a sandbox', () => {
  const LIVE = '/session/sandboxes/oak-7/socket.io/?EIO=4&transport=websocket';
  /** Sends the bytes of an upgrade. @returns The reply. */
  const connect = (headers: Record<string, string>) => {
    const [host = '', port] = address.split(':');
    const socket = createConnection({ host, port: Number(port) });
    const lines = Object.entries({ host: address, ...headers }).map(
      ([name, is]) => `${name}: ${is}`,
    );
    const upgrade = ['connection: Upgrade', 'upgrade: websocket'];
    socket.write([`GET ${LIVE} HTTP/1.1`, ...lines, ...upgrade, '', ''].join('\r\n'));
    const seen = { text: '', isClosed: false };
    socket.on('data', (bytes: Buffer) => (seen.text += bytes.toString()));
    socket.on('close', () => (seen.isClosed = true));
    return seen;
  };

  it('ends soon after its session', async () => {
    const connection = connect(SAME);
    await until(() => connection.text.includes('101'), 'the upgrade');
    expect(passed).toMatchObject([{ url: '/socket.io/?EIO=4&transport=websocket' }]);
    expect(connection.isClosed).toBe(false);
    hasEnded = true;
    await until(() => connection.isClosed, 'the end of the connection');
  });

  it('is not opened by a page of another origin, though its request has the cookie', async () => {
    const connection = connect({ cookie: SAME.cookie, origin: 'http://evil.example' });
    await until(() => connection.isClosed, 'the refusal');
    expect(connection.text).toContain('403');
    expect(passed).toEqual([]);
  });
});
