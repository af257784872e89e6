/** A backup of an installation whose log is in a real EventStoreDB, restored into an empty one. */
import { mkdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { keysIn } from '../operator/backup/installation.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { everythingIn, fill, lasting } from '../support/log/contents.ts';
import { happened } from '../support/log/events.ts';
import { emptyDatabase, freshDatabase } from '../support/postgres/database.ts';
import { runAtrium } from '../support/servers/cli.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('a server of our own (skipped where no program is on the PATH)', () => {
  const directory = temporaryFiles();
  const endings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });

  /** An installation with an empty or a migrated database. */
  const installation = async (name: string, empty: boolean) => {
    const server = await eventstoreServer(program!);
    endings.push(() => server.release());
    const log: EventStore = eventstoreDbStore({ url: server.url });
    endings.push(() => log.close());
    const { url, drop } = await (empty ? emptyDatabase() : freshDatabase());
    endings.push(drop);
    const env = {
      DATABASE_URL: url,
      EVENTSTORE_URL: server.url,
      ATRIUM_DATA: directory.path(name),
      BACKUP_URL: directory.path('place'),
    };
    return { log, env };
  };

  it('is made in steps, verified, and restored with every event in its order', async () => {
    mkdirSync(directory.path('place'));
    const keys = await keysIn(directory.path('keys'));
    const source = await installation('source', false);
    await fill(source.log, 300, 40);
    const create = ['backup', 'create', '--recipient', keys.recipient] as const;
    expect(await runAtrium(source.env, ...create)).toMatchObject({ code: 0 });
    await source.log.append('ticket-later', 'no_stream', [happened('Later')]);
    expect(await runAtrium(source.env, ...create)).toMatchObject({
      code: 0,
      out: expect.stringContaining('what is new since the backup'),
    });
    const identity = ['--identity', keys.file] as const;
    expect(await runAtrium(source.env, 'backup', 'verify', ...identity)).toMatchObject({
      code: 0,
      out: expect.stringContaining('301 events of the log'),
    });

    const copy = await installation('copy', true);
    expect(await runAtrium(copy.env, 'backup', 'restore', ...identity)).toMatchObject({ code: 0 });
    expect(lasting(await everythingIn(copy.log))).toEqual(lasting(await everythingIn(source.log)));
    expect(await runAtrium(copy.env, 'log', 'restored', '--name', 'test')).toMatchObject({
      code: 0,
      out: expect.stringContaining('done: start the servers'),
    });
  });
});
