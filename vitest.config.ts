import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Projects by what they need: `unit` nothing, `postgres` the throw-away cluster that
 * test/support/postgres/cluster.ts starts, `system` whole servers as child processes.
 * `npm run test:all` adds `rehearsals`: browsers, guides as pasted, the packages as installed,
 * two releases side by side, restored copies, faults, long kills under load; then, with nothing
 * beside them, `rehearsals-alone`: requests at their full size. `npm run test:eventstore` runs
 * `eventstore` and `eventstore-faults` on a real EventStoreDB, `npm run test:eventstore:contracts`
 * only the former.
 */
const needsPostgres = [
  'test/{engine,contract,building,files,projections,processes,bus}/**/*.spec.ts',
  'test/{hosting,api,sdk,cli,capabilities,composition,config,demo,identity,operator}/**/*.spec.ts',
];
const wholeServers = ['test/system/**/*.spec.ts'];
const rehearsals = [
  'test/browser/**/*.spec.ts',
  'test/hosting/{killed-in-sleep,killed-snapshots,rolling-restart,sizes}.spec.ts',
  'test/sdk/testing.spec.ts',
  'test/operator/log/{restored,wrong-log}.spec.ts',
  'test/operator/backup/{bucket,commands}.spec.ts',
  'test/packages/**/*.spec.ts',
  'test/system/{last-release,rollout,upgrade}.spec.ts',
  'test/system/{erasure-killed,lost-secrets-key,restore-as-pasted}.spec.ts',
  'test/system/{buildings,ticket-publishing,webhooks,work-orders}.spec.ts',
  'test/system/{descriptors,module,nats-away,split-roles}.spec.ts',
  'test/system/{fault-storm,faults,guides,sdk,torture}.spec.ts',
];
/** Measured against deadlines of the server: nothing else runs meanwhile. */
const alone = ['test/system/worst-case.spec.ts'];
const cluster = 'test/support/postgres/cluster.ts';
const issuer = 'test/support/api/development-issuer.ts';

/** Those with whole servers first: the longest files, much of it waiting, are short in bytes. */
class WholeServersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isFirst = ({ moduleId }: TestSpecification) => moduleId.includes('/test/system/');
    const sorted = await super.sort(files);
    return [...sorted.filter(isFirst), ...sorted.filter((file) => !isFirst(file))];
  }
}

// Code that is compiled once: the tests start some hundred processes of ours.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/node');

/** Those that start servers of their own, and stop and kill them: side by side. */
const ownEventStores = [
  'test/eventstore/*-system.spec.ts',
  'test/eventstore/{cluster,events-move,faults,system,torture,tracing}.spec.ts',
];
const onEventStore = {
  globalSetup: [cluster, issuer, 'test/support/eventstoredb/server.ts'],
  testTimeout: 600_000,
  hookTimeout: 600_000,
};
/** Much of it is waiting: for deadlines, for servers, for other processes. */
const withServers = {
  maxWorkers: 4,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  sequence: { groupOrder: 1 },
};
const eventstore = [
  {
    test: {
      ...onEventStore,
      name: 'eventstore',
      include: ['test/eventstore/*.spec.ts'],
      exclude: ownEventStores,
      // They read the whole log of one server.
      fileParallelism: false,
      sequence: { groupOrder: 2 },
    },
  },
  {
    test: {
      ...onEventStore,
      name: 'eventstore-faults',
      include: ownEventStores,
      // Most of it is waiting: for servers to start, and for faults to pass.
      maxWorkers: 4,
      sequence: { groupOrder: 3 },
    },
  },
];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // A machine at work is slow, and that is no failure: what hangs is ended, much later.
    expect: { poll: { timeout: 150_000, interval: 100 } },
    // No module of ours keeps state, so a worker may load each once: test/tidy.spec.ts.
    isolate: false,
    sequence: { sequencer: WholeServersFirst },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { 'src/domain/**': { branches: 95, functions: 95, lines: 95 } },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/{domain,use-cases,outbound}/**/*.spec.ts', 'test/*.spec.ts'],
          maxWorkers: 2,
          testTimeout: 180_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'postgres',
          include: needsPostgres,
          exclude: [...rehearsals, ...alone],
          globalSetup: [cluster, issuer],
        },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'system',
          include: wholeServers,
          exclude: [...rehearsals, ...alone],
          globalSetup: [cluster],
        },
      },
      ...(process.env['TEST_ALL']
        ? [
            {
              extends: true as const,
              test: {
                ...withServers,
                name: 'rehearsals',
                include: rehearsals,
                globalSetup: [cluster, issuer],
              },
            },
            {
              extends: true as const,
              test: {
                ...withServers,
                name: 'rehearsals-alone',
                include: alone,
                globalSetup: [cluster],
                sequence: { groupOrder: 4 },
              },
            },
          ]
        : []),
      ...(process.env['TEST_EVENTSTORE']
        ? eventstore.map((project) => ({ extends: true as const, ...project }))
        : []),
    ],
  },
});
