/** The S3 client with a server that gives scripted answers. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Dispatcher } from 'undici';
import { afterEach, expect, it } from 'vitest';
import { s3Client, type S3Client } from '../../../src/files/s3/client.ts';
import { abandon, sendToS3, type S3Reply } from '../../../src/files/s3/request.ts';
import { S3_CONNECTIONS_MAX } from '../../../src/files/limits.ts';
import { listed } from '../../../src/files/s3/listing.ts';
import { s3AddressOf } from '../../../src/files/place.ts';

const open: (Server | S3Client)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections();
    await one.close();
  }
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Each request gets the next answer, and the last one again. */
const serverOf = (...answers: readonly Answer[]) => serving(answers, 60_000);
const serving = async (answers: readonly Answer[], silentMaxMs: number) => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answers[Math.min(requests.length, answers.length) - 1]!(request, response);
  });
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = s3Client({
    address: s3AddressOf(`s3://bucket?endpoint=${endpoint}`),
    credentials: { accessKeyId: 'id', secretAccessKey: 'hidden' },
    silentMaxMs,
  });
  open.push(client);
  return { client, requests };
};

const status =
  (code: number, body = ''): Answer =>
  (request, response) => {
    request.resume();
    response.writeHead(code).end(body);
  };
const xml = (code: string) => `<Error><Code>${code}</Code><Message>text</Message></Error>`;
const cut: Answer = (request) => request.socket.destroy();
const get = { method: 'GET', key: 'key' } as const;

const parts = {
  address: s3AddressOf('s3://bucket?endpoint=http://127.0.0.1:1'),
  credentials: { accessKeyId: 'id', secretAccessKey: 'hidden' },
  silentMaxMs: 60_000,
};
/** A pool that answers when the test does. */
const poolOf = () => {
  const { promise, resolve: answered } = Promise.withResolvers<Dispatcher.ResponseData>();
  const { promise: isSent, resolve: seen } = Promise.withResolvers<void>();
  let sent = 0;
  const request = () => {
    sent += 1;
    seen();
    return promise;
  };
  return { pool: { request } as never, answered, isSent, sent: () => sent };
};

const body = {
  bytes: 200_000,
  sha256: 'a'.repeat(64),
  async *chunks() {
    for (let at = 0; at < 4; at += 1) yield Buffer.alloc(50_000);
  },
};

it.each([503, 500, 429])('retries a request answered with %d', async (code) => {
  const { client, requests } = await serverOf(status(code, xml('SlowDown')), status(200));
  expect(await client.send(get)).toMatchObject({ status: 200 });
  expect(requests).toHaveLength(2);
});

it('repeats a lost connection, with the whole body', async () => {
  let received = 0;
  const counting: Answer = (request, response) => {
    request.on('data', (chunk: Buffer) => (received += chunk.length));
    request.on('end', () => response.writeHead(200).end());
  };
  const { client } = await serverOf(cut, counting);
  expect(await client.send({ method: 'PUT', key: 'key', body })).toMatchObject({ status: 200 });
  expect(received).toBe(body.bytes);
});

it('gives up after four attempts', async () => {
  const { client, requests } = await serverOf(status(503, xml('ServiceUnavailable')));
  expect(await client.send(get)).toEqual({
    failure: expect.stringMatching(/^the S3 bucket bucket at .*answered 503 ServiceUnavailable$/),
    code: 'ServiceUnavailable',
  });
  expect(requests).toHaveLength(4);
});

it.each([
  ['RequestTimeTooSkewed', 'clock'],
  ['SignatureDoesNotMatch', 'AWS_SECRET_ACCESS_KEY'],
  ['AccessDenied', 'may not do this'],
])('reports the meaning of %s without a retry', async (code, means) => {
  const { client, requests } = await serverOf(status(403, xml(code)));
  expect(await client.send(get)).toEqual({ failure: expect.stringContaining(means), code });
  expect(requests).toHaveLength(1);
});

it('ends where the server is silent, and where it stops to read', async () => {
  const { client } = await serving([() => {}], 500);
  const once = { attemptsMax: 1 };
  const silent = { failure: expect.stringContaining('no answer within 0.5 s'), code: null };
  expect(await client.send(get, once)).toEqual(silent);
  const endless = {
    ...body,
    bytes: 1e9,
    async *chunks() {
      for (;;) yield Buffer.alloc(50_000);
    },
  };
  expect(await client.send({ method: 'PUT', key: 'key', body: endless }, once)).toEqual(silent);
});

it('ends at its deadline, though the server sends now and then', async () => {
  const { client } = await serverOf((request, response) => {
    request.resume();
    const timer = setInterval(() => response.writeProcessing(), 100);
    response.on('close', () => clearInterval(timer));
  });
  const answer = await client.send(get, { withinMs: 300 });
  expect(answer).toEqual({ failure: expect.stringContaining('timeout'), code: null });
});

it('ends at its deadline while it waits for a connection, which it leaves to others', async () => {
  const { client, requests } = await serverOf((_request, response) => {
    response.writeHead(200).write('x');
  });
  const unread = Array.from({ length: S3_CONNECTIONS_MAX }, () => client.send(get));
  const [first] = (await Promise.all(unread)) as S3Reply[];
  const answer = await client.send(get, { withinMs: 300 });
  expect(answer).toEqual({ failure: expect.stringContaining('timeout'), code: null });
  abandon(first!);
  expect(await client.send(get)).toMatchObject({ status: 200 });
  expect(requests).toHaveLength(S3_CONNECTIONS_MAX + 1);
});

it('sends nothing where its deadline has passed while the request was signed', async () => {
  const { pool, sent } = poolOf();
  const late = AbortSignal.abort(new Error('late'));
  await expect(sendToS3({ ...parts, pool }, get, late)).rejects.toThrow('late');
  expect(sent()).toBe(0);
});

it('closes an answer that arrives after its deadline', async () => {
  const { pool, answered, isSent } = poolOf();
  const deadline = new AbortController();
  const sending = sendToS3({ ...parts, pool }, get, deadline.signal);
  await isSent;
  deadline.abort(new Error('late'));
  await expect(sending).rejects.toThrow('late');
  const body = new PassThrough();
  answered({ statusCode: 200, headers: {}, body } as never);
  await once(body, 'close');
});

it('has no deadline for reading the body of an answer', async () => {
  const { client } = await serverOf((_request, response) => {
    response.writeHead(200);
    let left = 25;
    const timer = setInterval(() => {
      left -= 1;
      response.write('x');
      if (left === 0) response.end(() => clearInterval(timer));
    }, 100);
  });
  const reply = (await client.send(get, { withinMs: 2_000 })) as S3Reply;
  expect(await reply.body.text()).toBe('x'.repeat(25));
});

it('reads a listing page by page, and refuses a truncated one', async () => {
  const page = (key: string, token: string) =>
    `<ListBucketResult><Contents><Key>${key}</Key></Contents>${token}</ListBucketResult>`;
  const { client, requests } = await serverOf(
    status(200, page('a&amp;b', '<NextContinuationToken>1&amp;2+/=</NextContinuationToken>')),
    status(200, page('c', '')),
  );
  const pages = await Array.fromAsync(listed(client, { prefix: 'p/' }));
  expect(pages).toEqual([['a&b'], ['c']]);
  const second = new URL(requests[1]!.url!, 'http://x').searchParams;
  expect(second.get('continuation-token')).toBe('1&2+/=');

  const broken = await serverOf(status(200, '<ListBucketResult><Contents><Key>a</Key>'));
  await expect(Array.fromAsync(listed(broken.client, { prefix: '' }))).rejects.toThrow('complete');
});
