/** A client that its process passes on to another: docs/decisions/0084. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { liveListener } from '../../../src/api/live/listener.ts';
import { relayed } from '../../../src/api/live/relay.ts';
import { permissionsOf } from '../../../src/identity/permissions.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { liveClient, liveRefusal } from '../../support/api/live-client.ts';
import { liveService, sessionOf, type LiveService } from '../../support/api/live-service.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';
import { keysOf } from '../../support/log/keys.ts';
import { freePort } from '../../support/servers/port.ts';
import { letPass, until } from '../../support/until.ts';
import { tell, tellPoints } from '../../support/webhooks/telemetry.ts';
import { listening } from '../../support/api/listening.ts';

const token = sessionOf('acme', 'mia');

/** A process that passes all its clients on to `address`. */
const frontOf = async (address: string) => {
  const failures: Error[] = [];
  const listener = liveListener({
    admit: (client) => {
      const { host, authorization } = client.handshake.headers;
      const headers = { host, ...(authorization ? { authorization } : {}) };
      const upstream = { address, headers, connectMaxMs: 2_000, answerMaxMs: 30_000 };
      return relayed(client, upstream, (error) => failures.push(error));
    },
    origins: [],
    trustedProxies: [],
    logger: pino({ level: 'silent' }),
  });
  return { address: await listening(listener), failures };
};

const connections = ({ measured }: LiveService) => measured('atrium_live_connections');

it.each(['websocket', 'polling'] as const)(
  'joins, receives events and leaves over %s',
  async (transport) => {
    const service = await liveService();
    const { address } = await frontOf(service.address);
    const buildingId = randomUUID();
    const client = await liveClient(address, { token, transport });
    expect(await client.ask('join', { buildingId })).toEqual({ ok: true, position: 'start' });
    await tellPoints(service.log, { buildingId, points: 3 });
    await until(() => client.told.length === 3, 'three points');
    expect(client.told.map(({ body }) => body.data['value'])).toEqual([0.5, 1.5, 2.5]);
    const junk = Buffer.from([1, 2]);
    expect(await client.ask('join', junk)).toEqual({ ok: false, code: 'VALIDATION_FAILED' });
    expect(await client.ask('leave', { buildingId })).toMatchObject({ ok: true });

    client.socket.disconnect();
    await expect.poll(() => connections(service)).toBe(0);
    await expect.poll(() => service.connections()).toBe(0);
  },
);

it('is refused as the other process refuses it, and may send another credential', async () => {
  const service = await liveService();
  const { address, failures } = await frontOf(service.address);
  expect(await liveRefusal(address, { token: 'none' })).toMatchObject({
    message: 'UNAUTHENTICATED',
    data: { code: 'UNAUTHENTICATED', detail: 'This is no token.' },
  });
  const client = await rawLiveClient(address, null);
  client.send('40/buildings,{"token":"none"}');
  await client.heard('44/buildings,');
  client.send(`40/buildings,${JSON.stringify({ token })}`);
  await client.heard('40/buildings,');
  expect(await client.ask('join', { buildingId: randomUUID() })).toMatchObject({ ok: true });
  expect(failures).toEqual([]);
});

it('sends its credential in a header', async () => {
  const service = await liveService({ scopes: scopesOf() });
  const { address } = await frontOf(service.address);
  const key = (await keysOf(service.log, systemClock, 'acme').mint()).token;
  const headers = { authorization: `Bearer ${key}` };
  const client = await liveClient(address, { headers });
  expect(await client.ask('join', { buildingId: randomUUID() })).toMatchObject({ ok: true });
});

it('ends as the other process ends it, with its reason', async () => {
  const service = await liveService({ bounds: { keyCheckMs: 20 }, scopes: scopesOf() });
  const { address } = await frontOf(service.address);
  const keys = keysOf(service.log, systemClock, 'acme');
  const key = await keys.mint();
  const client = await liveClient(address, { token: key.token });
  const left = once(client.socket as never, 'disconnect');
  await keys.revoke(key.keyId);
  expect(await client.ending()).toBe('CREDENTIAL_REFUSED');
  expect((await left)[0]).toBe('io server disconnect');
});

it('reconnects after the other process has stopped, or where none listens', async () => {
  const service = await liveService();
  const front = await frontOf(service.address);
  const client = await liveClient(front.address, { token });
  const left = once(client.socket as never, 'disconnect');
  await service.close();
  expect((await left)[0]).toBe('transport close');

  const nowhere = await frontOf(`http://127.0.0.1:${await freePort()}`);
  await expect(liveClient(nowhere.address, { token })).rejects.toThrow('transport close');
  expect(nowhere.failures).toHaveLength(1);
});

