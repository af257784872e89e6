/** Input that is no valid request, on a connection with earlier requests. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text as textOf } from 'node:stream/consumers';
import fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { brokenRequest, lateRequest } from '../../../src/api/http/broken-requests.ts';
import { endConnections } from '../../../src/api/http/connections.ts';

const FILE = Buffer.alloc(16 * 1024 * 1024, 'a');

const started = async () => {
  const app = fastify({ clientErrorHandler: brokenRequest });
  endConnections(app, { draining: new AbortController().signal });
  const mayAnswer = Promise.withResolvers<void>();
  app.get('/file', async () => Readable.from([FILE]));
  app.get('/whole', async () => FILE);
  app.get('/slow', async () => {
    await mayAnswer.promise;
    return 'answered';
  });
  app.post('/body', async () => 'received');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const client = connect(Number(new URL(address).port), '127.0.0.1');
  client.on('error', () => {});
  onTestFinished(() => void client.destroy());
  const broken = once(app.server, 'clientError');
  return { app, client, broken, answer: () => mayAnswer.resolve() };
};

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

it('is not answered in the middle of another answer', async () => {
  const { client, broken } = await started();
  client.write(get('/file'));
  await once(client, 'readable');
  client.write('nonsense\r\n\r\n');
  await broken;
  const received: Buffer[] = [];
  client.on('data', (chunk: Buffer) => received.push(chunk));
  await once(client, 'close');
  const answer = Buffer.concat(received);
  const body = answer.subarray(answer.indexOf('\r\n\r\n'));
  expect(body.includes('HTTP/1.1')).toBe(false);
  expect(body.includes('problem')).toBe(false);
});

it.each([
  ['that is no HTTP', 'nonsense\r\n\r\n'],
  ['whose headers are too large', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
])('%s is not the answer to the request before, which ends the connection', async (_, input) => {
  const { client, broken, answer } = await started();
  client.write(get('/slow') + input);
  await broken;
  answer();
  expect(await textOf(client)).toMatch(/^HTTP\/1.1 200 [^]*connection: close[^]*answered$/i);
});

it('in the body of a request is answered with a problem', async () => {
  const { client } = await started();
  const type = 'content-type: application/json\r\ntransfer-encoding: chunked';
  client.write(`POST /body HTTP/1.1\r\nhost: a\r\n${type}\r\n\r\nnonsense`);
  expect(String(await buffer(client))).toMatch(/^HTTP\/1.1 400 [^]*not valid HTTP/);
});

it('that does not arrive in time ends its connection, though its client does not', async () => {
  const { app, client } = await started();
  client.allowHalfOpen = true;
  const arrived = once(app.server, 'request');
  const type = 'content-type: application/json\r\ncontent-length: 9';
  client.write(`POST /body HTTP/1.1\r\nhost: a\r\n${type}\r\n\r\nbegun`);
  const [request] = await arrived;
  const closed = once(request.socket, 'close');
  lateRequest(request.socket);
  expect(await textOf(client)).toMatch(/^HTTP\/1.1 408 [^]*did not arrive in time/);
  await closed;
  expect(request.complete).toBe(false);
});

it('does not cut the whole answer before it', async () => {
  const { client, broken } = await started();
  client.write(get('/whole'));
  await once(client, 'readable');
  client.write('nonsense\r\n\r\n');
  await broken;
  const answer = await buffer(client);
  expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(FILE.length);
});
