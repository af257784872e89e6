/** `atrium doctor` on real parts, and on unavailable ones. */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { LogNotSeparated, prepareLog } from '../../../src/engine/log/postgres/store.ts';
import { checkNames, examine } from '../../../src/operator/doctor/doctor.ts';
import { placeOf } from '../../../src/operator/doctor/secrets.ts';
import { testApi } from '../../support/api/api.ts';
import { temporaryDirectory } from '../../support/directory.ts';
import { emptyDatabase, freshDatabase, runOnce } from '../../support/postgres/database.ts';
import { hasS3Server, s3Server } from '../../support/s3/server.ts';
import { runAtrium } from '../../support/servers/cli.ts';
import { until } from '../../support/until.ts';

const platform = testApi();
const open: Server[] = [];
const openSockets: Socket[] = [];
afterEach(async () => {
  for (const socket of openSockets.splice(0)) socket.destroy();
  for (const server of open.splice(0)) await new Promise((closed) => server.close(closed));
});

type Environment = Readonly<Record<string, string>>;
/** The environment of a running server with all its parts. */
let env: Environment;
beforeAll(async () => {
  await until(async () => (await fetch(`${platform.address}/health/ready`)).ok, 'its readiness');
  const { port } = new URL(platform.address);
  env = {
    DATABASE_URL: platform.databaseUrl,
    OIDC_ISSUER: platform.issuer.url,
    ATRIUM_DATA: temporaryDirectory('doctor'),
    PORT: port,
  };
});

/** Deadline on a busy machine, whose slowness is not a finding here. */
const MUCH_MS = 60_000;
const examinedWith = async (over: Environment, withinMs = MUCH_MS) => {
  const checks = await examine({ ...env, ...over }, { withinMs });
  return Object.fromEntries(checks.map(({ name, status, detail }) => [name, { status, detail }]));
};
const failedOnly = (checks: Awaited<ReturnType<typeof examinedWith>>) =>
  Object.entries(checks)
    .filter(([, { status }]) => status === 'failed')
    .map(([name]) => name);

const listening = async (server: Server): Promise<number> => {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};
const http = (listener: RequestListener) => listening(createServer(listener));
/** A port without a listener. */
const unusedPort = async (): Promise<number> => {
  const server = createTcpServer();
  const port = await listening(server);
  open.pop();
  await new Promise((closed) => server.close(closed));
  return port;
};

const urlAs = (login: string, at: string): string => {
  const url = new URL(at);
  url.username = login;
  return url.href;
};

it('reports every check as ok beside a server, a line each, without a secret', async () => {
  const { code, out } = await runAtrium(env, 'doctor', '--within', '60');
  const lines = out.trimEnd().split('\n');
  expect(lines.map((line) => line.slice(8, 24).trim())).toEqual(checkNames);
  const failed = lines.filter((line) => line.startsWith('FAILED'));
  // The disk is whatever this machine has.
  expect(failed.filter((line) => !/^FAILED +disk /.test(line))).toEqual([]);
  expect(code).toBe(Math.min(1, failed.length));
  expect(out).toMatch(/^ok +postgres +postgres:\/\/[^@]*: PostgreSQL \d+/m);
  expect(out).toMatch(/^ok +server +http:\/\/127\.0\.0\.1:\d+: ready$/m);
  expect(out).toMatch(/^- +nats +NATS_URL is not set$/m);
});

it('with --json reports the same, and exits with 1 where a check has failed', async () => {
  const wrong = { ...env, PORT: String(await unusedPort()), OIDC_ISSUER: 'http://127.0.0.1:1' };
  const { code, out } = await runAtrium(wrong, 'doctor', '--json', '--within', '60');
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { name: string }[] };
  expect([code, ok]).toEqual([1, false]);
  expect(checks.map(({ name }) => name)).toEqual(checkNames);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'issuer', status: 'failed' }));
  expect(checks).toContainEqual(expect.objectContaining({ name: 'server', status: 'none' }));
});

it('reports errors of the configuration, and then checks only the release', async () => {
  const checks = await examine({ ...env, ATRIUM_PORT: '1' });
  expect(checks).toEqual([
    { name: 'configuration', status: 'failed', detail: 'ATRIUM_PORT: no such variable' },
    expect.objectContaining({ name: 'release', status: 'ok' }),
  ]);
});

it('without Postgres still checks the parts that do not depend on it', async () => {
  const place = `localhost:${await unusedPort()}/atrium`;
  const checks = await examinedWith({ DATABASE_URL: `postgres://atrium:hidden@${place}` });
  expect(failedOnly(checks).filter((name) => name !== 'disk')).toEqual(['postgres']);
  expect(checks).toMatchObject({
    postgres: { detail: expect.stringMatching(`^postgres://${place}: .*ECONNREFUSED`) },
    log: { status: 'none', detail: 'not looked at: postgres is not there' },
    issuer: { status: 'ok' },
    server: { status: 'ok' },
    projections: { status: 'none' },
  });
  expect(JSON.stringify(checks)).not.toContain('hidden');
});

