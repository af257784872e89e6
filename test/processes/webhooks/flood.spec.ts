/** One organisation's flood, and its effect on another organisation. */
import { expect, it } from 'vitest';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { testApi } from '../../support/api/api.ts';
import { receiver } from '../../support/outbound/receivers.ts';
import { letPass, until } from '../../support/until.ts';
import { inbox } from '../../support/webhooks/inbox.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const api = testApi(() => ({ untrustedHttp: untrustedHttp({ allowPrivate: true }) }));

const subscribe = async (email: string, url: string) => {
  const body = { url, events: ['building.point.updated'] };
  const answer = await api.as(email).post('/api/v1/webhooks', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
};

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
