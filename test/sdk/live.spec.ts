/** `atrium-sdk/live`, against the live service by itself. */
import { randomUUID } from 'node:crypto';
import { Agent, createServer } from 'node:http';
import type { AddressInfo, LookupFunction, Socket as Connection } from 'node:net';
import { Server, type Socket } from 'socket.io';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AtriumUnreachableError, type FollowStatus } from '../../packages/sdk/src/index.ts';
import { createLive, LiveRefusedError, type LiveItem } from '../../packages/sdk/src/live.ts';
import { permissionsOf } from '../../src/identity/permissions.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { liveService, sessionOf } from '../support/api/live-service.ts';
import { keysOf } from '../support/log/keys.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';
import { tellPoints } from '../support/webhooks/telemetry.ts';

const token = sessionOf('acme', 'mia');
const valueOf = (item: LiveItem) => (item.resync ? 'resync' : item.data['value']);
const values = (count: number) => Array.from({ length: count }, (_, index) => index + 0.5);
const here = async () => ({ ...(await liveService()), buildingId: randomUUID() });
type Here = Awaited<ReturnType<typeof here>>;

/** The first so many items, and the loop left. */
const taken = async (loop: AsyncIterable<LiveItem>, count: number) => {
  const items: LiveItem[] = [];
  for await (const item of loop) if (items.push(item) === count) break;
  return items;
};
const liveOf = ({ address }: Here) => createLive({ url: `${address}/`, token });