it('reports a Postgres that is read-only', async () => {
  const { url, drop } = await freshDatabase();
  try {
    const name = new URL(url).pathname.slice(1);
    await runOnce(url, `alter database ${name} set default_transaction_read_only = on`);
    const checks = await examinedWith({ DATABASE_URL: url });
    expect(checks).toMatchObject({
      postgres: { status: 'ok' },
      writes: {
        status: 'failed',
        detail: expect.stringMatching(/^postgres:.*: it is read-only, as a standby is$/),
      },
      // What can be read is checked.
      connections: { status: 'ok' },
    });
  } finally {
    await drop();
  }
});

it('reports what the login lacks for a start and for sandboxes, as the start does', async () => {
  const { url, drop } = await emptyDatabase();
  const clerk = `clerk_${randomUUID().slice(0, 8)}`;
  await runOnce(url, `create role ${clerk} login`);
  await runOnce(url, `alter database ${new URL(url).pathname.slice(1)} owner to ${clerk}`);
  const DATABASE_URL = urlAs(clerk, url);
  try {
    const refusal = await prepareLog(DATABASE_URL).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LogNotSeparated);
    const checks = await examinedWith({ DATABASE_URL });
    expect(checks).toMatchObject({
      writes: {
        status: 'failed',
        detail: `${placeOf(DATABASE_URL)}: ${(refusal as Error).message}`,
      },
      'sandbox database': {
        status: 'failed',
        detail:
          `${placeOf(DATABASE_URL)}: ${clerk} may not create databases: ` +
          `alter role ${clerk} createdb; ${(refusal as Error).message}`,
      },
    });
    const elsewhere = { DATABASE_URL, ATRIUM_ROLES: 'api,projections,processes' };
    expect((await examinedWith(elsewhere))['sandbox database']?.status).toBe('none');
    await runOnce(url, `grant atrium_log, atrium_log_retention to ${clerk}`);
    await runOnce(url, `alter role ${clerk} createdb`);
    expect(await examinedWith({ DATABASE_URL })).toMatchObject({
      writes: { status: 'ok' },
      'sandbox database': { status: 'ok' },
    });
    await prepareLog(DATABASE_URL);
  } finally {
    await drop();
    await runOnce(platform.databaseUrl, `drop role ${clerk}`);
  }
});

it('checks that sandboxes can be made on the server that is set for them', async () => {
  const of = async (SANDBOX_DATABASE_URL: string) =>
    (await examinedWith({ SANDBOX_DATABASE_URL }))['sandbox database'];
  expect((await of(platform.databaseUrl))?.status).toBe('ok');
  const place = `localhost:${await unusedPort()}/atrium`;
  expect(await of(`postgres://atrium:hidden@${place}`)).toEqual({
    status: 'failed',
    detail: expect.stringMatching(`^postgres://${place}: .*ECONNREFUSED`),
  });
  const clerk = `clerk_${randomUUID().slice(0, 8)}`;
  await runOnce(platform.databaseUrl, `create role ${clerk} login`);
  try {
    await runOnce(platform.databaseUrl, `grant atrium_log to ${clerk}`);
    expect(await of(urlAs(clerk, platform.databaseUrl))).toEqual({
      status: 'failed',
      detail: expect.stringMatching(`${clerk} may not create databases: alter role .* createdb$`),
    });
  } finally {
    await runOnce(platform.databaseUrl, `drop role ${clerk}`);
  }
});

it('creates no embedded Postgres', async () => {
  const ATRIUM_DATA = temporaryDirectory('doctor');
  const checks = await examinedWith({ ATRIUM_DATA, DATABASE_URL: '' });
  expect(checks['postgres']).toEqual({
    status: 'none',
    detail: `${ATRIUM_DATA}/postgres: not made yet; the server makes it when it starts`,
  });
  expect(readdirSync(ATRIUM_DATA)).toEqual([]);
});

it('without EventStoreDB still checks Postgres, and prints no password', async () => {
  const EVENTSTORE_URL = `esdb://admin:hidden@127.0.0.1:${await unusedPort()}?tls=false`;
  const checks = await examinedWith({ EVENTSTORE_URL }, 500);
  expect(checks).toMatchObject({ log: { status: 'failed' }, projections: { status: 'none' } });
  expect(checks['postgres']?.status).not.toBe('none');
  expect(JSON.stringify(checks)).not.toContain('hidden');
});

it('ends though Postgres accepts the connection and never answers', async () => {
  const silent = await listening(
    createTcpServer((socket) => void openSockets.push(socket.on('error', () => {}))),
  );
  const checks = await examinedWith({ DATABASE_URL: `postgres://a@127.0.0.1:${silent}/a` }, 500);
  expect(checks).toMatchObject({
    postgres: {
      status: 'failed',
      detail: `postgres://127.0.0.1:${silent}/a: no answer within 0.5 s`,
    },
    parked: { status: 'none' },
  });
});

