/** `atrium listen`: a building's live events, as webhooks to a local receiver. */
import { existsSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../packages/cli/src/exit-codes.ts';
import { verifyWebhook, type ReceivedWebhook } from '../../packages/sdk/src/index.ts';
import { testApi } from '../support/api/api.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { runAtrium, startAtrium } from '../support/servers/cli.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';

const platform = testApi();
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
let buildingId: string;
let pointId: string;
const received: ReceivedWebhook[] = [];
const receivedHeaders: IncomingHttpHeaders[] = [];
/** The status that a webhook is answered with. */
const statusFor = async (request: IncomingMessage): Promise<number> => {
  const { headers, url } = request;
  const body = await text(request);
  new Webhook(SECRET).verify(body, headers as Record<string, string>);
  received.push(await verifyWebhook(body, headers, SECRET));
  receivedHeaders.push(headers);
  return url === '/fails' ? 500 : 204;
};
const receiver = createServer((request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(400).end(),
  );
});
let receiverUrl: string;

beforeAll(async () => {
  buildingId = await platform.importBuilding();
  const points = await platform
    .as('manager@acme.test')
    .get(`/api/v1/buildings/${buildingId}/points?limit=1`);
  pointId = points.body.items[0].id;
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

/** A receiver of one test, which verifies what it gets and keeps it. */
const openReceiver = async (status: () => number, kept: ReceivedWebhook[]) => {
  let answer = status;
  const take = async (request: IncomingMessage): Promise<number> => {
    kept.push(await verifyWebhook(await text(request), request.headers, SECRET));
    return answer();
  };
  const server = createServer((request, response) => {
    take(request).then(
      (code) => response.writeHead(code).end(),
      () => response.writeHead(400).end(),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, answer: (now: () => number) => void (answer = now) };
};

const valueOf = (webhook: ReceivedWebhook) =>
  webhook.event === 'building.point.updated' ? webhook.data.value : null;

const observe = (value: number) =>
  platform.as('manager@acme.test').post(`/api/v1/buildings/${buildingId}/observations`, {
    observations: [{ pointId, value }],
  });

const environment = async () => ({
  ATRIUM_URL: platform.address,
  ATRIUM_TOKEN: await platform.issuer.tokenOf('viewer@acme.test'),
  XDG_CONFIG_HOME: temporaryDirectory('cli'),
});

/** A command that listens; it is ended with the test. */
const listening = async (...words: readonly string[]) => {
  const command = startAtrium(await environment(), 'listen', ...words);
  onTestFinished(() => void command.process.kill('SIGKILL'));
  const lines = () =>
    command
      .out()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const line = async (at: number) => {
    const come = () => lines().length > at || command.process.exitCode !== null;
    await until(come, `line ${at}`);
    return lines()[at];
  };
  return { command, line };
};

it('posts live events, signed as webhooks are, and again from a position', async () => {
  const { command, line } = await listening('--forward-to', receiverUrl, '--secret', SECRET);
  expect(await line(0)).toEqual({ buildingId, forwardTo: receiverUrl, secret: SECRET });
  await observe(21);
  const first = await line(1);
  expect(first).toMatchObject({ event: 'building.point.updated', status: 204, error: null });
  expect(received[0]).toMatchObject({
    event: 'building.point.updated',
    data: { buildingId, pointId, value: 21 },
    attempt: 1,
    idempotencyKey: first!['idempotencyKey'],
  });
  expect(receivedHeaders[0]).toMatchObject({
    'ce-specversion': '1.0',
    'ce-id': receivedHeaders[0]!['webhook-id'],
    'ce-source': platform.address,
    'ce-type': 'building.point.updated',
    'ce-time': received[0]!.timestamp,
    'ce-subject': buildingId,
  });
  await observe(22);
  const second = await line(2);
  command.process.kill('SIGINT');
  expect(await command.ended).toMatchObject({
    code: exitCodes.interrupted,
    err: expect.stringMatching(/^atrium: ended; every event was delivered$/m),
  });

  const since = String(first!['position']);
  const words = `--since ${since} --secret ${SECRET} --building ${buildingId} --count 1
    --attempts 1 --forward-to ${receiverUrl}/fails`;
  const again = await listening(...words.split(/\s+/));
  expect(await again.line(1)).toMatchObject({
    ...second,
    status: 500,
    durationMs: expect.any(Number),
  });
  expect(await again.command.ended).toMatchObject({
    code: exitCodes.failed,
    err: expect.stringMatching(/^atrium: 1 event was not delivered; use --resend FILE/m),
  });
  expect(received.map(valueOf)).toEqual([21, 22, 22]);
});

it('generates a secret, and continues without a receiver', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const { line } = await listening('--forward-to', nowhere, '--attempts', '1');
  expect((await line(0))!['secret']).toMatch(/^whsec_[\w+/]{43}=$/);
  for (const [at, value] of [1, 2].entries()) {
    await observe(value);
    expect(await line(at + 1)).toMatchObject({
      status: null,
      error: expect.stringMatching(/.+/),
      retryInMs: null,
    });
  }
});

it('delivers events from an outage of the receiver, under the same keys', async () => {
  const kept: ReceivedWebhook[] = [];
  const away = await openReceiver(() => 503, kept);
  const { command, line } = await listening('--forward-to', away.url, '--secret', SECRET);
  await line(0);
  await observe(31);
  await observe(32);
  expect(await line(1)).toMatchObject({ attempt: 1, status: 503, retryInMs: 1_000 });
  await until(() => kept.length >= 2, 'both');
  away.answer(() => 204);
  const delivered = () =>
    command
      .out()
      .split('\n')
      .filter((text) => text.includes('"status":204'));
  await until(() => delivered().length === 2, 'the deliveries');
  const keysOf = (value: number) =>
    new Set(kept.filter((one) => valueOf(one) === value).map((one) => one.idempotencyKey));
  for (const value of [31, 32]) expect(keysOf(value).size).toBe(1);
  const last = kept.findLast((one) => valueOf(one) === 31)!;
  expect(last.attempt).toBeGreaterThan(1);
  command.process.kill('SIGTERM');
  expect(await command.ended).toMatchObject({ code: exitCodes.terminated });
});

it('lists undelivered events at its end, and sends them first the next time', async () => {
  const file = join(temporaryDirectory('cli'), 'undelivered.ndjson');
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const options = ['--secret', SECRET, '--resend', file];
  const { command, line } = await listening('--forward-to', nowhere, ...options);
  await line(0);
  await observe(41);
  const first = (await line(1))!;
  command.process.kill('SIGINT');
  const ended = await command.ended;
  expect(ended).toMatchObject({
    code: exitCodes.interrupted,
    err: expect.stringContaining(
      `atrium: ended; 1 event was not delivered; ` +
        `the same command with --resend ${file} sends them first\n`,
    ),
  });
  const { position, event } = first;
  expect(JSON.parse(ended.out.trimEnd().split('\n').at(-1)!)).toEqual({
    undelivered: true,
    event,
    position,
    timestamp: expect.any(String),
  });

  const kept: ReceivedWebhook[] = [];
  const back = await openReceiver(() => 204, kept);
  const again = await listening('--forward-to', back.url, ...options);
  await until(() => kept.length === 1, 'what was kept');
  expect(kept[0]).toMatchObject({
    data: { value: 41 },
    idempotencyKey: first['idempotencyKey'],
  });
  // It is printed once the receiver has answered.
  await until(() => again.command.out().includes('"status":204'), 'the delivery');
  again.command.process.kill('SIGINT');
  expect((await again.command.ended).code).toBe(exitCodes.interrupted);
  expect(existsSync(file)).toBe(false);
});

it('ends where the server will not let it listen', async () => {
  const building = '00000000-0000-4000-8000-000000000000';
  const words = ['listen', '--building', building, '--forward-to', receiverUrl];
  const refused = await runAtrium(await environment(), ...words);
  expect(refused).toEqual({
    code: 1,
    out: '',
    err: 'atrium: the live service refused the request (NOT_FOUND)\n',
  });
  const badToken = await runAtrium({ ...(await environment()), ATRIUM_TOKEN: 'x' }, ...words);
  expect(badToken).toMatchObject({ code: 4, out: '' });
});
