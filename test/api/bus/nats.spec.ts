/** The routes of the bus, readiness and measurements of a platform whose bus is NATS. */
import { randomUUID } from 'node:crypto';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/bus/nats/layout.ts';
import { natsLink } from '../../../src/bus/nats/link.ts';
import type { Nats } from '../../../src/bus/nats/nats.ts';
import { demoBuilding } from '../../../src/demo/building.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { sent } from '../../support/domain/work-order-events.ts';
import { natsProgram, natsServer, type NatsServer } from '../../support/nats/server.ts';
import { until } from '../../support/until.ts';

const EVENTS = '/api/v1/bus/events';
const REQUESTS = '/api/service-desk/requests';
const PROCESSES = '/api/v1/operations/processes';

describe.skipIf(!natsProgram())('with NATS (skipped where no nats-server is installed)', () => {
  let server: NatsServer;
  let nats: Nats;
  let platform: TestPlatform;
  let nc: NatsConnection;
  let buildingId: string;
  const operator = () => platform.as('operator@atrium.test');
  const agent = () => platform.as('agent@acme.test');
  const on = (type: string) => `atrium.building.${buildingId}.${type}`;

  beforeAll(async () => {
    server = await natsServer();
    await server.start();
    const none = { credentialsFile: null, caFile: null, certFile: null, keyFile: null };
    nats = natsLink({
      address: { ...none, servers: [server.url] },
      layout: layoutOf('atrium'),
      logger: loggerOf('silent'),
    });
    platform = await testPlatform({ nats });
    nc = await connect({ servers: server.url });
    const manager = platform.as('manager@acme.test');
    ({ buildingId } = (await manager.post('/api/v1/buildings/import', demoBuilding())).body);
  });
  afterAll(async () => {
    await nc.close();
    await platform.close();
    await nats.close();
    await server.release();
  });

  const ready = async () => (await operator().get('/health/ready')).body;
  const metric = async (line: string) => (await operator().get('/metrics')).body.includes(line);

  it('brings an event of the route to its ticket by way of NATS', async () => {
    const { body: ticket } = await agent().post(REQUESTS, { buildingId, description: 'x' });
    const data = sent(buildingId, { ticketId: ticket.id });
    const subject = on('cafm.work-order.created');
    const answer = await operator().post(EVENTS, { subject, data });
    expect([answer.status, answer.body]).toEqual([202, { eventId: data.eventId }]);
    await until(async () => {
      const { body } = await agent().get(`${REQUESTS}/${ticket.id}`);
      return body.workOrderIds.length === 1;
    });
    expect((await nats.streams())[0]!.bytes).toBeGreaterThan(0);
  });

  it('has no list of published events: NATS keeps them', async () => {
    expect((await operator().get(EVENTS)).status).toBe(404);
  });

  it('publishes ticket events to subscribers of their building', async () => {
    const heard: { readonly subject: string; readonly id: string }[] = [];
    nc.subscribe(on('service-desk.>'), {
      callback: (_, message) =>
        void heard.push({ subject: message.subject, id: message.json<{ id: string }>().id }),
    });
    await nc.flush();
    const { body: ticket } = await agent().post(REQUESTS, { buildingId, description: 'x' });
    await agent().post(`${REQUESTS}/${ticket.id}/transition`, { state: 'triaged' });
    const ofTicket = () => heard.filter(({ id }) => id === ticket.id);
    await until(() => ofTicket().length >= 2);
    expect(ofTicket().map(({ subject }) => subject)).toEqual([
      on('service-desk.ticket.created'),
      on('service-desk.ticket.updated'),
    ]);
  });

  it('parks events of unknown types until an operator skips them', async () => {
    const subject = on('cafm.work-order.deleted');
    const eventId = randomUUID();
    await jetstream(nc).publish(subject, JSON.stringify({ eventId }));
    const listed = async () => (await operator().get('/api/v1/bus/parked')).body.items;
    await until(async () => (await listed()).length === 1);
    expect(await listed()).toMatchObject([
      { consumer: 'bus-intake', type: 'cafm.work-order.deleted', eventId, reason: 'UNUSABLE' },
    ]);
    const parked = async () => (await operator().get(`${PROCESSES}/bus-intake/parked`)).body.items;
    await until(async () => (await parked()).length === 1);
    const [{ stream }] = await parked();
    expect(stream).toMatch(/^atrium-inbound\/\d+\/atrium\.building\..*\.deleted$/);
    const asked = await operator().post(`${PROCESSES}/bus-intake/skip`, { stream });
    expect(asked.status).toBe(202);
    await until(async () => (await listed()).length === 0);
    await expect.poll(parked).toEqual([]);
  });

  it('refuses an event over a limit of NATS, and parks a ticket event for a retry', async () => {
    const jsm = await jetstreamManager(nc);
    const limited = async (bytes: number) => {
      for (const name of ['atrium-inbound', 'atrium-outbound'])
        await jsm.streams.update(name, { max_msg_size: bytes });
    };
    await limited(10);
    const subject = on('wifi-sensing.event');
    const { status, body } = await operator().post(EVENTS, { subject, data: {} });
    expect([status, body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const { body: ticket } = await agent().post(REQUESTS, { buildingId, description: 'x' });
    const publishing = `${PROCESSES}/ticket-publishing`;
    const parked = async () => (await operator().get(`${publishing}/parked`)).body.items;
    await until(async () => (await parked()).length === 1);
    const [{ stream, error }] = await parked();
    expect([stream, error]).toEqual([`ticket-${ticket.id}`, expect.stringContaining('size')]);
    await limited(-1);
    await operator().post(`${publishing}/retry`, { stream });
    await until(async () => (await parked()).length === 0);
  });

  it('is measured, and is no reason not to be ready', async () => {
    await until(async () => (await ready()).status === 'ready');
    // A scrape has a short deadline, which a busy machine may exceed.
    await until(() => metric('atrium_bus_reachable{broker="nats"} 1'));
    await until(() => metric('atrium_bus_stream_bytes{stream="atrium-inbound"}'));
    await until(() => metric('atrium_bus_taken_messages_total{outcome="parked"} 1'));
    const intake = async () =>
      (await operator().get(PROCESSES)).body.items.find(
        ({ name }: { name: string }) => name === 'bus-intake',
      );
    await until(async () => (await intake()).lagEvents === 0);
    expect(await intake()).toMatchObject({ kind: 'process', parked: 0 });
  });

  it('degrades readiness when it is gone: tickets are served, events refused', async () => {
    await server.kill();
    await until(async () => (await ready()).status === 'degraded');
    expect((await operator().get('/health/ready')).status).toBe(200);
    expect(JSON.stringify(await ready())).toContain('NATS (127.0.0.1:');
    const subject = on('wifi-sensing.event');
    expect((await operator().post(EVENTS, { subject, data: {} })).status).toBe(503);
    const { status } = await agent().post(REQUESTS, { buildingId, description: 'still' });
    expect(status).toBe(201);
    await until(() => metric('atrium_bus_reachable{broker="nats"} 0'));
    await until(() => metric('atrium_degraded{part="nats"} 1'));
    expect(await metric('atrium_ready 1')).toBe(true);
    await server.start();
    await until(async () => (await ready()).status === 'ready');
    expect((await operator().post(EVENTS, { subject, data: {} })).status).toBe(202);
  });
});
