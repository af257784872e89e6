/** Requests that arrive on one connection before the earlier ones have been answered. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { brokenRequest } from '../../../src/api/http/broken-requests.ts';
import { endConnections, pendingAnswers } from '../../../src/api/http/connections.ts';
import { PIPELINED_MAX, PIPELINED_WAITING_MAX } from '../../../src/api/http/limits.ts';
import { inTurn, type TurnParts } from '../../../src/api/http/pipelining.ts';
import { isUpgrade } from '../../../src/api/http/upgrades.ts';
import { until } from '../../support/until.ts';

type Run = readonly [request: IncomingMessage, response: ServerResponse];

/** A server whose requests are answered by the test, and a client of one connection. */
const started = async (parts: Partial<TurnParts> = {}) => {
  /** Every request that has been run, in order. */
  const runs: Run[] = [];
  let arrived = 0;
  let onRun: (...run: Run) => void = () => {};
  const app = fastify({
    return503OnClosing: false,
    serverFactory: () =>
      createServer(
        { shouldUpgradeCallback: isUpgrade },
        inTurn(
          (request, response) => {
            runs.push([request, response]);
            onRun(request, response);
          },
          { late: () => {}, ...parts },
        ),
      ),
  });
  const draining = new AbortController();
  endConnections(app, { draining: draining.signal });
  app.server.on('request', () => (arrived += 1));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const connection = once(app.server, 'connection');
  const client = connect(Number(new URL(address).port), '127.0.0.1');
  client.on('error', () => {});
  onTestFinished(() => void client.destroy());
  const [socket] = await connection;
  return {
    app,
    client,
    socket,
    runs,
    arrived: () => arrived,
    whenRun: (then: typeof onRun) => void (onRun = then),
    drain: () => draining.abort(),
    /** Resolves once a number of requests have been run. */
    run: (count: number) => until(() => runs.length >= count, `request ${count}`),
    answer: (index: number, text = '') => void runs[index]![1].end(text),
  };
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;
const patch = (body: string) =>
  `PATCH /one HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

it('are run one after the other, in their order', async () => {
  const { client, runs, run, answer, arrived } = await started();
  client.write(get('/slow') + patch('first') + patch('second'));
  await until(() => arrived() === 3, 'three requests');
  expect(runs.map(([{ url }]) => url)).toEqual(['/slow']);
  answer(0);
  await run(2);
  expect(await textOf(runs[1]![0])).toBe('first');
  expect(runs).toHaveLength(2);
  answer(1);
  await run(3);
  expect(await textOf(runs[2]![0])).toBe('second');
});

it('are never run at once, and all answered in their order', async () => {
  const { client, whenRun } = await started();
  let running = 0;
  let most = 0;
  whenRun((request, response) => {
    most = Math.max(most, (running += 1));
    response.once('close', () => (running -= 1));
    setImmediate(() => response.end(request.url));
  });
  const paths = Array.from({ length: 200 }, (_, n) => `/${n}`);
  client.write(paths.map(get).join(''));
  client.write(`GET /last HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
  const answered = (await textOf(client)).match(/(?<=\r\n\r\n)\/(\d+|last)/g);
  expect(answered).toEqual([...paths, '/last']);
  expect(most).toBe(1);
});

it('give other connections their turn between two of them', async () => {
  const { app, client, whenRun } = await started();
  const { port } = app.server.address() as { readonly port: number };
  const other = connect(port, '127.0.0.1');
  onTestFinished(() => void other.destroy());
  await once(other, 'connect');
  const order: string[] = [];
  whenRun(({ url = '' }, response) => {
    order.push(url);
    if (url === '/0') other.write(get('/other'));
    response.end();
  });
  client.write(Array.from({ length: 500 }, (_, n) => get(`/${n}`)).join(''));
  await until(() => order.length === 501, 'all requests');
  expect(order.indexOf('/other')).toBeLessThan(250);
});

it('are not run after the client has left', async () => {
  const { client, socket, runs, run, arrived } = await started();
  client.write(get('/slow') + patch('first') + get('/second'));
  await until(() => arrived() === 3, 'three requests');
  await run(1);
  const closed = once(socket, 'close');
  client.destroy();
  await closed;
  await new Promise(setImmediate);
  expect(runs).toHaveLength(1);
});

it('are not run after the connection was cut in the turn in which they would be', async () => {
  const { client, socket, runs, run, answer, arrived } = await started();
  client.write(get('/slow') + get('/second'));
  await until(() => arrived() === 2, 'two requests');
  await run(1);
  runs[0]![1].once('finish', () => socket.destroy());
  answer(0);
  await once(socket, 'close');
  await new Promise(setImmediate);
  expect(runs).toHaveLength(1);
});

it('are not run after an answer that ends the connection', async () => {
  const { client, runs, run, answer, arrived, drain } = await started();
  client.write(get('/slow') + patch('x'));
  await until(() => arrived() === 2, 'two requests');
  await run(1);
  drain();
  answer(0, 'answered');
  expect(await textOf(client)).toMatch(/^HTTP\/1.1 200 [^]*connection: close[^]*answered$/i);
  expect(runs).toHaveLength(1);
});

