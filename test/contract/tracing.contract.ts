/** The traces of a whole platform, on every log. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loggerOptions } from '../../src/engine/observe/logging.ts';
import { untrustedHttp } from '../../src/outbound/untrusted-http.ts';
import type { RunningTracing } from '../../src/engine/observe/open-telemetry.ts';
import { testApi } from '../support/api/api.ts';
import type { TestPlatformOptions } from '../support/api/platform.ts';
import { importMetered } from '../support/api/telemetry.ts';
import { writtenLines } from '../support/api/written-lines.ts';
import { collectedTracing } from '../support/tracing/collected.ts';
import type { CollectedSpan, Collector } from '../support/tracing/collector.ts';
import { until } from '../support/until.ts';
import { inbox } from '../support/webhooks/inbox.ts';

const DESK = '/api/service-desk/requests';

/** A caller's own span, and the headers it sends. */
const callersSpan = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
};

/** @param optionsOf The options of a platform, such as its log. */
export const tracingContract = (name: string, optionsOf: () => TestPlatformOptions) =>
  describe(`tracing ${name}`, () => {
    let collected: Collector;
    let tracing: RunningTracing;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ collected, tracing, close } = await collectedTracing());
    });
    afterAll(() => close());

    const lines = writtenLines({ ...loggerOptions('info'), mixin: () => tracing.logged() });
    const api = testApi(() => ({
      ...optionsOf(),
      tracing,
      logger: lines.logger,
      untrustedHttp: untrustedHttp({ allowPrivate: true }),
    }));
    const manager = api.as('manager@acme.test');
    const agent = api.as('agent@acme.test');

    beforeAll(async () => {
      // Read models record no spans while they catch up, as on a log that others have filled.
      const isReady = async () => (await api.as(null).get('/health/ready')).status === 200;
      await until(isReady, 'read models that have followed the log');
    });

    it('traces requests injected without a connection', async () => {
      const errors = writtenLines({ ...loggerOptions('error') });
      const other = await api.beside({ ...optionsOf(), tracing, logger: errors.logger });
      await other.app.inject({ url: '/openapi.json' });
      expect(errors.text()).toBe('');
    });

    const newTicket = (buildingId: string) => ({ buildingId, description: 'It drips.' });

    const subscribed = async (event = 'building.point.updated') => {
      const receiver = await inbox();
      const subscription = { url: receiver.url, events: [event] };
      const { status, body } = await manager.post('/api/v1/webhooks', subscription);
      expect(status).toBe(201);
      return { receiver, webhookId: body.webhookId as string };
    };

    it('continues from the caller through an observation to the webhook receiver', async () => {
      const building = await importMetered(manager, { 'T-1': {} });
      const { receiver } = await subscribed();
      const { traceId, spanId, headers } = callersSpan();
      const observations = [{ pointId: await building.idOf('T-1'), value: 21.5 }];
      const ingested = await manager.post(
        `${building.path}/observations`,
        { observations },
        headers,
      );
      expect(ingested.status).toBe(200);

      const route = '/api/v1/buildings/:buildingId/observations';
      const way = [
        `POST ${route}`,
        'INSERT telemetry.observation',
        'append telemetry',
        'process webhook-fan-out',
        'POST',
      ];
      // The recording of the attempt is in the same trace.
      await collected.span(traceId, ...way, 'append delivery', 'apply webhook-attempts');
      expect(await collected.span(traceId, `POST ${route}`)).toMatchObject({
        parentSpanId: spanId,
        kind: 'server',
        failed: false,
        attributes: {
          'http.request.method': 'POST',
          'http.route': route,
          'http.response.status_code': 200,
          'url.path': `${building.path}/observations`,
        },
        resource: { 'service.name': 'atrium', 'service.instance.id': 'test' },
      });
      const [one] = receiver.received;
      const isHis = (span: CollectedSpan) => span.attributes['server.port'] === receiver.port;
      expect(collected.of(traceId).filter(isHis)).toEqual([
        expect.objectContaining({
          name: 'POST',
          kind: 'client',
          failed: false,
          attributes: expect.objectContaining({
            'http.request.method': 'POST',
            'http.response.status_code': 200,
            'server.address': '127.0.0.1',
            'messaging.message.id': one!.headers['webhook-id'],
          }) as unknown,
        }),
      ]);
      // The caller's trace is not sent to a foreign receiver.
      expect(one!.headers).not.toHaveProperty('traceparent');
    });

    it('continues to the alarm that an observation has raised', async () => {
      const building = await importMetered(manager, { 'T-1': {} });
      const pointId = await building.idOf('T-1');
      const rule = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 25 };
      const made = await manager.post(`${building.path}/diagnostic-rules`, { ...rule, pointId });
      expect(made.status).toBe(201);
      await subscribed('building.alarm.triggered');
      const { traceId, headers } = callersSpan();
      const observations = [{ pointId, value: 31 }];
      await manager.post(`${building.path}/observations`, { observations }, headers);
      await collected.span(
        traceId,
        'POST /api/v1/buildings/:buildingId/observations',
        'INSERT telemetry.observation',
        'append telemetry',
        'process fault-detection',
        'append telemetry',
        'process webhook-fan-out',
        'POST',
      );
    });

    it('continues from a command to the list that includes it, and to the bus', async () => {
      const buildingId = await api.importBuilding();
      const { traceId, headers } = callersSpan();
      const { status, body } = await agent.post(DESK, newTicket(buildingId), headers);
      expect(status).toBe(201);
      const recorded = [`POST ${DESK}`, 'command ticket', 'append ticket'];
      await collected.span(traceId, ...recorded, 'apply ticket-list');
      await collected.span(traceId, ...recorded, 'process ticket-publishing', 'append bus');
      const [stored] = await api.log.readStream(`ticket-${body.id}`);
      const append = await collected.span(traceId, ...recorded);
      expect(stored!.meta['traceparent']).toBe(`00-${traceId}-${append.spanId}-01`);
      expect(append).toMatchObject({
        kind: 'producer',
        attributes: {
          'messaging.system': api.log.backend,
          'messaging.operation.name': 'append',
          'messaging.destination.name': `ticket-${body.id}`,
          'messaging.message.id': stored!.id,
        },
      });
    });

    it('continues in a queued delivery', async () => {
      const { receiver, webhookId } = await subscribed();
      const { traceId, headers } = callersSpan();
      const asked = await manager.post(`/api/v1/webhooks/${webhookId}/test`, undefined, headers);
      expect(asked.status).toBe(202);
      await collected.span(
        traceId,
        'POST /api/v1/webhooks/:webhookId/test',
        'command subscription',
        'append subscription',
        'process webhook-fan-out',
        'append delivery',
        'POST',
      );
      expect(receiver.received).toHaveLength(1);
    });

    it('distinguishes refusals from failures', async () => {
      const buildingId = await api.importBuilding();
      const { body } = await agent.post(DESK, newTicket(buildingId));
      const { traceId, headers } = callersSpan();
      const wrong = await agent.post(`${DESK}/${body.id}/transition`, { state: 'closed' }, headers);
      expect(wrong.status).toBe(400);
      const route = `POST ${DESK}/:id/transition`;
      expect(await collected.span(traceId, route, 'command ticket')).toMatchObject({
        failed: false,
        attributes: { 'atrium.refused': 'TRANSITION_NOT_ALLOWED' },
      });
    });

    it('logs the trace id with each request', async () => {
      const { traceId, headers } = callersSpan();
      await agent.get(DESK, headers);
      const request = await collected.span(traceId, `GET ${DESK}`);
      await expect.poll(lines.text).toContain(traceId);
      const line = lines
        .text()
        .split('\n')
        .find((one) => one.includes(traceId));
      expect(JSON.parse(line!)).toMatchObject({
        msg: 'request',
        trace_id: traceId,
        span_id: request.spanId,
      });
    });

    it('records a key use without a span, so that no key check is slowed', async () => {
      const minted = await manager.post('/api/v1/keys', { label: 'ci', scope: 'full' });
      expect(minted.status).toBe(201);
      const { traceId, headers } = callersSpan();
      expect((await api.with(minted.body.token).get('/api/v1/me', headers)).status).toBe(200);
      await collected.span(traceId, 'GET /api/v1/me');
      expect(collected.of(traceId)).toHaveLength(1);
      const { events } = await api.log.readAll(null, { limit: 1_000, categories: ['keyuse'] });
      const uses = events.filter(
        ({ type, meta }) => type === 'KeyUsed' && meta['organisation'] === 'acme',
      );
      expect(uses).toHaveLength(1);
      expect(uses[0]!.meta).not.toHaveProperty('traceparent');
    });

    it('records no span where the caller has not sampled its trace', async () => {
      const buildingId = await api.importBuilding();
      const { headers } = callersSpan('00');
      const { body } = await agent.post(DESK, newTicket(buildingId), headers);
      const [stored] = await api.log.readStream(`ticket-${body.id}`);
      expect(stored!.meta).not.toHaveProperty('traceparent');
    });

    it('records no span where it is off, also for events that carry a trace', async () => {
      const buildingId = await api.importBuilding();
      const { headers } = callersSpan();
      const { body: traced } = await agent.post(DESK, newTicket(buildingId), headers);
      const off = await api.beside({
        ...optionsOf(),
        roles: new Set(['api']),
        logger: pino({ level: 'silent' }),
      });
      const agentThere = off.as('agent@acme.test');
      const moved = await agentThere.post(
        `${DESK}/${traced.id}/transition`,
        { state: 'triaged' },
        headers,
      );
      expect(moved.body.state).toBe('triaged');
      const [opened, ...later] = await api.log.readStream(`ticket-${traced.id}`);
      expect(opened!.meta).toHaveProperty('traceparent');
      expect(later.at(-1)!.meta).not.toHaveProperty('traceparent');
    });
  });
