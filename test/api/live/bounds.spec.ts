/** Limits per client, organisation and process: contract.md sections 1 and 8. */
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundPackets } from '../../../src/api/live/packet-bound.ts';
import { useJournal } from '../../../src/domain/keys/journals.ts';
import {
  LIVE_HANDSHAKES_OF_CONNECTION_MAX,
  LIVE_PACKETS_A_SECOND_MAX,
  LIVE_REQUESTS_A_SECOND_MAX,
} from '../../../src/api/live/limits.ts';
import { LogUnavailable } from '../../../src/engine/log/event-store.ts';
import { permissionsOf } from '../../../src/identity/permissions.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { liveClient, liveRefusal } from '../../support/api/live-client.ts';
import { liveService, sessionOf, type LiveService } from '../../support/api/live-service.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';
import { keysOf, usesIn } from '../../support/log/keys.ts';
import { letPass, until } from '../../support/until.ts';
import { tellPoints } from '../../support/webhooks/telemetry.ts';

const joined = { ok: true, position: expect.any(String) };
const codeFor = async (address: string, token: string) =>
  (await liveRefusal(address, { token })).data?.code;

describe('connections', () => {
  it('are bounded per user and per organisation, without effect on others', async () => {
    const bounds = { connectionsOfCallerMax: 1, connectionsOfOrganisationMax: 2 };
    const service = await liveService({ bounds });
    const mia = await liveClient(service.address, { token: sessionOf('acme', 'mia') });
    expect(await codeFor(service.address, sessionOf('acme', 'mia'))).toBe('RATE_LIMITED');
    await liveClient(service.address, { token: sessionOf('acme', 'noah') });
    expect(await codeFor(service.address, sessionOf('acme', 'olga'))).toBe('RATE_LIMITED');
    await liveClient(service.address, { token: sessionOf('globex', 'olga') });

    mia.socket.disconnect();
    await expect.poll(() => service.measured('atrium_live_connections')).toBe(2);
    await liveClient(service.address, { token: sessionOf('acme', 'mia') });
  });

  it('with a session are bounded per process over all organisations, with a 503', async () => {
    const service = await liveService({ bounds: { connectionsMax: 2 } });
    const first = await rawLiveClient(service.address, sessionOf('acme', 'mia'));
    await rawLiveClient(service.address, sessionOf('globex', 'olga'));
    const polled = (more = '') =>
      fetch(`${service.address}/socket.io/?EIO=4&transport=polling${more}`);
    for (const refused of [await polled(), await polled('&nosid=1'), await polled('&x=sid=')]) {
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(await codeFor(service.address, sessionOf('acme', 'mia'))).toBeUndefined();

    first.leave();
    await first.closed();
    await expect.poll(async () => (await polled()).status).toBe(200);
  });

  it('carry a bounded number of handshakes', async () => {
    const { address } = await liveService();
    const client = await rawLiveClient(address, null);
    for (let count = 0; count <= LIVE_HANDSHAKES_OF_CONNECTION_MAX; count += 1)
      client.send('40/buildings,{"token":"none"}');
    await client.closed();
    const refused = client.packets.filter((packet) => packet.startsWith('44/buildings,'));
    expect(refused.length).toBeLessThanOrEqual(LIVE_HANDSHAKES_OF_CONNECTION_MAX);
  });
});

describe('a connection', () => {
  it('joins a bounded number of buildings, and another after a leave', async () => {
    const service = await liveService({ bounds: { roomsOfConnectionMax: 2 } });
    const client = await liveClient(service.address, { token: sessionOf('acme', 'mia') });
    const [one, two, three] = [randomUUID(), randomUUID(), randomUUID()];
    const join = (buildingId: string) => client.ask('join', { buildingId });
    for (const buildingId of [one, two, one]) expect(await join(buildingId)).toMatchObject(joined);
    expect(await join(three)).toEqual({ ok: false, code: 'RATE_LIMITED' });
    await client.ask('leave', { buildingId: one });
    expect(await join(three)).toMatchObject(joined);
  });

  it('that exceeds its rate is refused, and others receive everything', async () => {
    const { address, log } = await liveService();
    const [flooding, reading] = [
      await liveClient(address, { token: sessionOf('acme', 'mia') }),
      await liveClient(address, { token: sessionOf('acme', 'noah') }),
    ];
    const buildingId = randomUUID();
    expect(await reading.ask('join', { buildingId })).toMatchObject(joined);
    const answers = Array.from({ length: LIVE_PACKETS_A_SECOND_MAX - 10 }, () =>
      flooding.ask('join', { buildingId: randomUUID() }),
    );
    for (let fact = 0; fact < 20; fact += 1) await tellPoints(log, { buildingId });
    await expect.poll(() => reading.told.length).toBe(20);
    const codes = (await Promise.all(answers)).map(({ ok, code }) => (ok ? 'ok' : code));
    expect(new Set(codes)).toEqual(new Set(['ok', 'RATE_LIMITED']));
    expect(codes.slice(0, LIVE_REQUESTS_A_SECOND_MAX)).not.toContain('RATE_LIMITED');
  });

  it('that continues is closed with a reason, and others receive everything', async () => {
    const { address, log, measured } = await liveService();
    const flooding = await rawLiveClient(address, sessionOf('acme', 'mia'));
    const reading = await liveClient(address, { token: sessionOf('acme', 'noah') });
    const buildingId = randomUUID();
    expect(await reading.ask('join', { buildingId })).toMatchObject(joined);
    const closed = flooding.closed().then(() => true);
    const join = `42/buildings,1${JSON.stringify(['join', { buildingId }])}`;
    const isClosed = () => Promise.race([closed, turn(false)]);
    let sent = 0;
    while (!(await isClosed())) {
      for (let count = 0; count < 1_000; count += 1) flooding.send(join);
      await tellPoints(log, { buildingId });
      sent += 1;
    }
    expect(await flooding.ending()).toBe('RATE_LIMITED');
    await expect.poll(() => reading.told.length).toBe(sent);
    expect(await measured('atrium_live_dropped_sessions_total{reason="RATE_LIMITED"}')).toBe(1);
    await expect.poll(() => measured('atrium_live_connections')).toBe(1);
  });

  it('may send a bounded number of packets per second', () => {
    let [now, exceeded] = [0, 0];
    let packet = () => {};
    const connection = { on: (_: 'packet', heard: () => void) => (packet = heard) };
    boundPackets(
      connection,
      () => (exceeded += 1),
      () => now,
    );
    const send = (count: number) => Array.from({ length: count }, () => packet());
    send(LIVE_PACKETS_A_SECOND_MAX);
    now = 1_000;
    send(LIVE_PACKETS_A_SECOND_MAX);
    expect(exceeded).toBe(0);
    now = 1_999;
    send(2);
    expect(exceeded).toBe(1);
  });
});

describe('a replay', () => {
  /** A service whose replays wait for `read` before each page. */
  const replaying = async () => {
    const read = Promise.withResolvers<void>();
    let reads = 0;
    const service = await liveService({
      beforeRead: () => {
        reads += 1;
        return read.promise;
      },
    });
    const client = (who: string) => liveClient(service.address, { token: sessionOf('acme', who) });
    const isReading = (count: number) => until(() => reads === count, `page ${count}`);
    return { ...service, client, read, isReading, reads: () => reads };
  };
  const since = 'start';

  it('has at most two permits of one caller, and one without stays in its room', async () => {
    const { log, client, read, isReading } = await replaying();
    const member = await client('mia');
    const buildingId = randomUUID();
    expect(await member.ask('join', { buildingId })).toMatchObject(joined);
    const [first, second, other] = [await client('mia'), await client('mia'), await client('noah')];
    const answers = [first.ask('join', { buildingId, since })];
    await isReading(1);
    answers.push(second.ask('join', { buildingId, since }));
    await isReading(2);
    const refused = member.ask('join', { buildingId, since });
    const reads = isReading(3).then(() => 'it reads');
    expect(await Promise.race([refused, reads])).toEqual({ ok: false, code: 'RATE_LIMITED' });
    answers.push(other.ask('join', { buildingId, since }));
    await reads;
    await tellPoints(log, { buildingId });
    await until(() => member.told.length === 1, 'the event of the member');
    read.resolve();
    for (const answer of answers) expect(await answer).toMatchObject(joined);
  });

  it('ends when its client has left', async () => {
    const { client, read, isReading, reads, measured } = await replaying();
    const [leaving, other] = [await client('mia'), await client('noah')];
    leaving.socket.emit('join', { buildingId: randomUUID(), since });
    await isReading(1);
    leaving.socket.disconnect();
    await expect.poll(() => measured('atrium_live_connections')).toBe(1);
    read.resolve();
    const answer = await other.ask('join', { buildingId: randomUUID(), since });
    expect(answer).toMatchObject(joined);
    // Two of them for the other client.
    expect(reads()).toBe(3);
  });

  it.each([false, true])(
    'that fails leaves a member in its room; with events: %s',
    async (told) => {
      const { log, client, read, isReading } = await replaying();
      const [member, other] = [await client('mia'), await client('noah')];
      const buildingId = randomUUID();
      for (const one of [member, other]) await one.ask('join', { buildingId });
      const answer = member.ask('join', { buildingId, since });
      await isReading(1);
      if (told) {
        await tellPoints(log, { buildingId });
        await until(() => other.told.length === 1, 'an event');
      }
      read.reject(new LogUnavailable('no answer in time'));
      expect(await answer).toMatchObject(
        told ? { ...joined, resync: true } : { ok: false, code: 'UNAVAILABLE' },
      );
      await tellPoints(log, { buildingId });
      await until(() => member.told.length === 1, 'the event');
    },
  );
});

describe("a key's session", () => {
  const scopes = { sandbox: permissionsOf(['viewer']), publish: new Set([]), full: new Set([]) };
  const checks = { bounds: { keyCheckMs: 20 }, scopes } as const;
  const uses = async (log: LiveService['log']) =>
    (await usesIn(log, useJournal('acme', systemClock.now()))).length;

  it('ends when the key is revoked, with a reason', async () => {
    const { address, log, measured } = await liveService(checks);
    const keys = keysOf(log, systemClock, 'acme');
    const { token, keyId } = await keys.mint();
    const client = await liveClient(address, { token });
    await until(async () => (await uses(log)) >= 3, 'two checks');
    expect(client.socket.connected).toBe(true);
    await keys.revoke(keyId);
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
    await expect.poll(() => client.socket.connected).toBe(false);
    expect(await measured('atrium_live_dropped_sessions_total{reason="CREDENTIAL_REFUSED"}')).toBe(
      1,
    );
    expect(await codeFor(address, token)).toBe('KEY_REVOKED');
  });

  it('ends with the first join after the key was revoked', async () => {
    const { address, log } = await liveService({ scopes, bounds: { keyCheckMs: 3_600_000 } });
    const buildingId = randomUUID();
    const keys = keysOf(log, systemClock, 'acme');
    const { token, keyId } = await keys.mint();
    const client = await liveClient(address, { token });
    expect(await client.ask('join', { buildingId })).toMatchObject({ ok: true });
    await keys.revoke(keyId);
    client.socket.emit('join', { buildingId });
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
  });

  it('ends when the key has expired', async () => {
    let now = systemClock.now();
    const { address, log } = await liveService({ ...checks, clock: { now: () => now } });
    const keys = keysOf(log, { now: () => now }, 'acme');
    const { token } = await keys.mint({ expiresInDays: 1 });
    const client = await liveClient(address, { token });
    now = new Date(Date.parse(now) + 86_400_000).toISOString();
    expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
  });

  it('is checked no more when its client has left in the middle of a check', async () => {
    let checks = 0;
    const release = Promise.withResolvers<void>();
    const { address, log, measured } = await liveService({
      scopes,
      bounds: { keyCheckMs: 1 },
      async beforeKeyCheck() {
        checks += 1;
        if (checks === 2) await release.promise;
      },
    });
    const { token } = await keysOf(log, systemClock, 'acme').mint();
    const client = await liveClient(address, { token });
    await until(() => checks === 2, 'the second check');
    client.socket.disconnect();
    await until(async () => (await measured('atrium_live_connections')) === 0, 'its end');
    release.resolve();
    await letPass(50, 'a third check, which must not come');
    expect(checks).toBe(2);
  });
});
