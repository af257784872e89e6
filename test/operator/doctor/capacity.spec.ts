/** When `atrium doctor` reports low capacity of the database, the bus or the process. */
import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { inject } from 'vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { layoutOf, streamConfigOf } from '../../../src/bus/nats/layout.ts';
import { configOf } from '../../../src/config/config.ts';
import { databaseConnections } from '../../../src/operator/conditions/database-connections.ts';
import { connectionsFinding, descriptorsFinding } from '../../../src/operator/doctor/capacity.ts';
import { natsStreamsFinding } from '../../../src/operator/doctor/nats-streams.ts';
import { natsProgram, natsServer, type NatsServer } from '../../support/nats/server.ts';
import { emptyDatabase, runOnce } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

describe('connections to Postgres', () => {
  const role = `r_${randomUUID().replaceAll('-', '')}`;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  /** A login without superuser rights: it cannot see other sessions' queries, and has limits. */
  let pool: ReturnType<typeof poolOf>;
  beforeAll(async () => {
    database = await emptyDatabase();
    await runOnce(database.url, `create role ${role} login`);
    const url = new URL(database.url);
    url.username = role;
    pool = poolOf(url.href, { max: 10 });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
    await runOnce(inject('clusterUrl'), `drop role ${role}`);
  });
  const bounded = async (limit: number) => {
    await runOnce(database.url, `alter role ${role} connection limit ${limit}`);
    return databaseConnections(pool);
  };

  it('are those of the whole server, where no limit is tighter', async () => {
    const { used, max } = await bounded(-1);
    const { rows } = await pool.query<{ max: number }>(
      `select current_setting('max_connections')::int as max`,
    );
    expect(max).toBeGreaterThan(rows[0]!.max - 20);
    expect(max).toBeLessThanOrEqual(rows[0]!.max);
    expect(used).toBeGreaterThanOrEqual(1);
  });

  it('are those of the login, where that limit is tighter, and each is counted', async () => {
    expect(await bounded(10)).toEqual({ used: 1, max: 10 });
    const held = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
    try {
      expect(await databaseConnections(held[0]!)).toEqual({ used: 4, max: 10 });
    } finally {
      for (const client of held) client.release();
    }
  });

  it('are those of the database, where that limit is tighter', async () => {
    await bounded(-1);
    const name = new URL(database.url).pathname.slice(1);
    await runOnce(database.url, `alter database ${name} connection limit 20`);
    expect(await databaseConnections(pool)).toMatchObject({ max: 20 });
  });

  const finding = (used: number, isServed: boolean) => {
    const rows = [{ used, max: 100 }];
    return connectionsFinding({ query: async () => ({ rows }) } as never, isServed);
  };
  it.each([
    [85, true, 'ok'],
    [86, true, 'warned'],
    [97, true, 'warned'],
    [98, true, 'failed'],
    [85, false, 'ok'],
    [86, false, 'failed'],
  ] as const)('%i of 100 in use, a server running: %s, is %s', async (used, isServed, status) =>
    expect((await finding(used, isServed)).status).toBe(status),
  );
});

describe('file descriptors', () => {
  const finding = (max: number, ATRIUM_ROLES: string) =>
    descriptorsFinding(configOf({ ATRIUM_ROLES }), async () => ({ open: 10, max }));

  it.each([
    [1_024, 'processes', 'failed'],
    [1_100, 'processes', 'ok'],
    [1_100, 'api', 'warned'],
    [25_999, 'api', 'warned'],
    [26_000, 'api', 'ok'],
  ] as const)('%i of them for %s are %s', async (max, roles, status) =>
    expect((await finding(max, roles)).status).toBe(status),
  );

  it('are not judged where the system does not report their limit', async () =>
    expect((await descriptorsFinding(configOf({}), async () => null)).status).toBe('none'));
});

describe.skipIf(!natsProgram())('streams of NATS (skipped where no nats-server is)', () => {
  const layout = layoutOf('atrium');
  let server: NatsServer;
  beforeAll(async () => {
    server = await natsServer();
    await server.start();
  });
  afterAll(() => server.release());
  const finding = () => {
    const config = configOf({ NATS_URL: server.url });
    return natsStreamsFinding(config.nats!, config, 60_000);
  };

  it('are near their bound or not, and are not created by the check', async () => {
    expect((await finding()).status).toBe('none');
    const connection = await connect({ servers: server.url.replace('nats://', '') });
    try {
      const jsm = await jetstreamManager(connection);
      const bound = 200_000;
      await jsm.streams.add({ ...streamConfigOf(layout.inbound, 1), max_bytes: bound });
      await jsm.streams.add(streamConfigOf(layout.outbound, 1));
      expect(await finding()).toEqual({
        status: 'ok',
        detail:
          'atrium-inbound has 0 MiB, 0 % of its bound; ' +
          'atrium-outbound has 0 MiB, bounded by the server alone',
      });
      const js = jsm.jetstream();
      const filledTo = async (bytes: number) => {
        const message = 'x'.repeat(10_000);
        while ((await jsm.streams.info(layout.inbound.name)).state.bytes < bytes)
          await js.publish('atrium.building.b.cafm.work-order.created', message);
      };
      await filledTo(bound * 0.72);
      expect(await finding()).toMatchObject({
        status: 'warned',
        detail: expect.stringMatching(/^atrium-inbound has 1 MiB, 7\d % of its bound$/),
      });
      await filledTo(bound * 0.91);
      expect((await finding()).status).toBe('failed');
    } finally {
      await connection.close();
    }
  });
});
