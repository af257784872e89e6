/** The live service as its clients have it: contract.md section 8. */
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingIssuer, type SigningIssuer } from '../../identity/oidc/signing-issuer.ts';
import { testApi } from '../../support/api/api.ts';
import { liveClient, liveRefusal, type LiveClient } from '../../support/api/live-client.ts';
import { openLiveService, sessionOf } from '../../support/api/open-live-service.ts';
import { testPlatform, type TestPlatform } from '../../support/api/platform.ts';
import { importMetered, type MeteredBuilding } from '../../support/api/telemetry.ts';

const api = testApi();
const manager = api.as('manager@acme.test');
const operator = api.as('operator@atrium.test');
const point = { pointClass: 'Zone_Air_Temperature_Sensor' };
const POINTS = { A: point, B: point };
const ORIGIN = 'http://portal.test';

const tokenOf = (email = 'viewer@acme.test') => api.issuer.tokenOf(email);
const connected = async (email?: string, over = {}) =>
  liveClient(api.address, { token: await tokenOf(email), ...over });
const at = (second: number) => new Date(Date.UTC(2026, 2, 2, 12, 0, second)).toISOString();

/** One ingest: code → value, at this second. */
const send = async (building: MeteredBuilding, second: number, values: Record<string, number>) => {
  const ids = await building.ids();
  const observations = Object.entries(values).map(([code, value]) => ({
    pointId: ids[code],
    value,
    timestamp: at(second),
  }));
  const answer = await manager.post(`${building.path}/observations`, { observations });
  expect(answer.status).toBe(200);
};
const valuesOf = ({ told }: LiveClient) => told.map(({ body }) => body.data['value']);
const publish = async (buildingId: string, type: string, data: object) => {
  const subject = `atrium.building.${buildingId}.${type}`;
  const message = { eventId: randomUUID(), occurredAt: at(0), buildingId, ...data };
  const answer = await operator.post('/api/v1/bus/events', { subject, data: message });
  expect(answer.status).toBe(202);
  return message;
};

describe('permission to listen', () => {
  it.each(['websocket', 'polling'] as const)(
    'is decided by auth.token or the Authorization header, over %s',
    async (transport) => {
      const token = await tokenOf();
      const clients = [
        await connected(undefined, { transport }),
        await liveClient(api.address, {
          transport,
          headers: { authorization: `Bearer ${token}` },
        }),
      ];
      const building = await importMetered(manager, POINTS);
      for (const client of clients)
        expect(await client.ask('join', { buildingId: building.buildingId })).toEqual({
          ok: true,
          position: expect.any(String),
        });
      await send(building, 1, { A: 20 });
      for (const client of clients) await expect.poll(() => valuesOf(client)).toEqual([20]);
    },
  );

  it('is refused without a token, with a wrong one, or without the role', async () => {
    const refused = async (token: string | null) =>
      (await liveRefusal(api.address, { token })).data?.code;
    expect(await refused(null)).toBe('UNAUTHENTICATED');
    expect(await refused('a.b.c')).toBe('UNAUTHENTICATED');
    const token = await tokenOf();
    expect(await refused(`${token.slice(0, -8)}AAAAAAAA`)).toBe('UNAUTHENTICATED');
    expect(await refused(await tokenOf('operator@atrium.test'))).toBe('PERMISSION_DENIED');
  });

  it('is no API key where sessions are needed, and that is recorded', async () => {
    const { body } = await manager.post('/api/v1/keys', { label: 'live', scope: 'full' });
    const { data } = await liveRefusal(api.address, { token: body.token });
    expect(data?.code).toBe('SCOPE_DENIED');
    const audit = await manager.get(`/api/v1/keys/audit?keyId=${body.keyId}&outcome=denied`);
    expect(audit.body.items).toMatchObject([{ reason: 'scope', route: 'GET /socket.io/' }]);
  });

  it.each(['/', '/other'])('is refused in the namespace %s', async (namespace) => {
    await expect(
      liveRefusal(api.address, { namespace, token: await tokenOf() }),
    ).resolves.toBeInstanceOf(Error);
  });
});

describe('a page of another origin', () => {
  /** Status and body of the first request of a connection. */
  const first = (transport: 'polling' | 'websocket', headers: Record<string, string>) =>
    new Promise<string>((resolve, reject) => {
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      };
      const asked = httpRequest(`${api.address}/socket.io/?EIO=4&transport=${transport}`, {
        headers: { ...headers, ...(transport === 'websocket' ? upgrade : {}) },
      });
      asked.on('error', reject);
      asked.on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(`${response.statusCode}`);
      });
      asked.on('response', (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve(`${response.statusCode}${body === '' ? '' : ' body'}`));
      });
      asked.end();
    });

  it.each([
    ['polling', '200 body'],
    ['websocket', '101'],
  ] as const)(
    'gets an empty 403 over %s; a listed one and none pass',
    async (transport, passed) => {
      for (const origin of ['http://evil.test', 'null', `${ORIGIN}.evil.test`, `${ORIGIN}:81`])
        expect(await first(transport, { origin })).toBe('403');
      expect(await first(transport, { origin: ORIGIN })).toBe(passed);
      expect(await first(transport, {})).toBe(passed);
    },
  );

  it('does not hinder requests that offer another protocol', async () => {
    const asked = httpRequest(`${api.address}/health/live`, {
      headers: { connection: 'Upgrade', upgrade: 'h2c' },
    });
    const status = new Promise((done) => asked.on('response', (answer) => done(answer.statusCode)));
    asked.end();
    expect(await status).toBe(200);
  });
});