/** Another process whose longest silence is short. */
const beatingUpstream = async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const beats = { pingInterval: 200, pingTimeout: 1_300 };
  const count = { pings: 0, pongs: 0 };
  let pinging: NodeJS.Timeout;
  const connection = once(server, 'connection').then(([socket]: WebSocket[]) => {
    socket!.send(`0${JSON.stringify({ sid: 'a', upgrades: [], maxPayload: 16_384, ...beats })}`);
    socket!.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet.startsWith('40')) socket!.send('40/buildings,{"sid":"b"}');
      if (packet === '3') count.pongs += 1;
    });
    pinging = setInterval(() => {
      count.pings += 1;
      socket!.send('2');
    }, beats.pingInterval);
    socket!.on('close', () => clearInterval(pinging));
    return socket!;
  });
  return {
    address: `http://127.0.0.1:${port}`,
    connection,
    count,
    vanish: () => clearInterval(pinging),
  };
};
/** More than the longest silence has. */
const PINGS = 9;

it('reconnects after the machine of the other process has vanished', async () => {
  const upstream = await beatingUpstream();
  const { address } = await frontOf(upstream.address);
  const client = await liveClient(address, { token });
  const left = once(client.socket as never, 'disconnect');
  await until(() => upstream.count.pongs >= PINGS, 'pings for longer than the longest silence');
  expect(client.socket.connected).toBe(true);
  upstream.vanish();
  expect((await left)[0]).toBe('transport close');
});

it('is closed when the other process does not read what it sends', async () => {
  const upstream = await beatingUpstream();
  const { address } = await frontOf(upstream.address);
  const client = await rawLiveClient(address, token);
  (await upstream.connection).pause();
  const closed = client.closed().then(() => true);
  const isClosed = () => Promise.race([closed, turn(false)]);
  const filler = `42/buildings,["filler","${'x'.repeat(15 * 1024)}"]`;
  // Below the rate at which a connection is closed; the kernel buffers megabytes.
  for (let sent = 0; sent < 2_000 && !(await isClosed()); sent += 10) {
    for (let count = 0; count < 10; count += 1) client.send(filler);
    await letPass(50, 'the bound of packets per second');
  }
  expect(await isClosed()).toBe(true);
});

it('that does not read for longer than the longest silence stays connected', async () => {
  const upstream = await beatingUpstream();
  const { address } = await frontOf(upstream.address);
  const client = await rawLiveClient(address, token);
  const connection = await upstream.connection;
  client.stopReading();
  const filler = `42/buildings,["filler","${'x'.repeat(256 * 1024)}"]`;
  const isFull = () => {
    connection.send(filler);
    return connection.bufferedAmount > 16 * filler.length;
  };
  await until(isFull, 'the pause of the relay', { everyMs: 10 });
  const { pings } = upstream.count;
  const isOver = () => connection.readyState !== connection.OPEN;
  await until(() => isOver() || upstream.count.pings >= pings + PINGS, 'the longest silence');
  expect(isOver()).toBe(false);
  connection.send('42/buildings,["last"]');
  client.readOn();
  await client.heard('42/buildings,["last"]');
});

it('that does not read for a while receives the latest value of each point', async () => {
  const service = await liveService();
  const { address } = await frontOf(service.address);
  const buildingId = randomUUID();
  const client = await rawLiveClient(address, token);
  expect(await client.ask('join', { buildingId })).toMatchObject({ ok: true });
  client.stopReading();
  const conflated = () => service.measured('atrium_live_conflated_messages_total');
  const pointIds = Array.from({ length: 500 }, () => randomUUID());
  let value = 0;
  const observe = () => {
    value += 1;
    const observedAt = systemClock.now();
    const points = pointIds.map((pointId) => ({
      pointId,
      elementId: null,
      spaceId: null,
      unit: null,
      value,
      observedAt,
    }));
    return tell(service.log, () => ({ type: 'PointsUpdated', buildingId, points }), { buildingId });
  };
  while ((await conflated()) === 0) {
    await observe();
    await turn();
  }
  await observe();
  client.readOn();
  const last = () => client.told.at(-1)?.body.data['value'];
  await until(() => last() === value && client.told.length > 0, 'the latest value');
  expect(client.told.length).toBeLessThan(value * pointIds.length);
});

const scopesOf = () => ({
  sandbox: permissionsOf(['viewer']),
  publish: new Set<never>(),
  full: new Set<never>(),
});
