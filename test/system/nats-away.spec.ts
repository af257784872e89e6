/** A whole server with NATS, behind a load balancer that follows `/health/ready`. */
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { natsProgram, natsServer, type NatsServer } from '../support/nats/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { balancer, type Balancer } from '../support/servers/balancer.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const ROUNDS = 50;

const { start, release } = servers();
let nats: NatsServer | null = null;
let front: Balancer | null = null;
afterEach(async () => {
  await front?.close();
  await release();
  await nats?.release();
});

describe.skipIf(!natsProgram())('without NATS (skipped where no nats-server is installed)', () => {
  it('every request behind a balancer is served, and readiness is degraded', async () => {
    const { url, drop } = await freshDatabase();
    const broker = await natsServer();
    nats = broker;
    await broker.start();
    const server = await start({
      DATABASE_URL: url,
      NATS_URL: broker.url,
      ATRIUM_DATA: temporaryDirectory('nats-away'),
    });
    const balanced = await balancer([server.url]);
    front = balanced;
    const token = await server.tokenOf(AGENT);
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${balanced.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    const readiness = async () => {
      const answer = await fetch(`${server.url}/health/ready`);
      return { status: answer.status, body: (await answer.json()) as { status: string } };
    };
    await until(async () => (await readiness()).body.status === 'ready', 'readiness');
    const { body: buildings } = await call('GET', '/api/v1/buildings');
    const buildingId: string = buildings.items[0].id;

    await broker.kill();
    await until(async () => (await readiness()).body.status !== 'ready', 'the loss of NATS');
    await expect.poll(readiness).toEqual({
      status: 200,
      body: {
        status: 'degraded',
        reasons: [expect.stringMatching(/^NATS \(127\.0\.0\.1:\d+\) cannot be used: /)],
      },
    });
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const opened = await call('POST', REQUESTS, { buildingId, description: `away ${round}` });
      const read = await call('GET', `${REQUESTS}/${opened.body.id}`);
      statuses.push(opened.status, read.status, (await call('GET', REQUESTS)).status);
    }
    expect(statuses).toEqual(Array.from({ length: ROUNDS }, () => [201, 200, 200]).flat());
    expect(balanced.failures).toEqual([]);

    await broker.start();
    await until(async () => (await readiness()).body.status === 'ready', 'readiness again');
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
    await drop();
  });
});
