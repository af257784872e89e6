/**
 * The cost of sandboxes: the time until one is ready, also from a snapshot; the idle cost of closed
 * and open ones; and the latency of a request that opens one.
 *
 *     node bench/sandboxes.ts [sandboxes]
 *
 * One hosting process on its own cluster, fsync on. The time until ready is from the request to the
 * event that records it. `sandboxes` (default 5) is the number of sandboxes for the idle figures.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Client } from 'pg';
import { processShares } from '../src/composition/process-shares.ts';
import { migrate } from '../src/engine/postgres/migrate.ts';
import { migrations } from '../src/migrations/migrations.ts';
import { openDatabase } from '../src/engine/postgres/pool.ts';
import { databaseNames } from '../src/hosting/names.ts';
import { hostSandboxes } from '../src/hosting/host.ts';
import type { SandboxParameters } from '../src/domain/sandboxes/parameters.ts';
import { estimatedBytesOf } from '../src/domain/sandboxes/size.ts';
import type { SandboxView } from '../src/domain/sandboxes/view.ts';
import { phases } from '../src/domain/sandboxes/phases.ts';
import type { SandboxCommand } from '../src/domain/sandboxes/sandbox.ts';
import { snapshotIdOf } from '../src/domain/sandboxes/snapshots/ids.ts';
import { sandboxRepository } from '../src/use-cases/sandboxes/sandboxes.ts';
import { keyUseLog } from '../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../src/identity/keys/authority.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { loggerOf } from '../src/engine/observe/logging.ts';
import { secretsOf } from '../src/engine/secrets/secrets.ts';
import { untrustedHttp as openUntrustedHttp } from '../src/outbound/untrusted-http.ts';
import { installationId } from '../src/engine/log/installation.ts';
import { postgresEventStore, prepareLog } from '../src/engine/log/postgres/store.ts';
import { benchCluster } from './support/cluster.ts';
import { cpuSince, cpuTime } from './support/cpu.ts';
import { recordFigures } from './support/figures.ts';
import { currentVersions } from '../test/support/log/keys.ts';

const count = Number(process.argv[2] ?? 5);
const IDLE_SECONDS = 10;
/** Sandboxes of 3 storeys and 7 days, built concurrently. */
const AT_ONCE = 10;

// Threads use the compile cache, as those of the server do.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/node');
const cluster = await benchCluster();
const url = await cluster.database('platform');
await prepareLog(url);
const logger = loggerOf('error');
const log = postgresEventStore({ url, logger });
const db = openDatabase({ url, logger });
await migrate(db.pool, migrations);
const uses = keyUseLog({ log, clock: systemClock, versions: currentVersions });
const keys = keyAuthority({ log, uses, clock: systemClock, logger });
const untrustedHttp = openUntrustedHttp({ allowPrivate: false });
const parts = {
  log,
  db,
  clock: systemClock,
  logger,
  identity: {
    issuer: 'http://issuer.test',
    ready: async () => true as const,
    reachable: () => true as const,
    callerOf: () => Promise.reject(new Error('none')),
  },
  keyAuthority: keys,
  secrets: secretsOf([Buffer.alloc(32, 7)]),
  untrustedHttp,
  spacesPageMax: 1_000,
  telemetryRetentionDays: null,
  ...processShares(),
  trustedProxies: [],
  databaseUrl: url,
  urls: { publicUrl: 'http://localhost', corsOrigins: [], sandboxHost: 'sandbox.localhost' },
};
const host = hostSandboxes(parts);
const sandboxes = sandboxRepository(log);

const parametersOf = (storeys: number, days: number): SandboxParameters => ({
  buildingType: 'office',
  storeys,
  areaSqm: storeys * 1_000,
  seedTelemetryDays: days,
  spacesMin: 10,
  spacesMax: 30,
  equipmentDensity: 'realistic',
  occupancyProfile: 'office-hours',
  seed: 'bench',
  liveTelemetry: false,
});

