import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../packages/sdk/src/index.ts';
import { deliveryJournal } from '../../../src/domain/webhooks/delivery/events.ts';
import { untrustedHttp } from '../../../src/outbound/untrusted-http.ts';
import { testApi } from '../../support/api/api.ts';
import { readCloudEvent } from '../../support/cloud-events.ts';
import { until } from '../../support/until.ts';
import { inbox, isSigned, verifyStandard, type Inbox } from '../../support/webhooks/inbox.ts';
import { tell, tellPoints } from '../../support/webhooks/telemetry.ts';
import { unsubscribeAll } from '../../support/webhooks/unsubscribe.ts';

const api = testApi(() => ({ untrustedHttp: untrustedHttp({ allowPrivate: true }) }));
const manager = api.as('manager@acme.test');
const WEBHOOKS = '/api/v1/webhooks';
afterEach(() => unsubscribeAll(manager));

const subscribed = async (to: Inbox, over: object = {}) => {
  const wanted = { url: to.url, events: ['building.point.updated'], ...over };
  const { status, body } = await manager.post(WEBHOOKS, wanted);
  expect(status, JSON.stringify(body)).toBe(201);
  return { ...body, at: `${WEBHOOKS}/${body.webhookId}` };
};
const attempts = async (at: string, query = '') =>
  (await manager.get(`${at}/deliveries${query}`)).body.items;
const arrives = (to: Inbox, count: number) =>
  until(() => to.received.length >= count, `${count} deliveries`);

interface Point {
  readonly valueType: string;
}

