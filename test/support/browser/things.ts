/** One of everything that has a page, with a name wider than a column of a table. */
import { webhookEventTypes } from '../../../src/domain/webhooks/subscription/events.ts';
import { until } from '../until.ts';
import type { Things } from './pages.ts';
import type { PortalServer } from './portal-server.ts';

const LONG = 'A name that is much longer than any column of a table would like it to be';

export const oneOfEach = async ({
  call,
  raise,
}: Pick<PortalServer, 'call' | 'raise'>): Promise<Things> => {
  const manager = (method: string, path: string, body?: unknown) =>
    call('manager@acme.test', method, path, body);
  const { items } = await manager('GET', '/api/v1/buildings');
  const building: string = items[0].id;
  const of = `/api/v1/buildings/${building}`;
  const firstOf = async (part: string): Promise<string> =>
    (await manager('GET', `${of}/${part}?limit=1`)).items[0].id;
  const [storey, space, point] = [
    await firstOf('storeys'),
    await firstOf('spaces'),
    await firstOf('points'),
  ];
  await manager('PUT', `${of}/data-layers/comfort/values`, {
    keyBy: 'id',
    values: [{ key: space, value: 70.5 }],
  });
  await manager('POST', `${of}/observations`, { observations: [{ pointId: point, value: 21.5 }] });
  await manager('POST', `${of}/diagnostic-rules`, {
    title: LONG,
    severity: 'high',
    comparison: 'gt',
    threshold: 20,
    pointId: point,
  });
  await manager('POST', `${of}/observations`, { observations: [{ pointId: point, value: 22 }] });
  const faults = async () => (await manager('GET', `${of}/faults`)).items;
  await until(async () => (await faults()).length > 0, 'the fault');
  const [{ faultId: fault }] = await faults();
  const [{ id: ticket }] = [
    await raise({ subject: LONG, spaceId: space, category: 'water' }),
    await raise({ spaceId: space, priority: 'high' }),
  ];
  await manager('PATCH', `/api/service-desk/requests/${ticket}`, { description: 'Now it floods.' });
  const { keyId: key } = await manager('POST', '/api/v1/keys', { label: LONG, scope: 'full' });
  const { webhookId: webhook } = await manager('POST', '/api/v1/webhooks', {
    url: 'http://127.0.0.1:49151/a/path/that/is/longer/than/any/column/of/a/table',
    events: webhookEventTypes,
  });
  const { erasureId: erasure } = await manager('POST', '/api/v1/erasures', {
    subject: { userId: 'nobody' },
    texts: 'keep',
    reason: LONG,
  });
  const { sandboxId: sandbox } = await manager('POST', '/api/v1/sandboxes', {
    name: LONG,
    storeys: 1,
    areaSqm: 100,
    seedTelemetryDays: 0,
  });
  const isReady = async () =>
    (await manager('GET', `/api/v1/sandboxes/${sandbox}`)).status === 'ready';
  await until(isReady, 'the sandbox');
  return { building, storey, point, fault, ticket, key, webhook, erasure, sandbox };
};
