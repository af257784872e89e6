/**
 * Whole servers on the embedded log, while their Postgres is killed, hung, slowed, cut off and
 * filled up: no acknowledged write is lost, every request is answered, and no server restarts.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { proxyTo, type PostgresProxy } from '../support/postgres/proxy.ts';
import {
  familyIn,
  freezePostgres,
  killPostgres,
  thawPostgres,
} from '../support/postgres/server-processes.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers, type Servers } from '../support/servers/servers.ts';
import {
  AGREES,
  comparison,
  settled,
  ticketLoad,
  watchReadiness,
  type TicketLoad,
} from '../support/servers/ticket-load.ts';
import { letPass, until } from '../support/until.ts';

/** The deadline of a request, and the time to notice it on a busy machine. */
const ANSWER_MAX_MS = 30_000;
/** Any reason, or none: readiness need not have turned red. */
const ANY = /(?:)/;
const READY_ANSWER_MAX_MS = 20_000;

let running: Servers;
const after: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  running = servers();
});
afterEach(async () => {
  for (const undo of after.splice(0).reverse()) await undo();
  await running.release();
});

/** The argument of a fault: a server under load. */
interface UnderLoad {
  readonly server: ServerProcess;
  readonly load: TicketLoad;
  /** Resolves when readiness has said why it is not ready. */
  noticed(): Promise<void>;
}

/**
 * Loads a server, injects a fault, repairs it, and checks every acknowledged write. Readiness
 * must have given `red` among its reasons, and be green at the end.
 */
const survives = async (
  env: Record<string, string>,
  red: RegExp,
  fault: (under: UnderLoad) => Promise<void>,
) => {
  const server = await running.start(env);
  const before = await settled(server);
  const readiness = watchReadiness(server);
  const load = await ticketLoad({ servers: () => [server], lanes: 6 });
  await load.more(20);
  const noticed = () => until(() => red.test([...readiness.reasons].join('; ')), 'the reason');
  await fault({ server, load, noticed });
  await load.more(50);
  await load.stop();

  const compared = () => comparison(server, before, load.acknowledged);
  await expect.poll(compared, { interval: 500 }).toEqual(AGREES);
  await expect.poll(() => readiness.green()).toBe(true);
  await readiness.stop();
  expect([...readiness.reasons].join('; ')).toMatch(red);
  expect(load.slowestMs()).toBeLessThan(ANSWER_MAX_MS);
  expect(readiness.slowestMs()).toBeLessThan(READY_ANSWER_MAX_MS);
  // The server was not restarted.
  expect(server.process.exitCode).toBeNull();
  return server;
};

describe('an embedded Postgres under load', () => {
  it('is started again by the server that uses it, killed with all its sessions', async () => {
    const ATRIUM_DATA = temporaryDirectory('killed');
    const server = await survives({ ATRIUM_DATA }, ANY, async ({ load }) => {
      for (let time = 0; time < 3; time += 1) {
        await killPostgres(ATRIUM_DATA);
        await load.more(20);
      }
    });
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
    expect(familyIn(ATRIUM_DATA)).toEqual([]);
  });

  it('hangs for 20 s: every request is answered meanwhile, and service resumes', async () => {
    const ATRIUM_DATA = temporaryDirectory('hung');
    const red = /no answer from the event log|read models/;
    await survives({ ATRIUM_DATA }, red, async ({ load, noticed }) => {
      const family = freezePostgres(ATRIUM_DATA);
      after.push(() => thawPostgres(family));
      await letPass(20_000, 'longer than the deadline of a request');
      await load.answered();
      await noticed();
      thawPostgres(family);
    });
  });

  it('has a full disk: loses nothing, and resumes when there is space', async ({ skip }) => {
    const ATRIUM_DATA = temporaryDirectory('full');
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256m', 'tmpfs', ATRIUM_DATA]);
    skip(mounted.status !== 0, 'no file system may be mounted here');
    after.push(() => void spawnSync('umount', ['-l', ATRIUM_DATA]));
    after.push(() => running.release());
    await survives({ ATRIUM_DATA }, /disk is full|event log/, async ({ load, noticed }) => {
      const ballast = join(ATRIUM_DATA, 'ballast');
      fill(ballast);
      const refused = load.refused();
      await expect.poll(() => load.refused() - refused).toBeGreaterThan(10);
      await noticed();
      rmSync(ballast);
    });
  });
});

/** Fills the disk to the last page. */
const fill = (path: string) => {
  const file = openSync(path, 'w');
  try {
    for (let bytes = 1024 * 1024; bytes >= 4096;) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
};

describe('a Postgres behind a network', () => {
  let proxy: PostgresProxy;
  let env: Record<string, string>;
  beforeEach(async () => {
    const { url } = await freshDatabase();
    proxy = await proxyTo(url);
    env = { DATABASE_URL: proxy.url, ATRIUM_DATA: temporaryDirectory('network') };
  });
  // After the servers, which would say goodbye over it.
  afterEach(() => proxy.close());

  it('is slow: no request fails', async () => {
    await survives(env, ANY, async ({ load }) => {
      proxy.delay(100);
      await load.more(10);
      proxy.delay(0);
      expect(load.refused()).toBe(0);
    });
  });

  it('is gone for 15 s: 503 and Retry-After, then service resumes', async () => {
    await survives(env, /cannot be reached/, async ({ load, noticed }) => {
      await proxy.cut();
      await letPass(15_000, 'how long it is gone');
      await expect.poll(load.refused).toBeGreaterThan(0);
      await noticed();
      await proxy.mend();
    });
  });

  it('is silent for 30 s: every request ends at its deadline, and service resumes', async () => {
    const red = /no answer from the event log|read models/;
    await survives(env, red, async ({ load, noticed }) => {
      proxy.hang(true);
      await letPass(30_000, 'longer than any deadline of a statement or a request');
      await load.answered();
      await expect.poll(load.refused).toBeGreaterThan(0);
      await noticed();
      proxy.hang(false);
    });
  });
});