describe('an event', () => {
  it('reaches who has subscribed, signed in both ways', async () => {
    const mine = await inbox();
    const { secret } = await subscribed(mine);
    const at = '2026-11-22T10:00:00.123Z';
    const buildingId = randomUUID();
    const [pointId] = await tellPoints(api.log, { at, buildingId });
    await arrives(mine, 1);
    const [one] = mine.received;
    expect(one!.body).toEqual({
      event: 'building.point.updated',
      data: {
        buildingId,
        pointId,
        elementId: null,
        spaceId: null,
        value: 0.5,
        unit: '°C',
        observedAt: at,
      },
      timestamp: at,
    });
    expect(one!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-delivery-attempt': '1',
    });
    const messageId = String(one!.headers['webhook-id']);
    expect(one!.key).toBe(`${messageId}:building.point.updated:${Date.parse(at)}`);
    expect(isSigned(one!, secret, 'x-svc-signature')).toBe(true);
    expect(isSigned(one!, `${secret}a`, 'x-svc-signature')).toBe(false);
    expect(verifyStandard(one!, secret)).toEqual(one!.body);
    const header = (name: string) => (one!.headers[name] as string | undefined) ?? null;
    expect(readCloudEvent(header, one!.raw)).toEqual({
      id: messageId,
      source: 'http://atrium.test',
      type: 'building.point.updated',
      subject: buildingId,
      time: at,
      data: one!.body,
    });
    expect(one!.headers).not.toHaveProperty('x-svc-signature-previous');
  });

  it('of an ingest of many points is one for each point, each with a key of its own', async () => {
    const mine = await inbox();
    await subscribed(mine);
    const points = await tellPoints(api.log, { points: 300 });
    await until(() => mine.once().size === 300, 'each of them');
    const pointIds = [...mine.once().values()].map(({ body }) => body.data.pointId);
    expect(new Set(pointIds)).toEqual(new Set(points));
  });

  it('that is an alarm reaches who has asked for alarms, and no other does', async () => {
    const [alarms, points] = [await inbox(), await inbox()];
    await subscribed(alarms, { events: ['building.alarm.triggered'] });
    await subscribed(points);
    const ids = { alarmId: randomUUID(), faultId: randomUUID(), ruleId: randomUUID() };
    const at = new Date().toISOString();
    const about = { severity: 'high', title: 'Too warm', pointId: null, elementId: null };
    const fault = { faultId: ids.faultId, ...about };
    const buildingId = randomUUID();
    const measured = { value: 31, threshold: 30, triggeredAt: at };
    await tell(
      api.log,
      () => ({ type: 'AlarmTriggered', buildingId, ...ids, ...about, ...measured }),
      {
        buildingId,
      },
    );
    await tell(api.log, () => ({ type: 'FaultCreated', buildingId, ...fault, detectedAt: at }), {
      buildingId,
    });
    await tellPoints(api.log);
    await arrives(alarms, 1);
    await arrives(points, 1);
    expect(alarms.received.map(({ body }) => body)).toEqual([
      {
        event: 'building.alarm.triggered',
        data: { buildingId, ...ids, ...about, ...measured },
        timestamp: at,
      },
    ]);
    expect(points.received.map(({ body }) => body.event)).toEqual(['building.point.updated']);
  });

  it('reaches no other organisation, and of one building only who has asked for it', async () => {
    const [foreign, ofOne] = [await inbox(), await inbox()];
    const buildingId = await api.importBuilding();
    const globex = api.as('manager@globex.test');
    const wanted = { url: foreign.url, events: ['building.point.updated'] };
    expect((await globex.post(WEBHOOKS, wanted)).status).toBe(201);
    await subscribed(ofOne, { buildingId });
    await tellPoints(api.log);
    await tellPoints(api.log, { buildingId });
    await tellPoints(api.log, { organisation: 'globex' });
    await arrives(ofOne, 1);
    await arrives(foreign, 1);
    expect(ofOne.received.map(({ body }) => body.data.buildingId)).toEqual([buildingId]);
    expect(foreign.received).toHaveLength(1);
  });

  it('of a real ingest, and the alarm that a rule makes of it, arrive', async () => {
    const buildingId = await api.importBuilding();
    const building = `/api/v1/buildings/${buildingId}`;
    const { items } = (await manager.get(`${building}/points`)).body;
    const { id: pointId } = items.find((point: Point) => point.valueType === 'number');
    const rule = { title: 'Too much', severity: 'high', pointId, comparison: 'gt', threshold: 1 };
    expect((await manager.post(`${building}/diagnostic-rules`, rule)).status).toBe(201);
    const mine = await inbox();
    const events = ['building.point.updated', 'building.alarm.triggered'];
    await subscribed(mine, { buildingId, events });
    const observations = [{ pointId, value: 2 }];
    const answer = await manager.post(`${building}/observations`, { observations });
    expect(answer.status).toBe(200);
    await arrives(mine, 2);
    const received = mine.received.map(({ body }) => [
      body.event,
      body.data.pointId,
      body.data.value,
    ]);
    // They are on their way at the same time.
    expect(received).toHaveLength(2);
    expect(received).toEqual(
      expect.arrayContaining([
        ['building.point.updated', pointId, 2],
        ['building.alarm.triggered', pointId, 2],
      ]),
    );
  });

  it('reaches its receiver once, though two platforms run on one log', async () => {
    const reaching = untrustedHttp({ allowPrivate: true });
    await api.beside({ untrustedHttp: reaching });
    const mine = await inbox();
    await subscribed(mine);
    for (let count = 0; count < 5; count += 1) await tellPoints(api.log, { points: 4 });
    await until(() => mine.once().size === 20, 'every event');
    expect(mine.received).toHaveLength(20);
  });

  it('that was recorded before a subscription is not delivered to it', async () => {
    await tellPoints(api.log);
    const mine = await inbox();
    await subscribed(mine);
    const [pointId] = await tellPoints(api.log);
    await arrives(mine, 1);
    expect(mine.received.map(({ body }) => body.data.pointId)).toEqual([pointId]);
  });
});

