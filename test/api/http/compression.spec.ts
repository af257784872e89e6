import { once } from 'node:events';
import { get, request as httpRequest, type IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { compressor, compressResponses } from '../../../src/api/http/compression.ts';
import { COMPRESSED_BYTES_MIN, COMPRESSIONS_AT_ONCE_MAX } from '../../../src/api/http/limits.ts';

const long = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

const serving = async (routes: (app: FastifyInstance) => void, compress = compressor()) => {
  const app = fastify();
  compressResponses(app, compress);
  routes(app);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  /** The response as sent over the wire: `fetch` would unpack it. */
  const ask = async (path: string, accepted?: string, method = 'GET') => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const sent = httpRequest(`${address}${path}`, { method, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { headers: answer.headers, body: await buffer(answer) };
  };
  return { address, ask };
};

/** A server that always answers this. */
const answering = (type: string, text: string, config: { answersSecret?: true } = {}) =>
  serving((app) => {
    app.get('/', { config }, async (_request, reply) => reply.type(type).send(text));
  });

it.each([
  'application/json; charset=utf-8',
  'application/problem+json',
  'application/x-ndjson',
  'text/csv; charset=utf-8',
])('is of %s', async (type) => {
  const text = long(COMPRESSED_BYTES_MIN);
  const { ask } = await answering(type, text);
  const brotli = await ask('/', 'br, gzip');
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  expect(Number(brotli.headers['content-length'])).toBe(brotli.body.length);
  expect(brotliDecompressSync(brotli.body).toString()).toBe(text);
  const gzip = await ask('/', 'gzip');
  expect(gzip.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzip.body).toString()).toBe(text);
  // A client without Accept-Encoding gets it uncompressed, and `Vary` informs caches.
  const plain = await ask('/');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.headers.vary).toBe('accept-encoding');
  expect(plain.body.toString()).toBe(text);
});

it.each([
  ['what is smaller', 'application/json', long(COMPRESSED_BYTES_MIN - 1), {}],
  ['other types', 'image/png', long(5_000), {}],
  ['what holds a secret', 'application/json', long(5_000), { answersSecret: true as const }],
])('leaves %s alone', async (_, type, text, config) => {
  const { ask } = await answering(type, text, config);
  const { headers, body } = await ask('/', 'br, gzip');
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers.vary).toBeUndefined();
  expect(body.toString()).toBe(text);
});

it('does not compress again', async () => {
  const { ask } = await serving((app) => {
    app.get('/', async (_request, reply) =>
      reply.type('application/json').header('content-encoding', 'zstd').send(long(5_000)),
    );
  });
  const { headers, body } = await ask('/', 'gzip');
  expect(headers['content-encoding']).toBe('zstd');
  expect(body.toString()).toBe(long(5_000));
});

it('answers a HEAD with the headers of a GET', async () => {
  const { ask } = await answering('application/json', long(5_000));
  const names = ['content-encoding', 'content-length', 'vary'] as const;
  const headersOf = async (method: string) => {
    const { headers, body } = await ask('/', 'gzip', method);
    return { values: names.map((name) => headers[name]), bytes: body.length };
  };
  const whole = await headersOf('GET');
  expect(whole.values[0]).toBe('gzip');
  expect(await headersOf('HEAD')).toEqual({ values: whole.values, bytes: 0 });
});

it('keeps other members of Vary', async () => {
  const { ask } = await serving((app) => {
    app.get('/', async (_request, reply) =>
      reply.type('application/json').header('vary', 'Origin').send(long(5_000)),
    );
  });
  expect((await ask('/', 'gzip')).headers.vary).toBe('Origin, accept-encoding');
});

it('has a concurrency limit for all servers, beyond which answers are uncompressed', async () => {
  const text = long(100_000);
  const asked = COMPRESSIONS_AT_ONCE_MAX + 2;
  // They are answered in one turn of the event loop, in which none is done.
  const allCame = Promise.withResolvers<void>();
  let came = 0;
  const routes = (app: FastifyInstance) => {
    app.get('/', async (_request, reply) => {
      if ((came += 1) === asked) allCame.resolve();
      await allCame.promise;
      return reply.type('application/json').send(text);
    });
  };
  const compress = compressor();
  const servers = [await serving(routes, compress), await serving(routes, compress)] as const;
  const [{ ask }] = servers;
  const answers = await Promise.all(
    Array.from({ length: asked }, (_, n) => servers[n % 2]!.ask('/', 'gzip')),
  );
  const plain = answers.filter(({ headers }) => headers['content-encoding'] === undefined);
  expect(plain).toHaveLength(2);
  for (const { body } of plain) expect(body.length).toBe(text.length);
  // The places are free again.
  expect((await ask('/', 'gzip')).headers['content-encoding']).toBe('gzip');
});

const streaming = async () => {
  const parts = new PassThrough();
  const { address } = await serving((app) => {
    app.get('/', async (_request, reply) => reply.type('application/x-ndjson').send(parts));
  });
  const asked = get(address, { headers: { 'accept-encoding': 'gzip' }, agent: false });
  asked.on('error', () => asked.destroy());
  parts.write('{"n":1}\n');
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const read = answer.pipe(createGunzip());
  return { parts, answer, read };
};

it('flushes a stream without delay', async () => {
  const { parts, answer, read } = await streaming();
  expect(answer.headers['content-encoding']).toBe('gzip');
  expect(String(await once(read, 'data'))).toBe('{"n":1}\n');
  parts.write('{"n":2}\n');
  expect(String(await once(read, 'data'))).toBe('{"n":2}\n');
  parts.end();
  await once(read, 'end');
});

it('ends the stream of a disconnected client', async () => {
  const { parts, answer, read } = await streaming();
  await once(read, 'data');
  const ended = new Promise((resolve) => parts.once('close', resolve));
  answer.destroy();
  await ended;
});

it('does not end a stream as if it were whole that breaks off', async () => {
  const { parts, answer, read } = await streaming();
  await once(read, 'data');
  const broken = once(answer, 'error');
  parts.destroy(new Error('the next page cannot be read'));
  await broken;
});