describe("a loop over a building's events", () => {
  it('begins with where it begins, and ends its session when it is left', async () => {
    const at = await here();
    const { buildingId } = at;
    const loop = liveOf(at)(buildingId);
    expect(await loop.next()).toEqual({
      done: false,
      value: { resync: true, position: expect.any(String) },
    });
    await tellPoints(at.log, { buildingId, points: 3 });
    const items = await taken(loop, 3);
    expect(items.map(valueOf)).toEqual(values(3));
    expect(items[0]).toEqual({
      resync: false,
      event: 'building.point.updated',
      data: expect.objectContaining({ buildingId, value: 0.5 }),
      timestamp: expect.any(String),
      position: expect.any(String),
    });
    await until(async () => (await at.measured('atrium_live_connections')) === 0, 'its end');
  });

  it('resumes after any position, without gaps or duplicates', async () => {
    const at = await here();
    const { buildingId } = at;
    const live = liveOf(at);
    const first = live(buildingId);
    await first.next();
    for (let fact = 0; fact < 3; fact += 1) await tellPoints(at.log, { buildingId, points: 4 });
    const all = await taken(first, 12);
    for (const [index, { position }] of all.slice(0, -1).entries()) {
      const rest = await taken(live(buildingId, { since: position }), 11 - index);
      expect(rest).toEqual(all.slice(index + 1));
    }
  });

  it('says when more was missed than is replayed', async () => {
    const at = await here();
    const elsewhere = { since: '999999999999' };
    const [item] = await taken(liveOf(at)(at.buildingId, elsewhere), 1);
    expect(item).toEqual({ resync: true, position: expect.any(String) });
  });

  it('outlives its session, and asks for the next token', async () => {
    const scopes = { sandbox: permissionsOf(['viewer']), publish: new Set([]), full: new Set([]) };
    const at = await liveService({ scopes, bounds: { keyCheckMs: 20 } });
    const buildingId = randomUUID();
    const keys = keysOf(at.log, systemClock, 'acme');
    const [old, recent] = [await keys.mint(), await keys.mint()];
    const tokens = [old.token, recent.token];
    const live = createLive({ url: at.address, token: () => tokens.shift()! });
    const loop = live(buildingId);
    await loop.next();
    await tellPoints(at.log, { buildingId });
    await keys.revoke(old.keyId);
    await until(async () => (await at.measured('atrium_live_connections')) === 0, 'its end');
    await tellPoints(at.log, { buildingId, points: 2 });
    expect((await taken(loop, 3)).map(valueOf)).toEqual([0.5, 0.5, 1.5]);
    expect(tokens).toEqual([]);
  });

  it('that is slow has a bounded buffer, and still receives every event', async () => {
    const at = await here();
    const { buildingId } = at;
    const loop = liveOf(at)(buildingId);
    await loop.next();
    for (let fact = 0; fact < 3; fact += 1) await tellPoints(at.log, { buildingId, points: 4_000 });
    await until(async () => (await at.measured('atrium_live_connections')) === 0, 'a full loop');
    const items = await taken(loop, 12_000);
    expect(items.map(valueOf)).toEqual([...values(4_000), ...values(4_000), ...values(4_000)]);
  });

  it('ends by its signal without an error, also while there is no server', async () => {
    const ended = new AbortController();
    const live = createLive({ url: 'http://127.0.0.1:1', token });
    const following = taken(live(randomUUID(), { signal: ended.signal }), 1);
    ended.abort();
    expect(await following).toEqual([]);
  });

  it('throws errors that a retry would not change', async () => {
    const at = await here();
    const codeOf = async (over: object, buildingId: string = at.buildingId) => {
      const live = createLive({ url: at.address, token, ...over });
      const error = await taken(live(buildingId), 1).catch((refused: unknown) => refused);
      expect(error).toBeInstanceOf(LiveRefusedError);
      return (error as LiveRefusedError).code;
    };
    expect(await codeOf({ token: 'none' })).toBe('UNAUTHENTICATED');
    expect(await codeOf({ token: sessionOf('globex', 'olga') })).toBe('NOT_FOUND');
    expect(await codeOf({}, 'no id')).toBe('VALIDATION_FAILED');
  });

  it('reports why there is no connection, and throws the last reason in time', async () => {
    const states: FollowStatus[] = [];
    const onStatus = (status: FollowStatus) => void states.push(status);
    const url = `http://127.0.0.1:${await freePort()}`;
    const live = createLive({ url, token, onRetry: () => states.push({ state: 'connected' }) });
    const failed = await taken(live(randomUUID(), { onStatus, retryBudgetMs: 1 }), 1).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(AtriumUnreachableError);
    expect(failed).toMatchObject({
      method: 'GET',
      path: '/socket.io/',
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(states.map(({ state }) => state)).toEqual([
      'connecting',
      'connected',
      'waiting',
      'connecting',
    ]);
    expect(states[2]).toMatchObject({ attempt: 1, reason: { name: 'AtriumUnreachableError' } });
  });

  it('rejects immediately for an unknown host name', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), {
      code: 'ENOTFOUND',
    });
    const lookup: LookupFunction = (_, __, callback) => callback(unknown, '', 4);
    const socket = { agent: new Agent({ lookup }) };
    const live = createLive({ url: 'http://nowhere.test', token, socket });
    const failed = await taken(live(randomUUID()), 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(AtriumUnreachableError);
    expect(failed).toMatchObject({ attempts: 1, cause: { code: 'ENOTFOUND' } });
  });

  it('rejects immediately when its origin is refused', async () => {
    const at = await here();
    const socket = { extraHeaders: { origin: 'http://elsewhere.test' } };
    const live = createLive({ url: at.address, token, socket });
    const failed = await taken(live(at.buildingId), 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(LiveRefusedError);
    expect(failed).toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('CORS_ORIGINS'),
    });
  });

  it('reaches an address below localhost by itself', async () => {
    const at = await here();
    const url = at.address.replace('127.0.0.1', 'checkout-team.sandbox.localhost');
    const [item] = await taken(createLive({ url, token })(at.buildingId), 1);
    expect(item).toEqual({ resync: true, position: expect.any(String) });
  });

  it('reports each state, and why a session has ended', async () => {
    const scopes = { sandbox: permissionsOf(['viewer']), publish: new Set([]), full: new Set([]) };
    const at = await liveService({ scopes, bounds: { keyCheckMs: 20 } });
    const keys = keysOf(at.log, systemClock, 'acme');
    const [old, recent] = [await keys.mint(), await keys.mint()];
    const tokens = [old.token, recent.token];
    const states: FollowStatus[] = [];
    const ended = new AbortController();
    const live = createLive({ url: at.address, token: () => tokens.shift()! });
    const loop = live(randomUUID(), {
      onStatus: (status) => void states.push(status),
      signal: ended.signal,
    });
    await loop.next();
    const rest = loop.next();
    await keys.revoke(old.keyId);
    await until(() => states.length === 5, 'the next session');
    ended.abort();
    await rest;
    expect(states.map(({ state }) => state)).toEqual([
      'connecting',
      'connected',
      'waiting',
      'connecting',
      'connected',
    ]);
    expect(states[2]).toMatchObject({ reason: { code: 'CREDENTIAL_REFUSED' } });
  });

  it('throws where its only session has ended', async () => {
    const scopes = { sandbox: permissionsOf(['viewer']), publish: new Set([]), full: new Set([]) };
    const at = await liveService({ scopes, bounds: { keyCheckMs: 20 } });
    const keys = keysOf(at.log, systemClock, 'acme');
    const only = await keys.mint();
    const loop = createLive({ url: at.address, token: only.token })(randomUUID());
    await loop.next();
    const rest = loop.next().catch((error: unknown) => error);
    await keys.revoke(only.keyId);
    expect(await rest).toMatchObject({ name: 'LiveRefusedError', code: 'KEY_REVOKED' });
  });
});

