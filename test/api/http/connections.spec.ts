import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { endConnections } from '../../../src/api/http/connections.ts';
import { until } from '../../support/until.ts';

/** A server that answers on demand, and the requests that it has received. */
const server = async () => {
  const app = fastify({ return503OnClosing: false });
  const asked = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const draining = new AbortController();
  endConnections(app, { draining: draining.signal });
  app.get('/', async () => {
    asked.resolve();
    await mayAnswer.promise;
    return 'answered';
  });
  app.get('/streamed', async (_request, reply) => {
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.write('begun');
    reply.hijack();
    asked.resolve();
    await mayAnswer.promise;
    reply.raw.end();
  });
  app.server.on('upgrade', (_request, socket) => {
    socket.on('end', () => socket.end()).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const connection = async (): Promise<Socket> => {
    const arrived = once(app.server, 'connection');
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    // A connection that the server resets has ended, too.
    socket.on('error', () => socket.destroy());
    onTestFinished(() => void socket.destroy());
    await arrived;
    return socket;
  };
  /** Begins the stop; resolves when Node has looked for idle connections for the last time. */
  const stop = async () => {
    const closed = app.close();
    await until(() => !app.server.listening, 'the end of listening');
    return { closed };
  };
  return { app, address, asked, mayAnswer, stop, connection, drain: () => draining.abort() };
};

/** The response over a keep-alive connection. */
const keptAlive = async (url: string): Promise<IncomingMessage> => {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [answer] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  return answer;
};

it('does not wait for clients without a complete request', async () => {
  const { app, connection } = await server();
  const silent = await connection();
  const slow = await connection();
  slow.write('GET / HTTP/1.1\r\nhost: here\r\n');
  const ended = Promise.all([once(silent.resume(), 'close'), once(slow.resume(), 'close')]);
  await app.close();
  await ended;
});

it('answers waiting clients, and closes the connection with the answer', async () => {
  const { address, asked, mayAnswer, stop } = await server();
  const answer = keptAlive(address);
  await asked.promise;
  const { closed } = await stop();
  mayAnswer.resolve();
  expect((await answer).headers.connection).toBe('close');
  expect(await textOf(await answer)).toBe('answered');
  await closed;
});

it('closes each connection with its next answer while draining, and accepts new ones', async () => {
  const { app, address, asked, mayAnswer, drain } = await server();
  const before = keptAlive(address);
  await asked.promise;
  drain();
  mayAnswer.resolve();
  for (const answer of [await before, await keptAlive(address), await keptAlive(`${address}/no`)]) {
    expect(answer.headers.connection).toBe('close');
    answer.resume();
  }
  await app.close();
});

it('answers requests over open connections while it stops', async () => {
  const { address, asked, mayAnswer, stop, connection } = await server();
  const kept = await connection();
  const waiting = keptAlive(address);
  await asked.promise;
  const { closed } = await stop();
  kept.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  mayAnswer.resolve();
  expect(await textOf(kept)).toMatch(/^HTTP\/1.1 200 OK\r\n[^]*connection: close[^]*answered$/i);
  (await waiting).resume();
  await closed;
});

it('ends the connection of an answer that had begun before, when it is whole', async () => {
  const { address, asked, mayAnswer, stop } = await server();
  const answer = keptAlive(`${address}/streamed`);
  await asked.promise;
  expect((await answer).headers.connection).toBe('keep-alive');
  const { closed } = await stop();
  mayAnswer.resolve();
  expect(await textOf(await answer)).toBe('begun');
  await closed;
});

it('does not wait for clients that disconnected before the answer', async () => {
  const { stop, asked, mayAnswer, connection } = await server();
  const gone = await connection();
  gone.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  await asked.promise;
  gone.destroy();
  const { closed } = await stop();
  mayAnswer.resolve();
  await closed;
});

it('leaves connections alone that have been handed to another protocol', async () => {
  const { app, connection } = await server();
  const upgraded = await connection();
  upgraded.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  const [head] = (await once(upgraded, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/ 101 /);
  const silent = await connection();
  const closed = app.close();
  await once(silent.resume(), 'close');
  expect(upgraded.closed).toBe(false);
  upgraded.destroy();
  await closed;
});
