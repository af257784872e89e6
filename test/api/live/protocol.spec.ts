/**
 * The service as a client meets it that shares no code with the server: Engine.IO 4 and Socket.IO 5
 * by their specifications, over WebSocket and over polling.
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { journalKeyOf } from '../../../src/domain/buildings/events.ts';
import { retentionCodec } from '../../../src/engine/retention/journal-retention.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';
import { liveService, sessionOf, type LiveService } from '../../support/api/live-service.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';
import { until } from '../../support/until.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const token = sessionOf('acme', 'mia');
const bodyOf = (buildingId: string, value: number) => ({
  event: 'building.point.updated',
  data: expect.objectContaining({ buildingId, value, pointId: expect.any(String) }),
  timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

/** As the retention does. */
const retire = async (log: LiveService['log'], journal: string) => {
  const id = randomUUID();
  const by = { kind: 'system', id: 'retention' } as const;
  const retired = retentionCodec.encode(
    id,
    { type: 'JournalRetired', journal },
    { commandId: id, at: '2026-03-11T12:00:00.000Z', by, origin: 'system' },
  );
  await log.append(streamOf('retention', journal), 'no_stream', [retired]);
  await log.deleteStream(journal);
};

it('joins, receives events, leaves, and rejoins with a replay, over WebSocket', async () => {
  const { address, log } = await liveService();
  const buildingId = randomUUID();
  const client = await rawLiveClient(address, token);
  expect(await client.ask('join', { buildingId })).toEqual({ ok: true, position: 'start' });
  await tellPoints(log, { buildingId, points: 3 });
  await until(() => client.told.length === 3, 'three points');
  expect(client.told.map(({ body }) => body)).toEqual(
    [0.5, 1.5, 2.5].map((value) => bodyOf(buildingId, value)),
  );
  expect(await client.ask('leave', { buildingId })).toMatchObject({ ok: true });
  await tellPoints(log, { buildingId });

  const again = await rawLiveClient(address, token);
  await again.ask('join', { buildingId, since: client.told[1]!.position });
  expect(again.told.map(({ body }) => body.data['value'])).toEqual([2.5, 0.5]);
  expect(client.told).toHaveLength(3);
});

it('names the timeline of a restored log, and restarts after lost events', async () => {
  const { address, log } = await liveService({ timeline: '4f1c09aa' });
  const buildingId = randomUUID();
  const client = await rawLiveClient(address, token);
  const start = { ok: true, position: '4f1c09aa:start' };
  expect(await client.ask('join', { buildingId })).toEqual(start);
  await tellPoints(log, { buildingId, points: 3 });
  await until(() => client.told.length === 3, 'three points');
  const [, second, third] = client.told.map(({ position }) => position);
  expect(third).toMatch(/^4f1c09aa:/);

  const again = await rawLiveClient(address, token);
  await again.ask('join', { buildingId, since: second });
  expect(again.told.map(({ position }) => position)).toEqual([third]);
  const lost = second!.slice('4f1c09aa:'.length);
  const resync = { ok: true, position: third, resync: true };
  expect(await again.ask('join', { buildingId, since: lost })).toEqual(resync);
});

it('restarts when a journal needed for the replay was deleted', async () => {
  const { address, log } = await liveService();
  const [buildingId, other] = [randomUUID(), randomUUID()];
  const day = '2026-03-02T12:00:00.000Z';
  await tellPoints(log, { buildingId, at: day });
  await tellPoints(log, { buildingId: other, at: day });
  const client = await rawLiveClient(address, token);
  const { position: since } = await client.ask('join', { buildingId });
  await tellPoints(log, { buildingId, at: '2026-03-02T13:00:00.000Z' });
  const journal = streamOf('telemetry', journalKeyOf(buildingId, day));
  await retire(log, journal);
  await tellPoints(log, { buildingId, at: '2026-03-11T12:00:00.000Z' });
  await tellPoints(log, { buildingId: other, at: '2026-03-11T12:00:00.000Z' });

  const again = await rawLiveClient(address, token);
  expect(await again.ask('join', { buildingId, since })).toMatchObject({ ok: true, resync: true });
  expect(again.told).toEqual([]);
  expect(await again.ask('join', { buildingId: other, since })).not.toHaveProperty('resync');
  expect(again.told).toHaveLength(1);
});

