import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxProxy, type SandboxProxy } from '../../src/hosting/proxy.ts';
import { heldFor } from '../support/until.ts';
import { freePort } from '../support/servers/port.ts';

/** The hosting process: echoes its requests unless a test overrides it. */
let host: Server;
/** The process that received the request. */
let front: Server;
let proxy: SandboxProxy;
let address: string;
const failures: Error[] = [];

const listening = async (server: Server, on = '127.0.0.1') => {
  server.listen(0, on);
  await once(server, 'listening');
  const { port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${on}]` : on}:${port}`;
};

const echo = async (request: IncomingMessage, response: ServerResponse) => {
  const { method, url, headers } = request;
  const body = await text(request);
  response.writeHead(202, 'Taken', [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['Connection', 'keep-alive'],
  ]);
  response.end(JSON.stringify({ method, url, headers, body }));
};

beforeEach(async () => {
  host = createServer((request, response) => void echo(request, response));
  address = await listening(host);
  proxy = sandboxProxy();
  front = createServer((request, response) =>
    proxy.request(address, request, response, (error) => {
      failures.push(error);
      response.writeHead(503).end();
    }),
  );
  await listening(front);
});
afterEach(() => {
  failures.length = 0;
  proxy.close();
  front.closeAllConnections();
  host.closeAllConnections();
  front.close();
  host.close();
});

const asked = (options: object = {}) =>
  httpRequest({
    port: (front.address() as AddressInfo).port,
    host: '127.0.0.1',
    agent: false,
    ...options,
  });
const answered = async (request: ReturnType<typeof asked>) => {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, body: await text(response) };
};

describe('a forwarded request', () => {
  it('and its answer arrive unchanged', async () => {
    const request = asked({
      method: 'PUT',
      path: '/a/b?c=%20d',
      headers: { host: 'mine.sandbox.test', 'x-forwarded-for': '192.0.2.1', te: 'trailers' },
    });
    request.write('one ');
    request.end('two');
    const { response, body } = await answered(request);
    expect(response).toMatchObject({ statusCode: 202, statusMessage: 'Taken' });
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    const echoed = JSON.parse(body);
    expect(echoed).toMatchObject({ method: 'PUT', url: '/a/b?c=%20d', body: 'one two' });
    expect(echoed.headers).toMatchObject({
      host: 'mine.sandbox.test',
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      'x-atrium-passed-on': '1',
    });
    expect(echoed.headers).not.toHaveProperty('te');
  });

  it.each(['POST', 'DELETE', 'GET'])('has no body if it had none: %s', async (method) => {
    const request = asked({ method, headers: { host: 'mine.sandbox.test' } });
    if (method === 'POST') request.setHeader('content-length', 0);
    request.end();
    const { headers, body } = JSON.parse((await answered(request)).body);
    expect(body).toBe('');
    expect(headers).not.toHaveProperty('transfer-encoding');
  });

  it('reaches a host with an IPv6 address', async () => {
    host.close();
    address = await listening(host, '::1');
    expect((await answered(asked().end())).response.statusCode).toBe(202);
  });

  describe('whose caller reads no answer before it has sent its body', () => {
    const BODY_BYTES = 20 * 1024 ** 2;
    /** The head of the answer. */
    const answerAfterBody = async (): Promise<string> => {
      const { port } = front.address() as AddressInfo;
      const caller = connect(port, '127.0.0.1').pause();
      await once(caller, 'connect');
      caller.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`);
      const sent = Promise.withResolvers<void>();
      caller.on('error', sent.reject);
      caller.write(Buffer.alloc(BODY_BYTES), () => sent.resolve());
      await sent.promise;
      const [answer] = (await once(caller.resume(), 'data')) as [Buffer];
      return answer.toString();
    };

    it('gets the answer of a host that answers at once', async () => {
      host.removeAllListeners('request');
      host.on('request', (_, response) => void response.writeHead(413).end());
      expect(await answerAfterBody()).toMatch(/^HTTP\/1.1 413 /);
    });

    it('gets an answer where no process listens', async () => {
      address = `http://127.0.0.1:${await freePort()}`;
      expect(await answerAfterBody()).toMatch(/^HTTP\/1.1 503 /);
    });
  });

  it('fails before any answer where no process listens', async () => {
    address = `http://127.0.0.1:${await freePort()}`;
    const request = asked().end();
    expect((await answered(request)).response.statusCode).toBe(503);
    expect(failures).toHaveLength(1);
  });

  it('fails within seconds where the host has vanished behind a pooled connection', async () => {
    const vanishing = fork(fileURLToPath(new URL('vanishing-host.ts', import.meta.url)));
    const idle: Socket[] = [];
    try {
      const [port] = (await once(vanishing, 'message')) as [number];
      address = `http://127.0.0.1:${port}`;
      expect((await answered(asked().end())).response.statusCode).toBe(200);
      vanishing.kill('SIGSTOP');
      // The kernel accepts connections for a stopped process until its backlog is full.
      for (let isFull = false; !isFull;) {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        idle.push(socket);
        isFull = (await heldFor(once(socket, 'connect'), 1_000)) === 'held';
      }
      expect((await answered(asked().end())).response.statusCode).toBe(503);
      expect(failures).toMatchObject([{ message: expect.stringContaining('no connection') }]);
    } finally {
      for (const socket of idle) socket.destroy();
      vanishing.kill('SIGKILL');
    }
  });

  it('is aborted at the host when its caller disconnects, which is no failure', async () => {
    host.removeAllListeners('request');
    const came = once(host, 'request') as Promise<[IncomingMessage]>;
    const request = asked().on('error', () => {});
    request.end();
    const [there] = await came;
    const ended = once(there.socket, 'close');
    request.destroy();
    await ended;
    host.on('request', (_, response) => void response.end());
    expect((await answered(asked().end())).response.statusCode).toBe(200);
    expect(failures).toEqual([]);
  });
});