describe('the page to watch it', () => {
  it('is there only where it is asked for, as in development', async () => {
    expect((await api.as(null).get('/docs/live')).status).toBe(404);
    const other = await api.beside({ livePage: true });
    expect((await other.as(null).get('/docs/live')).status).toBe(200);
  });
});

describe('a session', () => {
  let issuer: SigningIssuer;
  let platform: TestPlatform;
  beforeAll(async () => {
    issuer = await signingIssuer();
    platform = await testPlatform({ issuer: { url: issuer.url, tokenOf: () => issuer.token() } });
  });
  afterAll(async () => {
    await platform.close();
    await issuer.close();
  });
  const token = (expiresInS: number) =>
    issuer.token({
      organization: 'acme',
      realm_access: { roles: ['viewer'] },
      exp: Math.ceil(Date.now() / 1_000) + expiresInS,
    });

  it('ends when its token expires, with a reason', async () => {
    const client = await liveClient(platform.address, { token: await token(15) });
    const gone = new Promise((done) => client.socket.once('disconnect', done));
    expect(await client.ending()).toBe('TOKEN_EXPIRED');
    expect(await gone).toBe('io server disconnect');
  });

  it('does not begin with a token that has expired', async () => {
    const refused = await liveRefusal(platform.address, { token: await token(-1) });
    expect(refused.data?.code).toBe('UNAUTHENTICATED');
  });

  it('is counted while it lasts, and so are the rooms', async () => {
    const measured = async () => {
      const { body } = await platform.with('').get('/metrics');
      return ['connections', 'rooms'].map((what) =>
        Number(new RegExp(`^atrium_live_${what} (\\d+)`, 'm').exec(body)?.[1]),
      );
    };
    const roles = { organization: 'acme', realm_access: { roles: ['manager'] } };
    const by = platform.with(await issuer.token(roles));
    const { buildingId } = await importMetered(by, POINTS);
    const client = await liveClient(platform.address, { token: await token(600) });
    await client.ask('join', { buildingId });
    await expect.poll(measured).toEqual([1, 1]);
    client.socket.disconnect();
    await expect.poll(measured).toEqual([0, 0]);
  });
});

describe('joining', () => {
  it('answers NOT_FOUND for a building of another organisation, and for none', async () => {
    const client = await connected();
    const theirs = await api.importBuilding('manager@globex.test');
    for (const buildingId of [theirs, randomUUID()])
      expect(await client.ask('join', { buildingId })).toEqual({ ok: false, code: 'NOT_FOUND' });
  });

  it('refuses an invalid payload', async () => {
    const client = await connected();
    const buildingId = randomUUID();
    for (const payload of [
      undefined,
      null,
      'x',
      {},
      { buildingId: 'x' },
      { buildingId, more: 1 },
      { buildingId, since: 5 },
      { buildingId, since: '' },
      { buildingId, since: '1~0' },
      { buildingId, since: 'x'.repeat(1_000) },
    ])
      expect(await client.ask('join', payload)).toEqual({ ok: false, code: 'VALIDATION_FAILED' });
  });

  it("delivers the building's events, with the bodies of webhooks, until leave", async () => {
    const building = await importMetered(manager, POINTS);
    const other = await importMetered(manager, POINTS);
    const { buildingId } = building;
    const client = await connected();
    await client.ask('join', { buildingId: buildingId.toUpperCase() });
    await send(other, 1, { A: 1 });
    await send(building, 1, { A: 20.5 });
    await expect.poll(() => client.told.length).toBe(1);
    const pointId = await building.idOf('A');
    expect(client.told[0]).toEqual({
      event: 'building.point.updated',
      body: {
        event: 'building.point.updated',
        data: expect.objectContaining({ buildingId, pointId, value: 20.5, observedAt: at(1) }),
        timestamp: at(1),
      },
      position: expect.any(String),
    });
    expect(await client.ask('leave', { buildingId })).toMatchObject({ ok: true });
    await send(building, 2, { A: 21 });
    const witness = await connected();
    await witness.ask('join', { buildingId, since: client.told[0]!.position });
    await expect.poll(() => valuesOf(witness)).toEqual([21]);
    expect(valuesOf(client)).toEqual([20.5]);
  });

  it('delivers alarms, and no faults', async () => {
    const building = await importMetered(manager, POINTS);
    const rule = { title: 'Too warm', severity: 'high', comparison: 'gt', threshold: 25 };
    const pointId = await building.idOf('A');
    const made = await manager.post(`${building.path}/diagnostic-rules`, { ...rule, pointId });
    expect(made.status).toBe(201);
    const client = await connected();
    await client.ask('join', { buildingId: building.buildingId });
    await send(building, 1, { A: 30 });
    await expect.poll(() => client.told.length).toBe(2);
    await send(building, 2, { A: 31 });
    await expect.poll(() => client.told.length).toBe(3);
    expect(client.told.map(({ event }) => event)).toEqual([
      'building.point.updated',
      'building.alarm.triggered',
      'building.point.updated',
    ]);
    expect(client.told[1]!.body.data).toMatchObject({ title: 'Too warm', value: 30, pointId });
  });

  it('forwards only wifi-sensing events from the bus, unchanged', async () => {
    const { buildingId } = await importMetered(manager, POINTS);
    const client = await connected();
    await client.ask('join', { buildingId });
    const types = ['event', 'occupancy.changed', 'hvac.presence', 'meeting.lifecycle'];
    const workOrder = { workOrderId: randomUUID(), ticketId: randomUUID(), title: 'x' };
    await publish(buildingId, 'cafm.work-order.created', workOrder);
    const sent = [];
    for (const [count, type] of types.entries())
      sent.push(await publish(buildingId, `wifi-sensing.${type}`, { count, zones: [{ a: null }] }));
    await expect.poll(() => client.told.length).toBe(4);
    expect(client.told.map(({ event }) => event)).toEqual(
      types.map((type) => `wifi-sensing.${type}`),
    );
    expect(client.told.map(({ body }) => body.data)).toEqual(sent);
  });

  it('refuses a message over the size limit', async () => {
    const client = await connected();
    const gone = new Promise((done) => client.socket.once('disconnect', done));
    client.socket.emit('join', { buildingId: 'x'.repeat(100_000) });
    await gone;
  });
});