it.skipIf(!hasS3Server())(
  'stores, reads and removes a file in a bucket, and prints no key',
  async () => {
    const server = await s3Server();
    try {
      await server.start();
      const bucket = { FILES_URL: server.url('doctor-test'), ...server.credentials };
      const { files } = await examinedWith(bucket);
      expect(files).toEqual({
        status: 'ok',
        detail: expect.stringMatching(/^s3:.*\/doctor-test\/ at http.*stored, read and removed$/),
      });
      const wrong = { ...bucket, AWS_SECRET_ACCESS_KEY: 'wrong-and-hidden' };
      const checks = await examinedWith(wrong);
      expect(checks['files']?.status).toBe('failed');
      expect(checks['files']?.detail).toContain('the key is not accepted');
      expect(JSON.stringify(checks)).not.toContain('wrong-and-hidden');
      await server.freeze();
      const late = await examinedWith(bucket, 500);
      expect(late['files']).toEqual({ status: 'failed', detail: 'no answer within 0.5 s' });
    } finally {
      server.thaw();
      await server.release();
    }
  },
);

it('reports why a server is not ready', async () => {
  const port = await http((_, response) => {
    response.statusCode = 503;
    response.end(JSON.stringify({ status: 'not_ready', reasons: ['stopping'] }));
  });
  const checks = await examinedWith({ PORT: String(port) });
  expect(checks['server']).toEqual({
    status: 'failed',
    detail: `http://127.0.0.1:${port}: stopping`,
  });
});

it('reports which optional part of a server is unavailable', async () => {
  const port = await http((_, response) =>
    response.end(JSON.stringify({ status: 'degraded', reasons: ['the issuer is away'] })),
  );
  const checks = await examinedWith({ PORT: String(port) });
  expect(checks['server']).toEqual({
    status: 'failed',
    detail: `http://127.0.0.1:${port}: degraded: the issuer is away`,
  });
});

it('compares the clocks of Postgres and of the issuer with its own', async () => {
  expect((await examinedWith({}))['clock']).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(/^Postgres .*; the issuer /),
  });
  let address = '';
  const port = await http((request, response) => {
    response.setHeader('date', 'Mon, 02 Mar 2026 12:00:00 GMT');
    const isDiscovery = request.url?.includes('openid-configuration') ?? false;
    const body = isDiscovery ? { issuer: address, jwks_uri: `${address}/keys` } : { keys: [] };
    response.end(JSON.stringify(body));
  });
  address = `http://127.0.0.1:${port}`;
  const checks = await examinedWith({ OIDC_ISSUER: address });
  expect(checks['clock']).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(/^the issuer is [\d.]+ s behind$/),
  });
});

it('reads the greeting of every NATS server', async () => {
  const nats = (info: object) =>
    listening(
      createTcpServer((socket) => {
        // A client may leave its side open.
        openSockets.push(socket.on('error', () => {}));
        socket.end(`INFO ${JSON.stringify(info)}\r\n`);
      }),
    );
  const one = await nats({ version: '2.10.1', jetstream: true });
  const bare = await nats({ version: '2.10.1' });
  const of = async (NATS_URL: string) => (await examinedWith({ NATS_URL }))['nats'];
  expect(await of(`nats://user:hidden@127.0.0.1:${one}`)).toEqual({
    status: 'ok',
    detail: `nats://127.0.0.1:${one}: NATS 2.10.1`,
  });
  expect(await of(`nats://127.0.0.1:${one},nats://127.0.0.1:${bare}`)).toEqual({
    status: 'failed',
    detail: `nats://127.0.0.1:${bare}: JetStream is not enabled`,
  });
  expect(await of(`nats://127.0.0.1:${await unusedPort()}`)).toMatchObject({ status: 'failed' });
});

it('reports migrations of a newer release, and whether this release can still run', async () => {
  const { url, drop } = await freshDatabase();
  try {
    expect((await examinedWith({ DATABASE_URL: url }))['schema']).toMatchObject({ status: 'ok' });
    await runOnce(url, `insert into migration.kysely_migration values ('9998-later', '')`);
    expect((await examinedWith({ DATABASE_URL: url }))['schema']).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/; a newer release has added 9998-later$/),
    });
    await runOnce(url, `insert into migration.kysely_migration values ('9999-drop.contract', '')`);
    expect((await examinedWith({ DATABASE_URL: url }))['schema']).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^NEWER_DATABASE: .*9999-drop\.contract.*restore a backup/),
    });
  } finally {
    await drop();
  }
});

it('reports read models of another log', async () => {
  const { url, drop } = await freshDatabase();
  try {
    await runOnce(url, `insert into consumers.log (id) values (gen_random_uuid())`);
    expect((await examinedWith({ DATABASE_URL: url }))['same log']).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/^the event log is empty.*atrium log adopt$/),
    });
  } finally {
    await drop();
  }
});