const sandboxOf = (storeys: number, days: number): SandboxView => ({
  sandboxId: `sbx_${randomUUID().replaceAll('-', '').slice(0, 16)}`,
  organisation: 'acme',
  developer: 'bench',
  placeId: randomUUID(),
  name: 'bench',
  slug: `bench-${randomUUID().slice(0, 6)}`,
  status: 'provisioning',
  generation: 1,
  replacesDatabase: false,
  parameters: parametersOf(storeys, days),
  branch: null,
  estimatedBytes: estimatedBytesOf(parametersOf(storeys, days)),
  progress: { phase: 'database', percent: 0 },
  createdAt: systemClock.now(),
  createdBy: { kind: 'user', id: 'bench' },
  requestedAt: systemClock.now(),
  begunAt: systemClock.now(),
  expiresAt: '2099-01-01T00:00:00.000Z',
  expiresSoon: false,
  extensionsRemaining: 2,
  buildingId: null,
  failureReason: null,
  ended: null,
});

const watching = new Client({ connectionString: url });
await watching.connect();
const prefix = async () => databaseNames('platform', await installationId(log)).prefix;
const sizeOf = async ({ sandboxId }: SandboxView) => {
  const { rows } = await watching.query<{ mb: number }>(
    `select round(pg_database_size($1) / 1e6)::int as mb`,
    [`${await prefix()}_${sandboxId}_g1`],
  );
  return rows[0]!.mb;
};
const connections = async () => {
  const { rows } = await watching.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where starts_with(datname, $1)`,
    [`${await prefix()}_sbx`],
  );
  return rows[0]!.n;
};

const built = async (sandbox: SandboxView): Promise<readonly string[]> => {
  const signal = new AbortController().signal;
  const times: string[] = [];
  for (const phase of phases) {
    const began = performance.now();
    await host.builder.build[phase](sandbox, signal);
    times.push(`${phase} ${((performance.now() - began) / 1_000).toFixed(2)}`);
  }
  return times;
};

/** Records the sandbox in the log, which the creation of a snapshot reads. */
const recorded = async (sandbox: SandboxView): Promise<string> => {
  const { sandboxId, organisation, developer, placeId, name, slug, parameters } = sandbox;
  const asked = { sandboxId, organisation, developer, placeId, name, slug, parameters };
  const occasion = { at: systemClock.now(), by: sandbox.createdBy, origin: 'system' } as const;
  const buildingId = await host.builder.buildingOf(sandbox);
  const commands: readonly SandboxCommand[] = [
    { type: 'RequestSandbox', ...asked, ttlDays: 1 },
    { type: 'BeginProvisioning', generation: 1 },
    { type: 'EndProvisioning', generation: 1, buildingId },
  ];
  for (const command of commands)
    await sandboxes.give(sandboxId, { commandId: randomUUID(), command }, occasion);
  return buildingId;
};

/** Copies the sandbox into a snapshot, and the snapshot into a sandbox. */
const branched = async (sandbox: SandboxView): Promise<void> => {
  const { sandboxId, organisation, developer, parameters, estimatedBytes } = sandbox;
  const buildingId = await recorded(sandbox);
  const snapshotId = snapshotIdOf(randomUUID(), randomUUID());
  const start = performance.now();
  const bytes = await host.builder.snapshots.make(
    {
      snapshotId,
      organisation,
      developer,
      name: 'bench',
      sandboxId,
      generation: 1,
      parameters,
      buildingId,
      status: 'creating',
      bytes: estimatedBytes,
      createdAt: systemClock.now(),
      createdBy: sandbox.createdBy,
      expiresAt: sandbox.expiresAt,
      failureReason: null,
    },
    async () => Infinity,
    new AbortController().signal,
  );
  const copiedS = (performance.now() - start) / 1_000;
  const branch = {
    ...sandboxOf(1, 0),
    parameters,
    branch: { snapshotId, buildingId, bytes },
  };
  const branchStart = performance.now();
  const times = await built(branch);
  const branchS = (performance.now() - branchStart) / 1_000;
  console.log(
    `its snapshot: ${copiedS.toFixed(2)} s, ${Math.round(bytes / 1e6)} MB; a branch of it: ` +
      `ready after ${branchS.toFixed(2)} s (${times.join(', ')}), ${await sizeOf(branch)} MB`,
  );
  await host.builder.clear(branch.sandboxId, null);
  await host.builder.snapshots.remove(snapshotId);
};

const began = performance.now();
const warm = sandboxOf(1, 0);
await built(warm);
await host.builder.clear(warm.sandboxId, null);
console.log(`the first, with its template: ${((performance.now() - began) / 1_000).toFixed(2)} s`);

for (const [storeys, days, bar] of [
  [3, 7, 0.5],
  [50, 30, 5],
] as const) {
  const sandbox = sandboxOf(storeys, days);
  const before = cpuTime(cluster.postmaster);
  const start = performance.now();
  const times = await built(sandbox);
  const seconds = (performance.now() - start) / 1_000;
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  console.log(
    `${storeys} storeys, ${days} days: ready after ${seconds.toFixed(2)} s ` +
      `(${times.join(', ')}), CPU ${(nodeUs / 1e6).toFixed(1)} s here and ` +
      `${((postgresUs ?? Number.NaN) / 1e6).toFixed(1)} s in Postgres, ` +
      `${await sizeOf(sandbox)} MB on disk, ${Math.round(sandbox.estimatedBytes / 1e6)} estimated`,
  );
  const name = `${storeys} storeys, ${days} days`;
  recordFigures({ name, value: seconds, unit: 's', better: 'less', bar });
  await branched(sandbox);
  await host.builder.clear(sandbox.sandboxId, null);
}

{
  const together = Array.from({ length: AT_ONCE }, () => sandboxOf(3, 7));
  const before = cpuTime(cluster.postmaster);
  const start = performance.now();
  const readyAfter = await Promise.all(
    together.map(async (sandbox) => {
      await built(sandbox);
      return (performance.now() - start) / 1_000;
    }),
  );
  const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
  console.log(
    `${AT_ONCE} at once: ready after ${Math.min(...readyAfter).toFixed(1)} to ` +
      `${Math.max(...readyAfter).toFixed(1)} s, ` +
      `CPU each ${(nodeUs / 1e6 / AT_ONCE).toFixed(1)} s here ` +
      `and ${((postgresUs ?? Number.NaN) / 1e6 / AT_ONCE).toFixed(1)} s in Postgres`,
  );
  for (const { sandboxId } of together) await host.builder.clear(sandboxId, null);
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const memoryMb = () => {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
};
const many = Array.from({ length: count }, () => sandboxOf(1, 0));
for (const sandbox of many) {
  await host.builder.build.database(sandbox, new AbortController().signal);
  await host.builder.build.building(sandbox, new AbortController().signal);
}
const asleepMb = memoryMb();
console.log(`${count} asleep: ${await connections()} connections`);

const wakeCpu = cpuTime(cluster.postmaster);
const waits: number[] = [];
for (const sandbox of many) {
  const start = performance.now();
  await host.builder.build.health(sandbox, new AbortController().signal);
  waits.push(performance.now() - start);
}
const woken = cpuSince(wakeCpu, cpuTime(cluster.postmaster));
waits.sort((a, b) => a - b);
console.log(
  `wake-up: median ${waits[Math.floor(count / 2)]!.toFixed(0)} ms, ` +
    `worst ${waits.at(-1)!.toFixed(0)} ms, ` +
    `CPU ${(woken.nodeUs / 1e3 / count).toFixed(0)} ms here and ` +
    `${((woken.postgresUs ?? Number.NaN) / 1e3 / count).toFixed(0)} ms in Postgres`,
);
await sleep(15_000);
const before = cpuTime(cluster.postmaster);
await sleep(IDLE_SECONDS * 1_000);
const { nodeUs, postgresUs } = cpuSince(before, cpuTime(cluster.postmaster));
const share = (us: number) => `${(us / IDLE_SECONDS / 1e4 / count).toFixed(2)} %`;
console.log(
  `${count} awake and idle: ${((memoryMb() - asleepMb) / count).toFixed(1)} MB of heap each, ` +
    `${((await connections()) / count).toFixed(1)} connections each, ` +
    `${share(nodeUs)} of a core each here and ${share(postgresUs ?? Number.NaN)} in Postgres`,
);

await host.stop();
await watching.end();
await untrustedHttp.close();
await keys.stop();
await uses.close();
await log.close();
await db.close();
await cluster.stop();
