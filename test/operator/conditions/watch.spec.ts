/** The probes of a server, on a real database and a real issuer. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { configOf } from '../../../src/config/config.ts';
import { memoryEventStore } from '../../../src/engine/log/memory/store.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { personKeysIn } from '../../../src/engine/personal/person-keys.ts';
import { secretsOf } from '../../../src/engine/secrets/secrets.ts';
import { systemClock } from '../../../src/engine/time/clock.ts';
import { conditionMetrics } from '../../../src/operator/conditions/metrics.ts';
import { probeMetrics, runProbes } from '../../../src/operator/conditions/probes.ts';
import { conditionProbes } from '../../../src/operator/conditions/watch.ts';
import { natsProgram, natsServer } from '../../support/nats/server.ts';
import { freshDatabase, type TestDatabase } from '../../support/postgres/database.ts';
import { poolOf } from '../../support/postgres/pool.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await freshDatabase();
  pool = poolOf(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const firstKey = randomBytes(32);
const sealedFor = (subject: string) =>
  personKeysIn({ pool, secrets: secretsOf([firstKey]), clock: systemClock }).sealing([
    { organisation: 'north', subject, purpose: 'texts' },
  ]);

/** The figures of `/metrics` once each probe of `names` has run. */
const shownBy = async (
  env: Readonly<Record<string, string>>,
  names: readonly string[],
  { key = firstKey, on = pool }: { readonly key?: Buffer; readonly on?: Pool } = {},
): Promise<string> => {
  const metrics = metricsOf({ process: false });
  const probes = conditionProbes({
    config: configOf(env),
    pool: on,
    log: memoryEventStore(),
    secrets: secretsOf([key]),
    logger: loggerOf('silent'),
    metrics: conditionMetrics(metrics),
  });
  expect(probes.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  const measured = probeMetrics(metrics);
  const stop = runProbes({ probes, measured, logger: loggerOf('silent'), firstMs: 0 });
  onTestFinished(stop);
  const looked = async () =>
    [...(await metrics.print()).matchAll(/^atrium_probe_success{probe="([\w-]+)"}/gm)].map(
      ([, name]) => name,
    );
  await expect.poll(async () => new Set(await looked())).toEqual(new Set(names));
  return metrics.print();
};

const always = [
  'certificates',
  'database-connections',
  'database-clock',
  'person-keys',
  'secrets-keys',
];

it('measure the database, its clock, its connections and its sealed rows', async () => {
  await sealedFor('user:one');
  const shown = await shownBy({}, always);
  expect(shown).not.toMatch(/^atrium_probe_success{.*} 0$/m);
  expect(shown).toMatch(/^atrium_database_connections [1-9]\d*$/m);
  expect(shown).toMatch(/^atrium_database_connections_max [1-9]\d*$/m);
  expect(shown).toMatch(/^atrium_clock_skew_seconds{clock="database"} 0$/m);
  expect(shown).toMatch(/^atrium_secrets_keys_missing{sealed="persons"} 0$/m);
  expect(shown).toMatch(/^atrium_secrets_keys_missing{sealed="webhooks"} 0$/m);
  expect(shown).not.toMatch(/^atrium_(certificate|eventstore)_\w+[ {]/m);
});

it('report a missing secrets key under which person keys are sealed', async () => {
  await sealedFor('user:two');
  const shown = await shownBy({}, always, { key: randomBytes(32) });
  expect(shown).toMatch(/^atrium_secrets_keys_missing{sealed="persons"} 1$/m);
});

it("read the issuer's clock from any answer, and from a cached one with its age", async () => {
  const methods: (string | undefined)[] = [];
  const issuer = createServer(({ method }, response) => {
    methods.push(method);
    const sentAt = Date.parse(systemClock.now()) + 3_600_000 - 600_000;
    response.setHeader('date', new Date(sentAt).toUTCString());
    response.setHeader('age', '600');
    response.writeHead(405).end();
  });
  await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => void issuer.close(() => done())));
  const OIDC_ISSUER = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`;
  const shown = await shownBy({ OIDC_ISSUER }, [...always, 'issuer-clock']);
  const [, skew] = /^atrium_clock_skew_seconds{clock="issuer"} (\S+)$/m.exec(shown)!;
  // An hour ahead, minus the whole seconds of both headers and the time of the exchange.
  expect(Number(skew)).toBeGreaterThan(3_300);
  expect(Number(skew)).toBeLessThanOrEqual(3_600);
  expect(methods).toEqual(['HEAD']);
});

it.skipIf(!natsProgram())('query NATS for the storage of its account', async () => {
  const server = await natsServer();
  onTestFinished(() => server.release());
  await server.start();
  const shown = await shownBy({ NATS_URL: server.url }, [...always, 'nats-account']);
  expect(shown).toMatch(/^atrium_bus_account_bytes 0$/m);
  // The account has no storage limit.
  expect(shown).not.toMatch(/^atrium_bus_account_bytes_max /m);
});

it('of unavailable parts are visible, and have no figure', async () => {
  const gone = poolOf('postgres://atrium@127.0.0.1:1/atrium');
  onTestFinished(() => gone.end());
  const OIDC_ISSUER = 'http://127.0.0.1:1';
  const EVENTSTORE_URL = 'esdb://127.0.0.1:1?tls=false';
  const NATS_URL = 'nats://127.0.0.1:1';
  const names = [...always, 'issuer-clock', 'nats-account', 'eventstore'];
  const shown = await shownBy({ OIDC_ISSUER, EVENTSTORE_URL, NATS_URL }, names, { on: gone });
  const failed = [...shown.matchAll(/^atrium_probe_success{probe="([\w-]+)"} 0$/gm)];
  const away = names.filter((name) => name !== 'certificates');
  expect(new Set(failed.map(([, name]) => name))).toEqual(new Set(away));
  expect(shown).not.toMatch(/^atrium_(bus|database|eventstore|secrets|clock)_\w+[ {]/m);
});
