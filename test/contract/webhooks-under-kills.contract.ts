/** Events reach a webhook receiver, each once after deduplication, while senders are killed. */
import { afterEach, expect, it } from 'vitest';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { freePort } from '../support/servers/port.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';
import { inbox, isSigned, verifyStandard } from '../support/webhooks/inbox.ts';
import { tellPoints } from '../support/webhooks/telemetry.ts';

const MANAGER = 'manager@acme.test';
const FACTS = 120;
const POINTS = 10;
const EVENTS = FACTS * POINTS;

export interface KilledSender {
  /** The environment of the server: its log and its database. */
  readonly env: Record<string, string>;
  /** The log, to which the test appends events of buildings. */
  readonly log: EventStore;
  close(): Promise<void>;
}

export const webhooksUnderKills = (open: () => Promise<KilledSender>, kills: number): void => {
  const { start, release } = servers();
  afterEach(release);

  it(`reaches a receiver with every event, though ${kills} senders are killed`, async () => {
    const { env: given, log, close } = await open();
    const env = { ...given, PORT: String(await freePort()), WEBHOOK_ALLOW_PRIVATE: 'true' };
    const receiver = await inbox();
    let server = await start(env);
    const subscription = { url: receiver.url, events: ['building.point.updated'] };
    const { body } = await server.call(MANAGER, 'POST', '/api/v1/webhooks', { body: subscription });

    const points = new Set<string>();
    const publishSome = async () => {
      for (let count = 0; count < FACTS / kills; count += 1)
        for (const pointId of await tellPoints(log, { points: POINTS })) points.add(pointId);
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const before = receiver.received.length;
      const publishing = publishSome();
      await until(() => receiver.received.length > before, 'a delivery');
      await server.signal('SIGKILL');
      await publishing;
      server = await start(env);
    }
    await until(() => receiver.once().size >= points.size, 'every event');

    expect(points.size).toBe(EVENTS);
    const once = [...receiver.once().values()];
    expect(new Set(once.map((one) => one.body.data.pointId))).toEqual(points);
    expect(once).toHaveLength(EVENTS);
    for (const one of receiver.received) {
      expect(one.raw).toBe(receiver.once().get(one.key)!.raw);
      expect(isSigned(one, body.secret, 'x-svc-signature')).toBe(true);
      expect(verifyStandard(one, body.secret)).toEqual(one.body);
      expect(one.attempt).toBe(1);
    }
    const shown = await server.call(MANAGER, 'GET', `/api/v1/webhooks/${body.webhookId}`);
    expect(shown.body).toMatchObject({ status: 'active', consecutiveFailures: 0 });
    await release();
    await close();
  });
};
