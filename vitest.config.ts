import { defineConfig } from 'vitest/config';

/**
 * Four projects by what they need: `unit` nothing, `postgres` the throw-away cluster that
 * test/support/postgres/cluster.ts starts, `eventstore` a real EventStoreDB beside it, `system` whole
 * servers as child processes. The last two run one file at a time: the machine they share is small.
 */
const needsPostgres = [
  'test/{capabilities,contract,store,db,consumers,graph,projections,feed,processes,bus}/**/*.spec.ts',
  'test/{api,demo,identity,ops,operator}/**/*.spec.ts',
];
const wholeServers = ['test/{system,browser}/**/*.spec.ts'];

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html'],
      thresholds: { 'src/domain/**': { branches: 95, functions: 95, lines: 95 } },
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/{domain,use-cases}/**/*.spec.ts', 'test/*.spec.ts'],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'postgres',
          include: needsPostgres,
          // Much of it is waiting: for deadlines, for servers, for other processes.
          maxWorkers: 3,
          globalSetup: ['test/support/postgres/cluster.ts'],
          // What hangs is ended; what is slow on a machine at work is no failure.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'eventstore',
          include: ['test/eventstore/**/*.spec.ts'],
          globalSetup: ['test/support/postgres/cluster.ts', 'test/support/eventstoredb/server.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'system',
          include: wholeServers,
          globalSetup: ['test/support/postgres/cluster.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
