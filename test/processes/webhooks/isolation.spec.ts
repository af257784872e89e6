/** A receiver that misbehaves is its own misfortune: no other one is served later for it. */
import { createGzip } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { testApi } from '../../support/api/api.ts';
import { receiver } from '../../support/outbound/receivers.ts';
import { until } from '../../support/until.ts';
import { inbox } from '../../support/webhooks/inbox.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const api = testApi(() => ({ untrustedHttp: untrustedHttp({ allowPrivate: true }) }));
const manager = api.as('manager@acme.test');
const WEBHOOKS = '/api/v1/webhooks';
const subscribed = async (url: string, over: object = {}) => {
  const wanted = { url, events: ['building.point.updated'], ...over };
  const { status, body } = await manager.post(WEBHOOKS, wanted);
  expect(status).toBe(201);
  return `${WEBHOOKS}/${body.webhookId}`;
};
/** So many receivers in this very process are slow on a machine at work. */
const attempts = async (at: string) => (await manager.get(`${at}/deliveries`)).body.items;

const drips = (response: ServerResponse) => {
  const timer = setInterval(() => response.write('a'), 50);
  response.on('close', () => clearInterval(timer));
};
const floods = (response: ServerResponse) => {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const flood = () => {
    while (response.write(chunk));
    response.once('drain', flood);
  };
  flood();
};
const bombs = (response: ServerResponse) => {
  response.setHeader('content-encoding', 'gzip');
  const bomb = createGzip();
  bomb.pipe(response);
  bomb.end(Buffer.alloc(10 * 1024 * 1024));
};

it('records each by name, while all others are served', async () => {
  const misbehaving: readonly [(response: ServerResponse) => unknown, object][] = [
    [() => {}, { error: 'timeout', httpCode: null }],
    [drips, { error: null, httpCode: 200, responseBody: /^a+$/ }],
    [floods, { error: null, httpCode: 200, responseBody: 'a'.repeat(1_024) }],
    [bombs, { error: null, httpCode: 200 }],
    [(response) => response.socket?.destroy(), { error: 'closed_early', httpCode: null }],
    [(response) => response.socket?.end('garbage\r\n\r\n'), { error: 'protocol_error' }],
    [(response) => response.writeHead(307, { location: '/a' }).end(), { error: 'redirect' }],
  ];
  const theirs: string[] = [];
  const buildingId = await api.importBuilding();
  for (const [misbehave] of misbehaving) {
    const { url } = await receiver((_, response) => misbehave(response));
    theirs.push(await subscribed(url, { buildingId }));
  }
  const hanging = await receiver(() => {}, '127.0.0.2');
  for (let count = 0; count < 10; count += 1) await subscribed(`${hanging.url}${count}`);
  const healthy = await inbox();
  await subscribed(healthy.url);

  await tellPoints(api.log, { points: 2, buildingId });
  for (let count = 0; count < 6; count += 1) await tellPoints(api.log, { points: 5 });
  await until(() => healthy.once().size === 32, 'every event at the healthy one');
  const firstOf = async (at: string) => (await attempts(at)).at(-1);
  for (const [index, [, expected]] of misbehaving.entries()) {
    const at = theirs[index]!;
    await until(async () => (await attempts(at)).length > 0, 'an attempt at each of them');
    const { responseBody, ...rest } = await firstOf(at);
    const { responseBody: body = responseBody, ...named } = expected as { responseBody?: string };
    expect(rest).toMatchObject(named);
    expect(responseBody ?? '').toMatch(body ?? '');
  }
  expect(healthy.received).toHaveLength(32);
});
