/** One installation in four processes, a role each. docs/operating/kubernetes.md. */
import { afterAll, expect, it } from 'vitest';
import { nodeFetch } from '../../packages/sdk/src/node.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';
import { inbox, type Inbox } from '../support/webhooks/inbox.ts';

const MANAGER = 'manager@acme.test';
const DEVELOPER = 'developer@acme.test';
const WEBHOOKS = '/api/v1/webhooks';
const SANDBOXES = '/api/v1/sandboxes';
const REQUESTS = '/api/service-desk/requests';
const ROLES = ['api', 'projections', 'processes', 'sandboxes'] as const;
type Role = (typeof ROLES)[number];

const running = servers();
afterAll(() => running.release());

it('works as in one process, also after all but the API were killed', async () => {
  const { url: DATABASE_URL } = await freshDatabase();
  const ports = new Map<Role, string>();
  for (const role of ROLES) ports.set(role, String(await freePort()));
  const started = async (role: Role) => {
    const server = await running.spawn({
      DATABASE_URL,
      ATRIUM_DATA: data,
      ATRIUM_ROLES: role,
      PORT: ports.get(role)!,
      PUBLIC_URL: `http://localhost:${ports.get('api')}`,
      SANDBOX_HOST: `sandbox.localhost:${ports.get('sandboxes')}`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    await until(() => server.output().includes('Stop with Ctrl-C'), `the start of ${role}`);
    return server;
  };
  const data = temporaryDirectory('split-roles');
  // At once, on an empty database.
  const [api, ...others] = await Promise.all(ROLES.map(started));
  for (const { output } of [api!, ...others]) expect(output()).not.toMatch(/"level":[56]0/);
  const ask = async (caller: string, method: string, path: string, body?: object) => {
    const answer = await api!.call(caller, method, path, body ? { body } : {});
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const manage = (method: string, path: string, body?: object) => ask(MANAGER, method, path, body);

  const { items: buildings } = await manage('GET', '/api/v1/buildings');
  const building = `/api/v1/buildings/${buildings[0].id}`;
  const { items: points } = await manage('GET', `${building}/points`);
  const { id: pointId } = points.find(
    ({ valueType }: { valueType: string }) => valueType === 'number',
  );
  await manage('POST', `${building}/diagnostic-rules`, {
    title: 'Split',
    severity: 'high',
    comparison: 'gt',
    threshold: 1_000,
    pointId,
    raiseTicket: { priority: 'high' },
  });
  const [first, second] = [await inbox(), await inbox()];
  const events = ['building.point.updated', 'building.alarm.triggered'];
  const { webhookId } = await manage('POST', WEBHOOKS, { url: `${first.url}/`, events });
  const send = (value: number) =>
    manage('POST', `${building}/observations`, { observations: [{ pointId, value }] });
  const valuesAt = ({ received }: Inbox) => received.map(({ body }) => body.data.value);
  // An answer that comes too late is a failure to the server, which delivers again.
  const alarmsAt = ({ once }: Inbox) =>
    [...once().values()].filter(({ body }) => body.event === 'building.alarm.triggered').length;
  const ticketsIn = async (state: string) => {
    const { items } = await manage('GET', `${REQUESTS}?state=${state}&limit=200`);
    return items.filter(({ subject }: { subject: string | null }) => subject === 'Split').length;
  };

  await send(1);
  await until(() => valuesAt(first).includes(1), 'the first delivery');
  await manage('PATCH', `${WEBHOOKS}/${webhookId}`, { url: `${second.url}/` });
  await send(2_000);
  await until(() => alarmsAt(second) === 1, 'the alarm at the new URL');
  await until(async () => (await ticketsIn('new')) === 1, 'the ticket of the fault');

  const { sandboxId, apiUrl } = await ask(DEVELOPER, 'POST', SANDBOXES, {
    name: 'Split',
    buildingType: 'office',
    storeys: 1,
    areaSqm: 200,
    ttlDays: 1,
    seedTelemetryDays: 0,
  });
  const isReady = async () =>
    (await ask(DEVELOPER, 'GET', `${SANDBOXES}/${sandboxId}`)).status === 'ready';
  await until(isReady, 'the sandbox');
  const authorization = `Bearer ${await api!.tokenOf(DEVELOPER)}`;
  const rooms = await nodeFetch(
    new Request(`${apiUrl}/api/v1/buildings`, { headers: { authorization } }),
  );
  expect(rooms.status).toBe(200);

  for (const server of others) await server.signal('SIGKILL');
  await send(3);
  await Promise.all(ROLES.slice(1).map(started));
  await until(() => valuesAt(second).includes(3), 'the delivery of what came meanwhile');
  await until(async () => (await ticketsIn('resolved')) === 1, 'the end of the ticket');
  await send(2_001);
  await until(() => alarmsAt(second) === 2, 'the next alarm');
});
