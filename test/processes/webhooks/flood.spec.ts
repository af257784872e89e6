/** One receiver's or organisation's flood, and its effect on others. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { testApi } from '../../support/api/api.ts';
import { receiver } from '../../support/outbound/receivers.ts';
import { letPass, until, untilCount } from '../../support/until.ts';
import { inbox } from '../../support/webhooks/inbox.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';
import { unsubscribeAll } from '../../support/webhooks/unsubscribe.ts';

const api = testApi(() => ({ untrustedHttp: untrustedHttp({ allowPrivate: true }) }));

const subscribe = async (email: string, url: string) => {
  const body = { url, events: ['building.point.updated'] };
  const answer = await api.as(email).post('/api/v1/webhooks', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
};

afterEach(async () => {
  for (const email of ['manager@acme.test', 'manager@globex.test'])
    await unsubscribeAll(api.as(email));
});

it('of a receiver that is slow but succeeds delays no other receiver', async () => {
  const answered = { count: 0 };
  const slow = await receiver(async (request, response) => {
    request.resume();
    await letPass(400, 'a receiver that is nearly slow');
    answered.count += 1;
    response.end();
  });
  const ofAcme = await inbox();
  const ofGlobex = await inbox();
  await subscribe('manager@acme.test', slow.url);
  await subscribe('manager@acme.test', ofAcme.url);
  await subscribe('manager@globex.test', ofGlobex.url);

  const [events, points] = [150, 20];
  const buildingId = randomUUID();
  for (let count = 0; count < events; count += 1) {
    await tellPoints(api.log, { points, buildingId });
    await tellPoints(api.log, { organisation: 'globex' });
  }
  await untilCount(() => ofGlobex.received.length, events, 'deliveries of globex');
  await untilCount(() => ofAcme.received.length, events * points, 'deliveries of acme');
  expect(answered.count).toBeLessThan((events * points) / 2);
});

it('delays no delivery of another organisation, to its host or to others', async () => {
  const arrived = { count: 0 };
  const busy = await receiver(async (request, response) => {
    request.resume();
    arrived.count += 1;
    if (!request.url!.startsWith('/other')) await letPass(300, 'a receiver that is nearly slow');
    response.end();
  });
  const other = await inbox();
  for (let count = 0; count < 10; count += 1)
    await subscribe('manager@acme.test', `${busy.url}${count}`);
  await subscribe('manager@globex.test', `${busy.url}other`);
  await subscribe('manager@globex.test', other.url);

  const points = 300;
  await tellPoints(api.log, { points });
  await until(() => arrived.count > 0, 'the flood begins');
  const before = arrived.count;
  for (let count = 0; count < 20; count += 1)
    await tellPoints(api.log, { organisation: 'globex', points: 5 });
  await until(() => other.received.length === 100, 'all deliveries of the other organisation');
  expect(arrived.count - before).toBeLessThan((points * 10) / 2);
});
