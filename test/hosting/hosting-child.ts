/**
 * A process that hosts sandboxes until it is killed: `node hosting-child.ts <url>`. A message sets
 * the point of the work at which it hangs; it answers `set`, and prints `here` once it hangs.
 * With `--port` it listens there, and prints `listening`; `--address` is its address for others.
 */
import { parseArgs } from 'node:util';
import { composePlatform, release } from '../../src/compose.ts';
import { processShares } from '../../src/composition/process-shares.ts';
import { platformLog } from '../../src/engine/consumers/platform-log.ts';
import { openDatabase } from '../../src/engine/postgres/pool.ts';
import { phases, type Phase } from '../../src/domain/sandboxes/phases.ts';
import { hostSandboxes } from '../../src/hosting/host.ts';
import { keyUseLog } from '../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../src/identity/keys/authority.ts';
import { systemClock } from '../../src/engine/time/clock.ts';
import { logDestination } from '../../src/engine/observe/log-destination.ts';
import { loggerOf } from '../../src/engine/observe/logging.ts';
import { metricsOf } from '../../src/engine/observe/metrics.ts';
import { secretsOf } from '../../src/engine/secrets/secrets.ts';
import { untrustedHttp } from '../../src/outbound/untrusted-http.ts';
import { leases } from '../../src/engine/consumers/leases.ts';
import type { SandboxBuilder } from '../../src/processes/sandboxes/provisioning.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    address: { type: 'string' },
    'silent-ms': { type: 'string' },
    'look-ms': { type: 'string' },
    'idle-ms': { type: 'string' },
  },
});
const [url] = positionals;
const numbered = (text: string | undefined) => (text === undefined ? undefined : Number(text));
if (!url) throw new Error('a database url is needed');

const to = await logDestination('stderr', 'json');
const logger = loggerOf(process.env['LOG_LEVEL'] ?? 'silent', to);
const db = openDatabase({ url, logger });
const { isJournal } = release.terms;
const stored = postgresEventStore({ url, logger });
const opened = platformLog({ log: stored, pool: db.pool, logger, isJournal });
const { log } = opened;
const use = { log, uses: keyUseLog({ ...opened, clock: systemClock }), clock: systemClock };
const shared = {
  log,
  db,
  clock: systemClock,
  logger,
  identity: {
    issuer: 'http://issuer.test',
    ready: async () => true as const,
    reachable: () => true as const,
    // Any token is a session of this manager.
    callerOf: async () => ({
      actor: { kind: 'user' as const, id: 'mara' },
      organisation: 'acme',
      roles: ['manager'],
      permissions: new Set<never>(),
      person: true,
    }),
  },
  keyAuthority: keyAuthority({ ...use, logger }),
  secrets: secretsOf([Buffer.alloc(32, 7)]),
  untrustedHttp: untrustedHttp({ allowPrivate: false }),
  spacesPageMax: 1_000,
  telemetryRetentionDays: null,
  ...processShares(),
  trustedProxies: [],
  urls: { publicUrl: 'http://atrium.test', corsOrigins: [], sandboxHost: 'sandbox.test' },
};
const silentMs = numbered(options['silent-ms']);
const lookMs = numbered(options['look-ms']);
const idleMaxMs = numbered(options['idle-ms']);
const hosting = hostSandboxes({
  ...shared,
  databaseUrl: url,
  processUrl: options.address ?? null,
  ...(silentMs === undefined ? {} : { leaseSilentMaxMs: silentMs }),
  ...(lookMs === undefined ? {} : { lookMs }),
  ...(idleMaxMs === undefined ? {} : { idleMaxMs }),
});

export interface StopAt {
  readonly work: Phase | 'clear' | 'snapshot' | 'removal of a snapshot';
  readonly when: 'before' | 'after';
}

let stopAt: StopAt | undefined;
process.on('message', (point: StopAt) => {
  stopAt = point;
  process.send!('set');
});

const stopping =
  <Given extends readonly unknown[], Result>(
    name: string,
    work: (...given: Given) => Promise<Result>,
  ) =>
  async (...given: Given): Promise<Result> => {
    const pass = async (when: StopAt['when']) => {
      if (stopAt?.work !== name || stopAt.when !== when) return;
      process.stdout.write('here\n');
      await new Promise(() => {});
    };
    await pass('before');
    const result = await work(...given);
    await pass('after');
    return result;
  };

const { builder } = hosting;
const platform = await composePlatform({
  ...shared,
  log: opened,
  leases: leases({ db, logger, ...(silentMs === undefined ? {} : { silentMaxMs: silentMs }) }),
  takeRequest: hosting.takeRequest,
  takeUpgrade: hosting.takeUpgrade,
  metrics: metricsOf({ process: false }),
  sandboxBuilder: {
    ...builder,
    build: Object.fromEntries(
      phases.map((phase) => [phase, stopping(phase, builder.build[phase])]),
    ) as SandboxBuilder['build'],
    clear: stopping('clear', builder.clear),
    snapshots: {
      make: stopping('snapshot', builder.snapshots.make),
      remove: stopping('removal of a snapshot', builder.snapshots.remove),
    },
  },
});
platform.start();
hosting.start();
if (options.port !== undefined) {
  await platform.app.listen({ host: '127.0.0.1', port: Number(options.port) });
  process.stdout.write('listening\n');
}
