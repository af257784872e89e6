/** The log of an early release, moved by its export to a real EventStoreDB of its own. */
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect } from 'vitest';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { earlyEvents } from '../contract/upgrade/early-release.ts';
import { upgrade } from '../contract/upgrade/upgrade.contract.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { runAtrium } from '../support/servers/cli.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('on EventStoreDB (skipped where no program is on the PATH)', () => {
  const files = temporaryFiles();
  let server: EventStoreServer | undefined;
  afterAll(() => server?.release());

  upgrade(async () => {
    server = await eventstoreServer(program!);
    const path = files.path('be3c377.ndjson');
    writeFileSync(path, earlyEvents());
    const env = { EVENTSTORE_URL: server.url };
    expect(await runAtrium(env, 'events', 'import', path)).toMatchObject({ code: 0 });
    return { log: eventstoreDbStore({ url: server.url }), hasSamePositions: false };
  });
});
