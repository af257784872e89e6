/** The ticket of a fault while the server dies: raised once, and resolved once. */
import { Client } from 'pg';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const MANAGER = 'manager@acme.test';
const REQUESTS = '/api/service-desk/requests';

const { start, release } = servers();
afterEach(release);

it('raises one after a server was killed between a fault and its ticket', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('fault-tickets') };
  let server: ServerProcess = await start(env);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await server.call(MANAGER, method, path, body ? { body } : {});
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const { items: buildings } = await call('GET', '/api/v1/buildings');
  const building = `/api/v1/buildings/${buildings[0].id}`;
  const { items: points } = await call('GET', `${building}/points`);
  const { id: pointId } = points.find(
    ({ valueType }: { valueType: string }) => valueType === 'number',
  );
  await call('POST', `${building}/diagnostic-rules`, {
    title: 'Killed',
    severity: 'high',
    comparison: 'gt',
    threshold: 1_000,
    pointId,
    raiseTicket: { priority: 'high' },
  });
  const send = (value: number) =>
    call('POST', `${building}/observations`, { observations: [{ pointId, value }] });
  const fault = async () => {
    const { items } = await call('GET', `${building}/faults`);
    return items.find(({ title }: { title: string }) => title === 'Killed');
  };
  const raised = async () => {
    const { items } = await call('GET', `${REQUESTS}?limit=200`);
    return items.filter(({ subject }: { subject: string | null }) => subject === 'Killed');
  };
  const stateAndNotes = async () => {
    const [ticket, ...more] = await raised();
    expect(more).toEqual([]);
    if (ticket === undefined) return null;
    const { items } = await call('GET', `${REQUESTS}/${ticket.id}/updates`);
    return [ticket.state, items.filter(({ kind }: { kind: string }) => kind === 'system').length];
  };

  // Rules are evaluated without storeys, and no ticket is raised without them.
  const lock = new Client({ connectionString: url });
  await lock.connect();
  await lock.query('begin; lock table graph.storey in access exclusive mode');
  await send(2_000);
  await until(async () => (await fault()) !== undefined, 'the fault');
  await until(async () => {
    const { rows } = await lock.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_locks
       where relation = 'graph.storey'::regclass and not granted`,
    );
    return rows[0]!.waiting > 0;
  }, 'the ticket that waits for its place');
  expect(await raised()).toEqual([]);
  await server.signal('SIGKILL');
  await lock.query('rollback');
  await lock.end();

  server = await start(env);
  await expect.poll(stateAndNotes).toEqual(['new', 0]);
  await server.signal('SIGKILL');
  server = await start(env);
  await send(1);
  await expect.poll(async () => (await fault()).closedAt).not.toBeNull();
  await server.signal('SIGKILL');
  server = await start(env);
  await expect.poll(stateAndNotes).toEqual(['resolved', 1]);
  await expect.poll(async () => (await fault()).ticket.state).toBe('resolved');
});
