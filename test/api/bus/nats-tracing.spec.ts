/** A trace that leads through NATS: out of the platform, and into it. */
import { randomBytes } from 'node:crypto';
import { jetstream } from '@nats-io/jetstream';
import { connect, headers as newHeaders, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf } from '../../../src/bus/nats/layout.ts';
import { natsLink } from '../../../src/bus/nats/link.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { testApi } from '../../support/api/api.ts';
import { sent } from '../../support/domain/work-order-events.ts';
import { natsProgram, natsServer } from '../../support/nats/server.ts';
import { collectedTracing } from '../../support/tracing/collected.ts';
import { until } from '../../support/until.ts';

const DESK = '/api/service-desk/requests';

const callersSpan = () => {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
};

const opened = async () => {
  const server = await natsServer();
  await server.start();
  const none = { credentialsFile: null, caFile: null, certFile: null, keyFile: null };
  const nats = natsLink({
    address: { ...none, servers: [server.url] },
    layout: layoutOf('atrium'),
    logger: loggerOf('silent'),
  });
  return { server, nats, traced: await collectedTracing() };
};

describe.skipIf(!natsProgram())('with NATS (skipped where no nats-server is installed)', () => {
  let parts: Awaited<ReturnType<typeof opened>>;
  let nc: NatsConnection;
  beforeAll(async () => {
    parts = await opened();
    nc = await connect({ servers: parts.server.url });
  });
  const api = testApi(() => ({ nats: parts.nats, tracing: parts.traced.tracing }));
  afterAll(async () => {
    await nc.close();
    await parts.nats.close();
    await parts.traced.close();
    await parts.server.release();
  });
  const agent = api.as('agent@acme.test');
  const opening = async (sending: Record<string, string> = {}) => {
    const buildingId = await api.importBuilding();
    const { body } = await agent.post(DESK, { buildingId, description: 'It drips.' }, sending);
    return { buildingId, ticketId: body.id as string };
  };

  it('published events carry the trace context', async () => {
    const heard: (string | undefined)[] = [];
    nc.subscribe('atrium.building.*.service-desk.>', {
      callback: (_, message) => void heard.push(message.headers?.get('traceparent')),
    });
    await nc.flush();
    const { traceId, traceparent } = callersSpan();
    await opening({ traceparent });
    const published = await parts.traced.collected.span(
      traceId,
      `POST ${DESK}`,
      'command ticket',
      'append ticket',
      'process ticket-publishing',
      'publish bus',
    );
    await until(() => heard.length > 0, 'the message');
    expect(heard).toEqual([`00-${traceId}-${published.spanId}-01`]);
  });

  it('the trace context of received events continues in their handlers', async () => {
    const { buildingId, ticketId } = await opening();
    const { traceId, traceparent } = callersSpan();
    const header = newHeaders();
    header.set('traceparent', traceparent);
    await jetstream(nc).publish(
      `atrium.building.${buildingId}.cafm.work-order.created`,
      JSON.stringify(sent(buildingId, { ticketId })),
      { headers: header },
    );
    await parts.traced.collected.span(
      traceId,
      'process bus-intake',
      'append bus',
      'process work-order-intake',
      'command workOrder',
      'append workOrder',
      'process work-order-linking',
      'command ticket',
      'append ticket',
      'apply ticket-list',
    );
  });
});
