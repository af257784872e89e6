/** Moving the log from Postgres to a real EventStoreDB and back, with a platform on each. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import {
  eventstoreProgram,
  eventstoreServer,
  type EventStoreServer,
} from '../support/eventstoredb/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { temporaryFiles } from '../support/files.ts';
import { happened } from '../support/log/events.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, REQUESTS } from '../support/servers/ticket-load.ts';
import { everythingIn, fill, lasting } from '../support/log/contents.ts';
import { freshLog, type FreshLog } from '../support/log/fresh-log.ts';
import { runAtrium, startAtrium, type Environment } from '../support/servers/cli.ts';
import { until } from '../support/until.ts';

const program = eventstoreProgram();

describe.skipIf(!program)('a server of our own (skipped where no program is on the PATH)', () => {
  const directory = temporaryFiles();
  let server: EventStoreServer;
  let log: EventStore;
  let env: Environment;
  let names = 0;
  const newPath = () => directory.path(`move-${(names += 1)}.ndjson`);

  /** A new, empty server. */
  const anew = async () => {
    await log?.close();
    await server?.release();
    server = await eventstoreServer(program!);
    log = eventstoreDbStore({ url: server.url });
    env = { EVENTSTORE_URL: server.url };
  };

  const exported = async (from: Environment) => {
    const path = newPath();
    expect(await runAtrium(from, 'events', 'export', '--to', path)).toMatchObject({ code: 0 });
    return path;
  };

  beforeAll(anew);
  afterAll(async () => {
    await log.close();
    await server.release();
  });

  describe('20,000 events', () => {
    let source: FreshLog;
    let path: string;
    let all: readonly string[];

    beforeAll(async () => {
      source = await freshLog();
      await fill(source.log, 20_000, 2_500);
      path = await exported(source.env);
      all = lasting(await everythingIn(source.log));
    });
    afterAll(() => source.drop());

    it('are imported despite two kills, and moved back in the same way', async () => {
      for (const stored of [200, 2_000]) {
        const command = startAtrium(env, 'events', 'import', '--fast', path);
        const count = async () => (await log.readAll(null, { limit: stored + 1 })).events.length;
        const stores = async () => (await count()) > stored || command.process.exitCode !== null;
        await until(stores, 'something stored');
        command.process.kill('SIGKILL');
        await command.ended;
      }
      const half = (await everythingIn(log)).length;
      expect(half).toBeGreaterThan(2_000);
      expect(half).toBeLessThan(20_000);

      expect(await runAtrium(env, 'events', 'import', '--fast', path)).toMatchObject({
        code: 0,
        err: expect.stringContaining('verified: 20000 events'),
      });
      const there = lasting(await everythingIn(log));
      expect(there.toSorted()).toEqual(all.toSorted());

      const back = await freshLog();
      const second = await exported(env);
      expect(await runAtrium(back.env, 'events', 'import', second)).toMatchObject({ code: 0 });
      expect(lasting(await everythingIn(back.log))).toEqual(there);
      await back.drop();
    });

    it('are verified where they exist, and a difference is named', async () => {
      const head = await log.head();
      expect(await runAtrium(env, 'events', 'import', '--fast', path)).toMatchObject({
        code: 0,
        err: expect.stringContaining('20000 of them are in the log, 0 are missing'),
      });
      expect(await log.head()).toEqual(head);
      const changed = newPath();
      const other = await freshLog();
      const [first] = await everythingIn(source.log);
      const { stream, type, id, meta } = first!;
      await other.log.append(stream, 'no_stream', [{ id, type, data: { other: true }, meta }]);
      await runAtrium(other.env, 'events', 'export', '--to', changed);
      await other.drop();
      expect(await runAtrium(env, 'events', 'import', changed)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${stream}, revision 0: ${type} ${id} has other data`),
      });
    });
  });

  describe('in the order of the whole log', () => {
    let source: FreshLog;
    let path: string;
    let all: readonly string[];

    beforeAll(async () => {
      source = await freshLog();
      await fill(source.log, 6_000, 800);
      path = await exported(source.env);
      all = lasting(await everythingIn(source.log));
    });
    beforeEach(anew);
    afterAll(() => source.drop());

    const untilStored = (command: ReturnType<typeof startAtrium>, stored: number) =>
      until(async () => {
        const { events } = await log.readAll(null, { limit: stored + 1 });
        return events.length > stored || command.process.exitCode !== null;
      }, 'something stored');

    it('they are imported despite two kills of the import', async () => {
      for (const stored of [50, 900]) {
        const command = startAtrium(env, 'events', 'import', path);
        await untilStored(command, stored);
        command.process.kill('SIGKILL');
        await command.ended;
        const there = lasting(await everythingIn(log));
        expect(there).toEqual(all.slice(0, there.length));
      }
      expect(await runAtrium(env, 'events', 'import', path)).toMatchObject({ code: 0 });
      expect(lasting(await everythingIn(log))).toEqual(all);
    });

    it('they are imported despite two kills and restarts of the server', async () => {
      const command = startAtrium(env, 'events', 'import', path);
      for (const stored of [50, 900]) {
        await untilStored(command, stored);
        await server.kill();
        await server.start();
      }
      expect(await command.ended).toMatchObject({ code: 0 });
      expect(lasting(await everythingIn(log))).toEqual(all);
    });
  });

  it('continues while the server is killed and restarted', async () => {
    await anew();
    const source = await freshLog();
    await fill(source.log, 3_000, 400);
    const path = await exported(source.env);
    const command = startAtrium(env, 'events', 'import', '--fast', path);
    const stored = async () => (await log.readAll(null, { limit: 100 })).events.length;
    await until(async () => (await stored()) === 100, 'something stored');
    await server.kill();
    await server.start();
    expect(await command.ended).toMatchObject({ code: 0 });
    const all = lasting(await everythingIn(source.log));
    expect(lasting(await everythingIn(log)).toSorted()).toEqual(all.toSorted());
    await source.drop();
  });

  it('exports no deleted event, though the server still returns it', async () => {
    await anew();
    await log.append('ticket-1', 'no_stream', [happened('A'), happened('B'), happened('C')]);
    await log.append('journal-1', 'any', [happened('Gone')]);
    await log.append('ticket-2', 'no_stream', [happened('D')]);
    await log.truncateStream('ticket-1', 2);
    await log.deleteStream('journal-1');
    const shown = (await everythingIn(log)).map(({ type }) => type);
    expect(shown).toContain('Gone');
    const lines = readFileSync(await exported(env), 'utf8').split('\n');
    const types = lines.flatMap((line) => /"type":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(types).toEqual(['C', 'D']);
  });

  it('leaves a platform unchanged: its lists, its processes, and later events', async () => {
    await anew();
    const database = await freshDatabase();
    const running = servers();
    const home = { DATABASE_URL: database.url, ATRIUM_DATA: temporaryDirectory('events-move') };
    const away = { ...home, ...env };
    const tickets = async (platform: ServerProcess) =>
      (await platform.call(AGENT, 'GET', `${REQUESTS}?limit=200`)).body;
    const raise = async (platform: ServerProcess, key: string) => {
      const body = { buildingId: await buildingOf(platform), description: 'It drips' };
      const headers = { 'idempotency-key': key };
      return platform.call(AGENT, 'POST', REQUESTS, { body, headers });
    };
    /** Polls the list, which is eventually consistent with the log. */
    const shows = async (platform: ServerProcess, list: object) =>
      await expect.poll(() => tickets(platform)).toEqual(list);
    const moving = async (from: Environment, ...words: string[]) => {
      const { code, err } = await runAtrium(from, 'events', ...words);
      expect({ code, err }).toMatchObject({ code: 0 });
    };
    const foreign = ({ stream }: { readonly stream: string }) => !stream.startsWith('process-');

    let platform = await running.start(home);
    const first = await raise(platform, 'first');
    await shows(platform, withTicket(first.body.id));
    const before = await tickets(platform);
    await platform.signal('SIGTERM');

    const there = newPath();
    await moving({ DATABASE_URL: database.url }, 'export', '--to', there);
    await moving(env, 'import', there);
    const moved = (await everythingIn(log)).filter(foreign);
    platform = await running.start(away);
    await shows(platform, before);
    expect(await raise(platform, 'first')).toMatchObject({ body: { id: first.body.id } });
    // No command was decided again: neither by a process nor under a repeated idempotency key.
    expect((await everythingIn(log)).filter(foreign)).toEqual(moved);
    const second = await raise(platform, 'second');
    expect(second.status).toBe(201);
    await shows(platform, withTicket(second.body.id));
    const after = await tickets(platform);
    expect(after.total).toBe(before.total + 1);
    await platform.signal('SIGTERM');

    const back = await exported(env);
    await moving({ DATABASE_URL: database.url }, 'import', back);
    platform = await running.start(home);
    await shows(platform, after);
    await running.release();
    await database.drop();
  });

  it.each([
    ['tail', '--from'],
    ['export', '--after'],
  ])('refuses a position at which no record begins: events %s %s', async (action, option) => {
    await log.append('ticket-4', 'any', [happened('A')]);
    const { code, out, err } = await runAtrium(env, 'events', action, option, '5/5');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(`atrium: ${option}: nothing begins at 5/5 in this log\n`);
  });

  it('prints events as they are recorded', async () => {
    const command = startAtrium(env, 'events', 'tail');
    // A stream without a category is in no category stream of the server.
    await log.append('plain', 'no_stream', [happened('Plain')]);
    const plain = startAtrium(env, 'events', 'tail', '--from-start', '--stream', 'plain');
    await expect.poll(plain.out).toContain('"type":"Plain"');
    plain.process.kill('SIGINT');
    await plain.ended;
    const shows = async () => {
      await log.append('knock-1', 'any', [happened('Knock')]);
      return command.out() !== '';
    };
    await until(shows, 'the first event shown', { everyMs: 100 });
    await log.append('ticket-3', 'no_stream', [happened('A')]);
    await expect.poll(command.out).toContain('"stream":"ticket-3"');
    command.process.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130, err: '' });
  });
});

const withTicket = (id: string): object =>
  expect.objectContaining({ items: expect.arrayContaining([expect.objectContaining({ id })]) });
