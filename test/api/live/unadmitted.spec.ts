/** Connections without a session, which everyone may open: contract.md sections 1 and 8. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { pino } from 'pino';
import { io } from 'socket.io-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionBounds } from '../../../src/api/live/connection-counts.ts';
import {
  LIVE_CONNECT_MAX_MS,
  LIVE_HANDSHAKES_OF_CONNECTION_MAX,
  LIVE_UNADMITTED_OF_SOURCE_MAX,
} from '../../../src/api/live/limits.ts';
import { liveListener } from '../../../src/api/live/listener.ts';
import { testApi } from '../../support/api/api.ts';
import { liveClient } from '../../support/api/live-client.ts';
import { liveService, sessionOf } from '../../support/api/live-service.ts';
import { rawLiveClient } from '../../support/api/raw-live-client.ts';
import { until } from '../../support/until.ts';
import { listening } from '../../support/api/listening.ts';

const OPEN = '/socket.io/?EIO=4&transport=polling';
const token = sessionOf('acme', 'mia');
const api = testApi(() => ({ trustedProxies: ['127.0.0.1'] }));
const bounded = (bounds: { unadmittedOfSourceMax?: number; unadmittedMax?: number }, max = 10) =>
  liveService({ bounds: { ...bounds, connectionsMax: max }, trustedProxies: ['127.0.0.1'] });

/** Admits everyone, and does not serve them. */
const listenerAlone = async (bounds: Partial<ConnectionBounds>) => {
  const listener = liveListener({
    admit: async () => () => () => {},
    origins: [],
    trustedProxies: [],
    logger: pino({ level: 'silent' }),
    bounds,
  });
  return { address: await listening(listener), listener };
};

/** Opens a session of the polling transport, which is then left alone. */
const polled = (address: string, from = '192.0.2.1', more = '') =>
  fetch(`${address}${OPEN}${more}`, { headers: { 'x-forwarded-for': from } });
const statusOf = async (...opened: Parameters<typeof polled>) => (await polled(...opened)).status;
const sidIn = (text: string) => JSON.parse(text.slice(text.indexOf('{'))).sid as string;
const post = (address: string, sid: string, body: string) =>
  fetch(`${address}${OPEN}&sid=${sid}`, { method: 'POST', body });