it('replays across the deletion of a journal that was closed before', async () => {
  const { address, log } = await liveService();
  const buildingId = randomUUID();
  await tellPoints(log, { buildingId, at: '2026-03-02T12:00:00.000Z' });
  await tellPoints(log, { buildingId, at: '2026-03-04T00:00:00.000Z' });
  const client = await rawLiveClient(address, token);
  const { position: since } = await client.ask('join', { buildingId });
  await retire(log, streamOf('telemetry', journalKeyOf(buildingId, '2026-03-02')));
  await tellPoints(log, { buildingId, at: '2026-03-10T00:00:01.000Z', points: 2 });

  const again = await rawLiveClient(address, token);
  expect(await again.ask('join', { buildingId, since })).not.toHaveProperty('resync');
  expect(again.told).toHaveLength(2);
  await retire(log, streamOf('telemetry', journalKeyOf(buildingId, '2026-03-04')));
  expect(await again.ask('join', { buildingId, since })).toMatchObject({ resync: true });
});

it('acknowledges join and leave, with any payload', async () => {
  const { address } = await liveService();
  const client = await rawLiveClient(address, token);
  const refused = '[{"ok":false,"code":"VALIDATION_FAILED"}]';
  let asked = 100;
  const buildingId = randomUUID();
  const junk: readonly (readonly unknown[])[] = [
    [],
    [null],
    ['text'],
    [7],
    [[]],
    [{}],
    [{ buildingId: 'none' }],
    [{ buildingId, more: 1 }],
    [{ buildingId }, { buildingId }],
  ];
  for (const event of ['join', 'leave'])
    for (const sent of junk) {
      asked += 1;
      const start = `43/buildings,${asked}`;
      client.send(`42/buildings,${asked}${JSON.stringify([event, ...sent])}`);
      expect(await client.heard(start), JSON.stringify(sent)).toBe(start + refused);
    }
});

it('is refused by a packet that has the code', async () => {
  const { address } = await liveService();
  const client = await rawLiveClient(address, null);
  client.send('40/buildings,{"token":"none"}');
  const detail = 'This is no token.';
  const error = { message: 'UNAUTHENTICATED', data: { code: 'UNAUTHENTICATED', detail } };
  expect(await client.heard('44/buildings,')).toBe(`44/buildings,${JSON.stringify(error)}`);
  client.send('40{}');
  expect(await client.heard('44{')).toContain('"code":"NOT_FOUND"');
});

it('joins and receives events over polling', async () => {
  const { address, log } = await liveService();
  const buildingId = randomUUID();
  const url = `${address}/socket.io/?EIO=4&transport=polling`;
  const opened = await (await fetch(url)).text();
  const { sid } = JSON.parse(opened.slice(1));
  const packets: string[] = [];
  const post = async (body: string) =>
    expect(await (await fetch(`${url}&sid=${sid}`, { method: 'POST', body })).text()).toBe('ok');
  const heard = async (start: string): Promise<unknown[]> => {
    for (;;) {
      const packet = packets.find((one) => one.startsWith(start));
      if (packet !== undefined) return JSON.parse(packet.slice(packet.indexOf('[')));
      const answer = await (await fetch(`${url}&sid=${sid}`)).text();
      packets.push(...answer.split('\x1e'));
    }
  };
  await post(`40/buildings,${JSON.stringify({ token })}`);
  await post(`42/buildings,7${JSON.stringify(['join', { buildingId }])}`);
  expect(await heard('43/buildings,7[')).toEqual([{ ok: true, position: 'start' }]);
  await tellPoints(log, { buildingId, points: 2 });
  const event = 'building.point.updated';
  const packetOf = (value: number) => [event, bodyOf(buildingId, value), expect.any(String)];
  expect(await heard('42/buildings,')).toEqual(packetOf(0.5));
  const second = packets.findLast((packet) => packet.startsWith('42/buildings,'))!;
  expect(JSON.parse(second.slice(second.indexOf('[')))).toEqual(packetOf(1.5));
});
