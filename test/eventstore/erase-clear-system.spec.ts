/**
 * The log of a release before sealing is exported with `--erase` and imported into EventStoreDB or
 * into Postgres again: an ordinary erasure then leaves no personal data in it.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { eventstoreDbStore } from '../../src/engine/log/eventstoredb/store.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { eventstoreProgram, eventstoreServer } from '../support/eventstoredb/server.ts';
import { temporaryFiles } from '../support/files.ts';
import { everythingIn } from '../support/log/contents.ts';
import { happened } from '../support/log/events.ts';
import { freshDatabase, runOnce } from '../support/postgres/database.ts';
import { runAtrium, type Environment } from '../support/servers/cli.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { AGENT, buildingOf, REQUESTS } from '../support/servers/ticket-load.ts';

const program = eventstoreProgram();
const MANAGER = 'manager@acme.test';
const person = {
  reporterName: 'Hedwig Eulenspiegel',
  reporterEmail: 'hedwig@tenants.example',
  reporterPhone: '+49 30 7654321',
  subject: 'The stairs are slippery',
  description: 'I slipped on the stairs',
};
const texts = [/Eulenspiegel/, /hedwig@tenants/i, /7654321/];

describe.skipIf(!program)('a log with events in the clear (skipped without a program)', () => {
  const files = temporaryFiles();
  const running = servers();
  const closing: (() => Promise<unknown>)[] = [];
  let names = 0;
  afterEach(async () => {
    await running.release();
    for (const close of closing.splice(0).toReversed()) await close();
  });

  /** An installation of an older release, with events and without raised versions. */
  const installation = async () => {
    const { url, drop } = await freshDatabase();
    closing.push(drop);
    const log = postgresEventStore({ url });
    await log.append('earlier-1', 'no_stream', [happened('EarlierEvent')]);
    await log.close();
    return {
      DATABASE_URL: url,
      ATRIUM_DATA: files.path(`data-${(names += 1)}`),
      ATRIUM_SECRETS_KEY: randomBytes(32).toString('base64'),
    };
  };

  const raiseTicket = async (server: ServerProcess): Promise<string> => {
    const body = { buildingId: await buildingOf(server), ...person };
    const { status, body: ticket } = await server.call(AGENT, 'POST', REQUESTS, { body });
    expect(status).toBe(201);
    return ticket.id;
  };

  const succeeds = async (env: Environment, ...words: readonly string[]) => {
    const ended = await runAtrium(env, ...words);
    expect(ended).toMatchObject({ code: 0 });
    return ended;
  };

  /** Without bus messages, which have whole tickets for 7 days: docs/operating/personal-data.md. */
  const foundIn = async (log: EventStore) => {
    const events = (await everythingIn(log)).filter(({ stream }) => !stream.startsWith('bus-'));
    const all = JSON.stringify(events);
    await log.close();
    return texts.filter((text) => text.test(all));
  };

  const logsOf = {
    EventStoreDB: async (env: Environment) => {
      const server = await eventstoreServer(program!);
      closing.push(() => server.release());
      const url = server.url;
      return { env: { ...env, EVENTSTORE_URL: url }, open: () => eventstoreDbStore({ url }) };
    },
    'its place in Postgres': async (env: Environment) => {
      const url = env['DATABASE_URL']!;
      await runOnce(url, 'drop schema es cascade');
      return { env, open: () => postgresEventStore({ url }) };
    },
  };

  it.each(Object.entries(logsOf))('has no byte of an erased person in %s', async (_, anew) => {
    const env = await installation();
    const server = await running.start(env);
    const id = await raiseTicket(server);
    await server.signal('SIGTERM');
    expect(await foundIn(postgresEventStore({ url: env.DATABASE_URL }))).toEqual(texts);

    const file = files.path(`sealed-${names}.ndjson`);
    await succeeds(env, 'releases', 'raise');
    const exported = await succeeds(env, 'events', 'export', '--erase', '--to', file);
    const [digest] = /but for personal data: .*$/m.exec(exported.err)!;
    expect((await succeeds(env, 'events', 'verify', file)).out).toContain('nothing else differs');
    const target = await anew(env);
    expect((await succeeds(target.env, 'events', 'import', file)).err).toContain(digest);

    const after = await running.start(target.env);
    const path = `${REQUESTS}/${id}`;
    expect((await after.call(AGENT, 'GET', path)).body).toMatchObject(person);
    const body = {
      subject: { email: person.reporterEmail },
      texts: 'erase',
      reason: 'A letter of May',
    };
    const asked = await after.call(MANAGER, 'POST', '/api/v1/erasures', { body });
    expect(asked.status).toBe(202);
    const erasure = `/api/v1/erasures/${asked.body.erasureId}`;
    const finished = async () => (await after.call(MANAGER, 'GET', erasure)).body;
    await expect.poll(finished).toMatchObject({ status: 'finished', found: { tickets: 1 } });
    expect((await after.call(AGENT, 'GET', path)).body).toMatchObject({
      reporterErased: true,
      reporterName: null,
    });
    expect(await foundIn(target.open())).toEqual([]);
    await after.signal('SIGTERM');
    await succeeds(target.env, 'events', 'verify', file);
    await succeeds(target.env, 'audit', 'verify');
  });
});