it('are read no further while many of them wait', async () => {
  const { client, whenRun, runs, run, answer, arrived, socket } = await started();
  const padded = `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(8_000)}\r\n\r\n`;
  const count = 1_000;
  client.write(padded.repeat(count));
  await run(1);
  await until(() => arrived() > PIPELINED_WAITING_MAX && socket.isPaused(), 'the pause');
  expect(arrived()).toBeLessThan(count / 4);
  whenRun((_, response) => void response.end());
  answer(0);
  await run(count);
  expect(runs).toHaveLength(count);
  await until(() => pendingAnswers(socket).size === 0, 'all answers');
});

it('are read no further while an answer before them goes out', async () => {
  const { client, run, runs, arrived, socket } = await started();
  client.pause();
  client.write(get('/large'));
  await run(1);
  const [, response] = runs[0]!;
  const bytes = 16 * 1024 * 1024;
  expect(response.write(Buffer.alloc(bytes))).toBe(false);
  client.write(get('/').repeat(PIPELINED_MAX / 4));
  await until(() => arrived() > PIPELINED_WAITING_MAX && socket.isPaused(), 'the pause');
  const before = arrived();
  client.write(get('/').repeat(PIPELINED_MAX / 4));
  const drained = once(response, 'drain');
  let received = 0;
  client.on('data', (chunk: Buffer) => (received += chunk.length)).resume();
  await drained;
  response.write(Buffer.alloc(bytes));
  await until(() => received > 2 * bytes, 'the answer');
  expect(arrived()).toBe(before);
  // What is not read does not notice that the client has left.
  socket.destroy();
});

it('end the connection if too many of them have been sent', async () => {
  const { client, run, runs, arrived, socket } = await started();
  const closed = once(socket, 'close');
  client.write(get('/').repeat(10 * PIPELINED_MAX));
  await closed;
  await run(1);
  expect(arrived()).toBeGreaterThan(PIPELINED_MAX);
  expect(runs).toHaveLength(1);
});

it('are not read before their turn, and then have the whole time to arrive', async () => {
  const late = Promise.withResolvers<unknown>();
  const parts = { late: late.resolve, receiveMaxMs: 20 };
  const { client, socket, run, answer, arrived } = await started(parts);
  const timeout = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
  const answers = textOf(client);
  client.write(`${get('/slow')}PATCH / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nbegun`);
  await until(() => arrived() === 2, 'two requests');
  brokenRequest(timeout, socket);
  expect([socket.writable, socket.bytesWritten]).toEqual([true, 0]);
  answer(0);
  await run(2);
  expect(await late.promise).toBe(socket);
  brokenRequest(timeout, socket);
  expect(await answers).toMatch(/^HTTP\/1.1 200 [^]*HTTP\/1\.1 408 /);
});

it('are asked for their body when it is their turn', async () => {
  const { client, runs, run, answer, arrived } = await started();
  const answers = textOf(client);
  const head = 'connection: close\r\nexpect: 100-continue\r\ncontent-length: 5\r\n';
  client.write(`${get('/slow')}PATCH / HTTP/1.1\r\nhost: a\r\n${head}\r\n`);
  await until(() => arrived() === 2, 'two requests');
  answer(0, 'first');
  await run(2);
  client.write('whole');
  answer(1, await textOf(runs[1]![0]));
  expect(await answers).toMatch(
    /^HTTP\/1.1 200 [^]*firstHTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 [^]*whole$/,
  );
});

it('with a body that has arrived in time are not late', async () => {
  const late: unknown[] = [];
  const parts = { late: (socket: unknown) => late.push(socket), receiveMaxMs: 1 };
  const { app, client, runs, run, answer } = await started(parts);
  const requests: IncomingMessage[] = [];
  app.server.on('request', (request) => requests.push(request));
  client.write(get('/slow') + patch('whole'));
  await until(() => requests[1]?.complete === true, 'the body');
  answer(0);
  await run(2);
  expect(await textOf(runs[1]![0])).toBe('whole');
  expect(late).toEqual([]);
});

it('do not hand over the connection to a WebSocket before they are answered', async () => {
  const { app, client, runs, run, answer, arrived } = await started();
  const upgraded: string[] = [];
  app.server.on('upgrade', ({ url = '' }, socket) => {
    upgraded.push(url);
    socket.end();
  });
  const live = (n: number) =>
    `GET /socket.io/?${n} HTTP/1.1\r\nhost: a\r\n` +
    'connection: upgrade\r\nupgrade: websocket\r\n\r\n';
  client.write(get('/slow') + live(1));
  await until(() => arrived() === 2, 'two requests');
  await run(1);
  answer(0);
  await run(2);
  expect([runs[1]![0].url, upgraded]).toEqual(['/socket.io/?1', []]);
  const answered = once(runs[1]![1], 'close');
  answer(1);
  await answered;
  client.write(live(2));
  await until(() => upgraded.length > 0, 'the upgrade');
  expect(upgraded).toEqual(['/socket.io/?2']);
});