describe('since', () => {
  it('replays missed events, also from the middle of an ingest, without duplicates', async () => {
    const codes = Array.from({ length: 20 }, (_, index) => `P${index}`);
    const building = await importMetered(
      manager,
      Object.fromEntries(codes.map((code) => [code, point])),
    );
    const { buildingId } = building;
    const client = await connected();
    await client.ask('join', { buildingId });
    for (const second of [1, 2, 3])
      await send(
        building,
        second,
        Object.fromEntries(codes.map((code, index) => [code, second * 100 + index])),
      );
    await expect.poll(() => client.told.length).toBe(60);
    const all = valuesOf(client);
    for (const [index, { position }] of client.told.entries()) {
      if (index % 7 !== 0) continue;
      const again = await connected();
      await again.ask('join', { buildingId, since: position });
      expect(valuesOf(again)).toEqual(all.slice(index + 1));
    }
  });

  it('of no place in this log asks for a new start', async () => {
    const { buildingId } = await importMetered(manager, POINTS);
    const client = await connected();
    for (const since of ['999999999999', 'elsewhere'])
      expect(await client.ask('join', { buildingId, since })).toEqual({
        ok: true,
        position: expect.any(String),
        resync: true,
      });
  });

  it('after each of many lost connections has no gaps and no duplicates', async () => {
    const building = await importMetered(manager, POINTS);
    const { buildingId } = building;
    const VALUES = 120;
    let since: string | undefined;
    const heard: unknown[] = [];
    const first = await connected();
    since = (await first.ask('join', { buildingId })).position;
    first.socket.disconnect();
    const sending = (async () => {
      for (let value = 1; value <= VALUES; value += 2)
        await send(building, value, { A: value, B: value + 1 });
    })();
    let connections = 0;
    while (heard.length < VALUES) {
      const client = await connected();
      connections += 1;
      const { position } = await client.ask('join', { buildingId, since });
      const wanted = Math.min(heard.length + 5, VALUES);
      await expect.poll(() => heard.length + client.told.length >= wanted).toBe(true);
      client.socket.disconnect();
      heard.push(...valuesOf(client));
      since = client.told.at(-1)?.position ?? position;
    }
    await sending;
    expect(connections).toBeGreaterThan(1);
    expect(heard).toEqual(Array.from({ length: VALUES }, (_, index) => index + 1));
  });

  it('is served by any other process', async () => {
    const building = await importMetered(manager, POINTS);
    const { buildingId } = building;
    const client = await connected();
    const { position: since } = await client.ask('join', { buildingId });
    await send(building, 1, { A: 1 });
    const other = await api.beside();
    const there = await liveClient(other.address, { token: await tokenOf() });
    await there.ask('join', { buildingId, since });
    await send(building, 2, { A: 2 });
    await expect.poll(() => valuesOf(there)).toEqual([1, 2]);
    await expect.poll(() => valuesOf(client)).toEqual([1, 2]);
  });
});

it('lets its clients reconnect by themselves after a stop of the server', async () => {
  const service = await openLiveService();
  const client = await liveClient(service.address, { token: sessionOf('acme', 'ana') });
  const gone = new Promise((done) => client.socket.once('disconnect', done));
  await service.close();
  // After `io server disconnect` the official client does not reconnect.
  expect(await gone).toBe('transport close');
});
