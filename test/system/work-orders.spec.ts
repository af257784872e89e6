/** Work orders while the server is killed: each acknowledged event takes effect once. */
import { afterEach, expect, it } from 'vitest';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { sent, subjectOf, type Sent } from '../support/domain/work-order-events.ts';
import { letPass, untilCount } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const OPERATOR = 'operator@atrium.test';
const REQUESTS = '/api/service-desk/requests';
const TICKETS = 8;

const { start, release } = servers();
afterEach(release);

it('work orders take effect once each, though the server is killed again and again', async () => {
  const { url, drop } = await freshDatabase();
  const env = {
    DATABASE_URL: url,
    ATRIUM_DATA: temporaryDirectory('work-orders'),
    PORT: String(await freePort()),
  };
  let server: ServerProcess = await start(env);
  const { body: buildings } = await server.call(AGENT, 'GET', '/api/v1/buildings');
  const buildingId: string = buildings.items[0].id;

  const raised = async (n: number): Promise<string> => {
    const body = { buildingId, description: `Work ${n}` };
    const { body: ticket } = await server.call(AGENT, 'POST', REQUESTS, { body });
    const triage = { body: { state: 'triaged' } };
    await server.call(AGENT, 'POST', `${REQUESTS}/${ticket.id}/transition`, triage);
    return ticket.id;
  };
  const tickets = await Promise.all(Array.from({ length: TICKETS }, (_, n) => raised(n)));

  /** Each order's events out of order: the event that names the ticket comes last. */
  const events = tickets.flatMap((ticketId, n): { kind: string; data: Sent }[] => {
    const of = { workOrderId: `WO-${n}` };
    return [
      { kind: 'updated', data: sent(buildingId, { ...of, progressPercent: 50 }) },
      { kind: 'completed', data: sent(buildingId, of) },
      { kind: 'created', data: sent(buildingId, { ...of, ticketId }) },
      { kind: 'updated', data: sent(buildingId, { ...of, note: 'Paid.' }) },
    ];
  });

  /** Retries until it is answered. */
  const publish = async ({ kind, data }: (typeof events)[number]): Promise<void> => {
    const body = { subject: subjectOf(kind, buildingId), data };
    for (;;) {
      const answer = await server
        .call(OPERATOR, 'POST', '/api/v1/bus/events', { body })
        .catch(() => null);
      if (answer?.status === 202) {
        published += 1;
        return;
      }
      await letPass(20, 'the pause before one asks again');
    }
  };
  let published = 0;
  const publishAll = async () => {
    for (const event of events) await publish(event);
  };

  const publishing = publishAll();
  for (let kills = 0; kills < 3; kills += 1) {
    // A fast sender may be through before the last kill.
    await untilCount(() => published, Math.min(published + 10, events.length), 'messages');
    await server.signal('SIGKILL');
    server = await start(env);
  }
  await publishing;
  // All of it once more, in another order.
  for (const event of events.toReversed()) await publish(event);
  await server.signal('SIGKILL');
  server = await start(env);

  const look = async (id: string) => {
    const { body: ticket } = await server.call(AGENT, 'GET', `${REQUESTS}/${id}`);
    const { body: timeline } = await server.call(AGENT, 'GET', `${REQUESTS}/${id}/updates`);
    const kinds = timeline.items.map(({ kind }: { kind: string }) => kind).toSorted();
    return [ticket.state, ticket.workOrderIds, kinds];
  };
  const kinds = ['state', 'state', 'system', 'system', 'system', 'system', 'work_order'];
  for (const [n, id] of tickets.entries()) {
    await expect.poll(() => look(id)).toEqual(['resolved', [`WO-${n}`], kinds]);
  }
  const { body: parked } = await server.call(OPERATOR, 'GET', '/api/v1/bus/parked');
  expect(parked.items).toEqual([]);
  await server.signal('SIGKILL');
  await drop();
});