describe('a loop over the events of a scripted server', () => {
  type Acknowledge = (answer: object) => void;
  type Join = (socket: Socket, acknowledge: Acknowledge) => void;

  /** Each connection is handled by the next of these: a join, or the status of a page. */
  const scripted = async (...connections: readonly (Join | number)[]) => {
    const http = createServer();
    const server = new Server(http);
    onTestFinished(() => server.close());
    const joins: unknown[] = [];
    const connected: Connection[] = [];
    http.on('connection', (connection) => connected.push(connection));
    let count = 0;
    server.of('/buildings').on('connection', (socket) => {
      const handle = connections[count - 1] as Join;
      socket.on('join', (request: unknown, acknowledge: Acknowledge) => {
        joins.push(request);
        handle(socket, acknowledge);
      });
    });
    const [upgrade] = http.listeners('upgrade') as ((...sent: unknown[]) => void)[];
    http.removeAllListeners('upgrade');
    http.on('upgrade', (request, connection, head) => {
      const next = connections[count];
      count += 1;
      if (typeof next !== 'number') return upgrade!(request, connection, head);
      connection.end(`HTTP/1.1 ${next} Page\r\nlocation: /in\r\ncontent-length: 0\r\n\r\n`);
    });
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return { joins, connected, live: createLive({ url, token }) };
  };
  const tellAlarm = (socket: Socket, position: string) => {
    const event = 'building.alarm.triggered';
    socket.emit(event, { event, data: {}, timestamp: 't' }, position);
  };
  const positionsOf = (items: readonly LiveItem[]) =>
    items.map(({ resync, position }) => [resync, position]);
  const joinsAt =
    (position: string): Join =>
    (_, acknowledge) =>
      acknowledge({ ok: true, position });

  it('begins with a resync, and has each event once, whatever arrives in one chunk', async () => {
    const { live, joins, connected } = await scripted(
      (socket, acknowledge) => {
        const [connection] = connected;
        connection!.cork();
        acknowledge({ ok: true, position: '9' });
        tellAlarm(socket, '10');
        process.nextTick(() => {
          connection!.uncork();
          socket.conn.close();
        });
      },
      (socket, acknowledge) => {
        acknowledge({ ok: true, position: '10' });
        tellAlarm(socket, '11');
      },
    );
    expect(positionsOf(await taken(live('b'), 3))).toEqual([
      [true, '9'],
      [false, '10'],
      [false, '11'],
    ]);
    expect(joins).toEqual([{ buildingId: 'b' }, { buildingId: 'b', since: '10' }]);
  });

  it.each([200, 302, 404])('outlasts pages with status %i in place of the server', async (page) => {
    const { live } = await scripted(
      (socket, acknowledge) => {
        acknowledge({ ok: true, position: '9' });
        socket.conn.close();
      },
      page,
      (socket, acknowledge) => {
        joinsAt('9')(socket, acknowledge);
        tellAlarm(socket, '10');
      },
    );
    expect(positionsOf(await taken(live('b'), 2))).toEqual([
      [true, '9'],
      [false, '10'],
    ]);
  });

  it('rejects immediately where there never was a server', async () => {
    const { live } = await scripted(404);
    await expect(taken(live('b'), 1)).rejects.toMatchObject({
      name: 'LiveRefusedError',
      code: 'HTTP_404',
    });
  });
});