describe('connections without a session', () => {
  it('are 200 of one address behind a trusted proxy, with the answers of the API', async () => {
    const { address } = api;
    const opened = Array.from({ length: LIVE_UNADMITTED_OF_SOURCE_MAX }, () => statusOf(address));
    expect(new Set(await Promise.all(opened))).toEqual(new Set([200]));
    const refused = await polled(address);
    expect(refused.status).toBe(429);
    const requestId = refused.headers.get('x-request-id');
    expect(requestId).toMatch(/^[\da-f-]{36}$/);
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', requestId });
    expect(await statusOf(address, '192.0.2.2')).toBe(200);
  });

  it('are bounded per address, with a 429 over polling and at the upgrade', async () => {
    const { address } = await bounded({ unadmittedOfSourceMax: 2 });
    expect([await statusOf(address), await statusOf(address)]).toEqual([200, 200]);
    const refused = await polled(address);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED', status: 429 });

    const upgrade = httpRequest(`${address}${OPEN.replace('polling', 'websocket')}`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'x-forwarded-for': '192.0.2.1',
      },
    }).end();
    const [{ statusCode, headers }] = (await once(upgrade, 'response')) as [IncomingMessage];
    expect([statusCode, headers['retry-after']]).toEqual([429, '2']);
    expect(await statusOf(address, '192.0.2.2')).toBe(200);
  });

  it('are bounded per address of the listener where no proxy is trusted', async () => {
    const { address } = await liveService({ bounds: { unadmittedOfSourceMax: 1 } });
    expect(await statusOf(address, '192.0.2.1')).toBe(200);
    expect(await statusOf(address, '192.0.2.2')).toBe(429);
  });

  it('are bounded in total, with a 503', async () => {
    const { address } = await bounded({ unadmittedMax: 2 });
    expect(await statusOf(address, '192.0.2.1')).toBe(200);
    expect(await statusOf(address, '192.0.2.2')).toBe(200);
    const refused = await polled(address, '192.0.2.3');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('take no place of a client with one', async () => {
    const { address } = await bounded({ unadmittedOfSourceMax: 5 }, 1);
    for (let count = 0; count < 5; count += 1) expect(await statusOf(address)).toBe(200);
    await liveClient(address, { token });
  });

  it('are closed where all places of admitted ones are in use, and may reconnect', async () => {
    const { address } = await listenerAlone({ connectionsMax: 1 });
    const [first, second] = [
      await rawLiveClient(address, null),
      await rawLiveClient(address, null),
    ];
    first.send('40/buildings,{}');
    await first.heard('40/buildings,');
    second.send('40/buildings,{}');
    await second.closed();
    first.leave();
    await first.closed();
    await liveClient(address, {});
  });

  it.each(['', '&sid='])('are bounded in requests that arrive together (%s)', async (more) => {
    const { address } = await bounded({ unadmittedOfSourceMax: 2 });
    const { hostname, port } = new URL(address);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.write(`GET ${OPEN}${more} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(10));
    const answers = () => text.split('HTTP/1.1 ').slice(1);
    await until(() => answers().length === 10 && /[}]$/.test(text), 'ten answers');
    const sids = answers()
      .filter((one) => one.startsWith('200'))
      .map(sidIn);
    const found = await Promise.all(sids.map((sid) => post(address, sid, '40/buildings,{}')));
    expect(found.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe('a connection without a session is counted until', () => {
  const one = () => bounded({ unadmittedOfSourceMax: 1 });
  /** Its place is free, once. */
  const isReleased = async (address: string) => {
    await until(async () => (await statusOf(address, '127.0.0.1')) === 200, 'a free place');
    expect(await statusOf(address, '127.0.0.1')).toBe(429);
  };

  it('it is admitted', async () => {
    const { address } = await one();
    for (let count = 0; count < 3; count += 1) await liveClient(address, { token });
    await isReleased(address);
  });

  it('its client leaves', async () => {
    const { address } = await one();
    const client = await rawLiveClient(address, null);
    expect(await statusOf(address, '127.0.0.1')).toBe(429);
    client.leave();
    await client.closed();
    await isReleased(address);
  });

  it('it is closed after too many handshakes', async () => {
    const { address } = await one();
    const client = await rawLiveClient(address, null);
    for (let count = 0; count <= LIVE_HANDSHAKES_OF_CONNECTION_MAX; count += 1)
      client.send('40/buildings,{"token":"none"}');
    await client.closed();
    await isReleased(address);
  });

  it('it is closed without a handshake', { timeout: LIVE_CONNECT_MAX_MS * 6 }, async () => {
    const { address } = await one();
    expect(await statusOf(address, '127.0.0.1')).toBe(200);
    expect(await statusOf(address, '127.0.0.1')).toBe(429);
    await isReleased(address);
  });

  it('it is admitted and upgraded from polling to a WebSocket', async () => {
    const { address } = await one();
    const socket = io(`${address}/buildings`, { auth: { token }, forceNew: true });
    onTestFinished(() => void socket.disconnect());
    await once(socket as never, 'connect');
    await until(() => socket.io.engine.transport.name === 'websocket', 'the upgrade');
    await isReleased(address);
  });

  it('it has left during an upgrade from polling to a WebSocket', async () => {
    const { address } = await one();
    const sid = sidIn(await (await polled(address, '127.0.0.1')).text());
    const { hostname, port } = new URL(address);
    const wire = connect(Number(port), hostname);
    wire.write(
      `GET ${OPEN.replace('polling', 'websocket')}&sid=${sid} HTTP/1.1\r\nHost: a\r\n` +
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await once(wire, 'data');
    expect(await statusOf(address, '127.0.0.1')).toBe(429);
    wire.destroy();
    expect((await post(address, sid, '1')).status).toBe(200);
    await isReleased(address);
  });

  it('the service stops', async () => {
    const { address, listener } = await listenerAlone({ unadmittedOfSourceMax: 1 });
    expect(await statusOf(address, '127.0.0.1')).toBe(200);
    await listener.close();
    await isReleased(address);
  });
});

it('ends with its session, and frees its place', async () => {
  const { address } = await bounded({}, 1);
  const client = await rawLiveClient(address, token);
  expect(await statusOf(address)).toBe(503);
  client.send('41/buildings,');
  await client.closed();
  await liveClient(address, { token });
});