describe('the attempts at deliveries', () => {
  it('are listed, the last 50, newest first', async () => {
    const mine = await inbox();
    mine.answer = (response) => response.end('thank you');
    const { at } = await subscribed(mine);
    await tellPoints(api.log, { points: 60 });
    await arrives(mine, 60);
    await until(async () => (await attempts(at)).length === 50, 'fifty attempts');
    const [newest, ...older] = await attempts(at);
    expect(newest).toMatchObject({
      event: 'building.point.updated',
      attempt: 1,
      status: 'succeeded',
      httpCode: 200,
      error: null,
      responseBody: 'thank you',
      nextAttemptAt: null,
      deadLettered: false,
    });
    const times = [newest, ...older].map(({ attemptedAt }) => Date.parse(attemptedAt));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it.each<[string, (inbox: Inbox) => void, object]>([
    [
      '404',
      (to) => (to.answer = (response) => response.writeHead(404).end('what?')),
      { httpCode: 404, error: 'status', responseBody: 'what?' },
    ],
    [
      '302',
      (to) => (to.answer = (response) => response.writeHead(302, { location: '/a' }).end()),
      { httpCode: 302, error: 'redirect' },
    ],
    [
      'nothing',
      (to) => (to.answer = () => {}),
      { httpCode: null, error: 'timeout', responseBody: null },
    ],
    [
      'a broken line',
      (to) => (to.answer = (response) => response.destroy()),
      { httpCode: null, error: 'closed_early' },
    ],
  ])(
    'answered by %s have failed by name, and come again in a minute',
    async (_, misbehave, expected) => {
      const mine = await inbox();
      misbehave(mine);
      const { at } = await subscribed(mine);
      await tellPoints(api.log);
      await until(async () => (await attempts(at)).length === 1, 'an attempt');
      const [failed] = await attempts(at);
      expect(failed).toMatchObject({
        ...expected,
        attempt: 1,
        status: 'failed',
        deadLettered: false,
      });
      const waitMs =
        Date.parse(failed.nextAttemptAt) - Date.parse(failed.attemptedAt) - failed.durationMs;
      expect(waitMs).toBeGreaterThan(53_900);
      expect(waitMs).toBeLessThan(66_500);
      await until(async () => (await manager.get(at)).body.consecutiveFailures === 1, 'the count');
      expect((await manager.get(at)).body.status).toBe('active');
    },
  );
});

it('waits, counted by the metrics', async () => {
  const waiting = async () => {
    const { body } = await api.as(null).get('/metrics');
    const line = /^atrium_webhook_backlog_deliveries\{state="waiting"\} (\d+)$/m.exec(body);
    return Number(line?.[1]);
  };
  const mine = await inbox();
  mine.answer = (response) => response.writeHead(500).end();
  const buildingId = await api.importBuilding();
  await subscribed(mine, { buildingId });
  const before = await waiting();
  await tellPoints(api.log, { buildingId, points: 3 });
  await until(async () => (await waiting()) >= before + 3, 'three more');
});

describe('by hand', () => {
  const deadLettersCounted = async () => {
    const { body } = await api.as(null).get('/metrics');
    return /^atrium_webhook_dead_letters_total (\d+)$/m.exec(body)![1];
  };

  it('a test is sent, once, and does not count', async () => {
    const mine = await inbox();
    const { at, secret, webhookId } = await subscribed(mine);
    const { status, body } = await manager.post(`${at}/test`);
    expect(status).toBe(202);
    await arrives(mine, 1);
    expect(mine.received[0]!.body).toMatchObject({ event: 'webhook.test', data: { webhookId } });
    expect(isSigned(mine.received[0]!, secret, 'x-svc-signature')).toBe(true);
    mine.answer = (response) => response.writeHead(500).end();
    const deadLetters = await deadLettersCounted();
    await manager.post(`${at}/test`);
    await until(async () => (await attempts(at)).length === 2, 'both attempts');
    expect(await deadLettersCounted()).toBe(deadLetters);
    const [failed, first] = await attempts(at);
    expect(first.deliveryId).toBe(body.deliveryId);
    expect(failed).toMatchObject({ status: 'failed', nextAttemptAt: null, deadLettered: true });
    expect((await manager.get(at)).body.consecutiveFailures).toBe(0);
    expect(await attempts(at, '?deadLettered=true')).toMatchObject([{ event: 'webhook.test' }]);
  });

  it('a delivery is made again: a new one, of the same event', async () => {
    const mine = await inbox();
    const { at } = await subscribed(mine);
    await tellPoints(api.log);
    await until(async () => (await attempts(at)).length === 1, 'an attempt');
    const [first] = await attempts(at);
    const again = await manager.post(`${at}/deliveries/${first.deliveryId}/redeliver`);
    expect(again.status).toBe(202);
    expect(again.body.deliveryId).not.toBe(first.deliveryId);
    await arrives(mine, 2);
    const [one, two] = mine.received;
    expect([two!.raw, two!.key, two!.attempt]).toEqual([one!.raw, one!.key, 1]);
  });

  it('a delivery whose event was deleted is listed, and cannot be made again', async () => {
    const mine = await inbox();
    mine.answer = (response) => response.writeHead(503).end();
    const { at, webhookId } = await subscribed(mine);
    const told = new Date().toISOString();
    await tellPoints(api.log, { at: told });
    await until(async () => (await attempts(at)).length === 1, 'an attempt');
    const [{ deliveryId }] = await attempts(at);
    const redeliver = `${at}/deliveries/${deliveryId}/redeliver`;
    const key = { 'idempotency-key': randomUUID() };
    const before = await manager.post(redeliver, undefined, key);
    expect(before.status).toBe(202);
    await arrives(mine, 2);

    await api.log.deleteStream(deliveryJournal(webhookId, told));
    const after = await manager.post(redeliver);
    expect([after.status, after.body.code]).toEqual([404, 'NOT_FOUND']);
    const again = await manager.post(redeliver, undefined, key);
    expect([again.status, again.body]).toEqual([202, before.body]);
  });

  it('a rotated secret signs beside the old one', async () => {
    const mine = await inbox();
    const { at, secret: old } = await subscribed(mine);
    const { secret } = (await manager.post(`${at}/rotate-secret`)).body;
    await tellPoints(api.log);
    await arrives(mine, 1);
    const [one] = mine.received;
    expect(isSigned(one!, secret, 'x-svc-signature')).toBe(true);
    expect(isSigned(one!, old, 'x-svc-signature-previous')).toBe(true);
    for (const key of [secret, old]) expect(verifyStandard(one!, key)).toEqual(one!.body);
  });

  it('each secret of the last day signs, and a sixth rotation is refused', async () => {
    const mine = await inbox();
    const { at, secret: first } = await subscribed(mine);
    const secrets = [first];
    for (let count = 0; count < 5; count += 1)
      secrets.unshift((await manager.post(`${at}/rotate-secret`)).body.secret);
    const refused = await manager.post(`${at}/rotate-secret`);
    expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT']);
    await tellPoints(api.log);
    await arrives(mine, 1);
    const [one] = mine.received;
    const [newest, ...previous] = secrets;
    expect(isSigned(one!, newest, 'x-svc-signature')).toBe(true);
    const listed = String(one!.headers['x-svc-signature-previous']).split(',');
    expect(listed).toHaveLength(5);
    for (const [index, signature] of listed.entries()) {
      const alone = { ...one!, headers: { signature: signature.trim() } };
      expect(isSigned(alone, previous[index], 'signature')).toBe(true);
    }
    for (const secret of secrets) {
      expect(verifyStandard(one!, secret)).toEqual(one!.body);
      expect(await verifyWebhook(one!.raw, one!.headers, secret)).toMatchObject(one!.body);
    }
  });
});

it('ends with the subscription: attempts in progress are finished, no new ones begin', async () => {
  const mine = await inbox();
  const held: (() => void)[] = [];
  mine.answer = (response) => held.push(() => response.end());
  const { at } = await subscribed(mine);
  await tellPoints(api.log, { points: 400 });
  await arrives(mine, 4);
  expect((await manager.delete(at)).status).toBe(204);
  for (const answer of held) answer();
  mine.answer = (response) => response.end();
  const other = await inbox();
  await subscribed(other);
  await tellPoints(api.log);
  await arrives(other, 1);
  expect(mine.received.length).toBeLessThan(400);
});
