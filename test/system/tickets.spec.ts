/** Whole servers as child processes, killed with SIGKILL; the answers to callers are binding. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemaOf } from '../../src/engine/projections/projection.ts';
import { ticketList } from '../../src/projections/tickets/list.ts';
import { ticketSearch } from '../../src/projections/tickets/search.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { letPass, until, untilCount } from '../support/until.ts';

const AGENT = 'agent@acme.test';
const REQUESTS = '/api/service-desk/requests';
const texts = JSON.parse(
  readFileSync(new URL('../fixtures/maintenance-texts.json', import.meta.url), 'utf8'),
) as string[];

const { start, spawn, release } = servers();
afterAll(release);

/** Of a database in the cluster of this run, with the same issuer key for every process. */
const shared = async () => {
  const { url } = await freshDatabase();
  const ATRIUM_DATA = temporaryDirectory('system');
  return { url, env: { DATABASE_URL: url, ATRIUM_DATA } };
};

const query = async <Row extends object>(url: string, statement: string): Promise<Row[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
};

const buildingOf = async (server: ServerProcess): Promise<string> => {
  const { body } = await server.call(AGENT, 'GET', '/api/v1/buildings');
  return body.items[0].id;
};

/** Every ticket of the list, page by page. */
const listed = async (server: ServerProcess): Promise<{ id: string; number: string }[]> => {
  const items: { id: string; number: string }[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await server.call(AGENT, 'GET', `${REQUESTS}?limit=200&page=${page}`);
    items.push(...body.items);
    if (body.items.length < 200) return items;
  }
};

/** Those of `ids` that the list does not show. */
const missing = async (server: ServerProcess, ids: readonly string[]): Promise<string[]> => {
  const shown = new Set((await listed(server)).map(({ id }) => id));
  return ids.filter((id) => !shown.has(id));
};

/** Posts until `act` is over; returns the ids that were acknowledged. */
const load = async (
  server: ServerProcess,
  lanes: number,
  act: (acknowledged: (count: number) => Promise<void>) => Promise<unknown>,
) => {
  const buildingId = await buildingOf(server);
  const acknowledged: string[] = [];
  const ended = new AbortController();
  const more = (count: number) =>
    untilCount(() => acknowledged.length, acknowledged.length + count, 'tickets');
  const acted = act(more).finally(() => ended.abort());
  const lane = async () => {
    while (!ended.signal.aborted) {
      const body = { buildingId, description: texts[acknowledged.length % texts.length] };
      const answer = await server.call(AGENT, 'POST', REQUESTS, { body }).catch(() => null);
      if (answer?.status === 201) acknowledged.push(answer.body.id);
      else if (answer !== null && answer.status !== 503)
        throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      // Leaves the processor to the servers that start meanwhile.
      await letPass(20, 'the pause before the next');
    }
  };
  await Promise.all([acted, ...Array.from({ length: lanes }, lane)]);
  return acknowledged;
};

describe('a newcomer', () => {
  it('raises, triages, assigns and finds tickets; after kill -9 everything is there', async () => {
    const PORT = String(await freePort());
    const env = { ATRIUM_DATA: temporaryDirectory('newcomer'), PORT };
    let server = await start(env);
    const call = (method: string, path: string, ask = {}) => server.call(AGENT, method, path, ask);
    const { body: before } = await call('GET', REQUESTS);
    // Once the server is ready, the whole demo is listed.
    expect(before.total).toBe(5);
    const buildingId = await buildingOf(server);
    const { body: rooms } = await call('GET', `/api/v1/buildings/${buildingId}/spaces`);

    const key = { 'idempotency-key': randomUUID() };
    const named = { buildingId, description: 'Named command', category: 'named' };
    const first = await call('POST', REQUESTS, { body: named, headers: key });
    const made = await Promise.all(
      texts.slice(0, 40).map((description, index) => {
        const spaceId = rooms.items[index % rooms.items.length].id;
        return call('POST', REQUESTS, { body: { buildingId, description, spaceId } });
      }),
    );
    expect(made.every(({ status }) => status === 201)).toBe(true);
    for (const { body } of made.slice(0, 10)) {
      for (const state of ['triaged', 'in_progress', 'resolved', 'closed']) {
        const path = `${REQUESTS}/${body.id}/transition`;
        expect((await call('POST', path, { body: { state } })).status).toBe(200);
      }
    }
    const assign = `${REQUESTS}/${made[20]!.body.id}/assign`;
    await call('POST', assign, { body: { assignedTeamId: 'crew-7' } });
    // The answer to a command does not wait long for the lists.
    const assigned = async () =>
      (await call('GET', `${REQUESTS}?assignedTeamId=crew-7`)).body.total;
    await expect.poll(assigned).toBe(1);
    const views = await listed(server);

    await server.signal('SIGKILL');
    server = await start(env);

    expect(await listed(server)).toEqual(views);
    expect((await call('GET', `${REQUESTS}?state=closed`)).body.total).toBe(10);
    expect(await assigned()).toBe(1);
    const expected = texts
      .slice(0, 40)
      .filter((one) => /air/i.test(one) && /conditioner/i.test(one));
    const search = `${REQUESTS}?search=${encodeURIComponent('air conditioner')}`;
    // The list was waited for before the kill, and the search, a read model of its own, was not.
    await expect.poll(async () => (await call('GET', search)).body.total).toBe(expected.length);

    const again = await call('POST', REQUESTS, { body: named, headers: key });
    expect(again.status).toBe(201);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect((await call('GET', `${REQUESTS}?category=named`)).body.total).toBe(1);
    await server.signal('SIGTERM');
    expect(server.process.exitCode).toBe(0);
  });
});

describe('two processes on one database', () => {
  let url: string;
  let one: ServerProcess;
  let two: ServerProcess;
  beforeAll(async () => {
    const both = await shared();
    url = both.url;
    [one, two] = [await start(both.env), await start(both.env)];
  });
  afterAll(release);

  it('serve concurrently: unique numbers, and each sees the other’s tickets', async () => {
    const [a, b] = await Promise.all([
      load(one, 4, (more) => more(150)),
      load(two, 4, (more) => more(150)),
    ]);
    const acknowledged = [...a, ...b];
    expect(acknowledged.length).toBeGreaterThan(20);
    for (const server of [one, two]) {
      await expect.poll(() => missing(server, acknowledged)).toEqual([]);
      const items = await listed(server);
      expect(new Set(items.map(({ number }) => number)).size).toBe(items.length);
    }
  });

  it('count each ticket once when the owner of a list was only asleep', async () => {
    await one.signal('SIGSTOP');
    // The second one takes over when the holder of a lease has been silent for too long.
    const acknowledged = await load(two, 4, () => feeds(two));
    await one.signal('SIGCONT');
    await one.ready();
    const later = await load(one, 2, (more) => more(50));
    const all = [...acknowledged, ...later];
    await expect.poll(() => missing(two, all)).toEqual([]);
    await agreeWithTheLog(url);
  });

  // The last one: one of the two is gone.
  it('lose nothing when one is killed: the other feeds the lists from there on', async () => {
    await feeds(two);
    const loaded = load(two, 4, async (more) => {
      await more(100);
      await two.signal('SIGKILL');
    });
    const [a, b] = await Promise.all([
      loaded,
      load(one, 4, async (more) => {
        await loaded;
        await more(150);
      }),
    ]);
    const acknowledged = [...a, ...b];
    await expect.poll(() => missing(one, acknowledged)).toEqual([]);
    await agreeWithTheLog(url);
  });
});

/** The list is fed by this server. */
const feeds = (server: ServerProcess) =>
  until(async () => {
    const path = '/api/v1/operations/projections';
    const { body } = await server.call('operator@atrium.test', 'GET', path);
    const models: { name: string; owner: string }[] | undefined = body.items;
    return !!models?.some(({ name, owner }) => name === 'ticket-list' && owner === 'this');
  }, 'a new owner of the list');

const LIST_SCHEMA = schemaOf(ticketList);
const SEARCH_SCHEMA = schemaOf(ticketSearch);
const COUNTED = 'select organisation_id, building_id, state, priority, n from';
const TALLIED = `(select organisation_id, building_id, state, priority, sum(n)::int as n
  from ${LIST_SCHEMA}.ticket_count where n > 0 group by 1, 2, 3, 4) as tallied`;
const GROUPED = `(select organisation_id, building_id, state, priority, count(*)::int as n
  from ${LIST_SCHEMA}.ticket_list group by 1, 2, 3, 4) as grouped`;

/** The list, its counters and the search agree with the log, ticket by ticket. */
const agreeWithTheLog = async (url: string) => {
  const opened = `select count(*)::int as n from es.event where type = 'TicketOpened'`;
  const [log] = await query<{ n: number }>(url, opened);
  const counts = `
    select (select count(*)::int from ${LIST_SCHEMA}.ticket_list) as rows,
           (select count(*)::int from ${SEARCH_SCHEMA}.ticket_search) as documents`;
  const settled = async () => (await query<{ rows: number; documents: number }>(url, counts))[0];
  await expect.poll(settled).toEqual({ rows: log!.n, documents: log!.n });
  const kept = await query(url, `${COUNTED} ${TALLIED} except ${COUNTED} ${GROUPED}`);
  const counted = await query(url, `${COUNTED} ${GROUPED} except ${COUNTED} ${TALLIED}`);
  expect({ kept, counted }).toEqual({ kept: [], counted: [] });
};

describe('one process on a database', () => {
  let url: string;
  let env: Record<string, string>;
  let server: ServerProcess;
  beforeAll(async () => {
    ({ url, env } = await shared());
    server = await start(env);
  });
  afterAll(release);

  describe('read models that were dropped', () => {
    it('come back, and no command is given again', async () => {
      await load(server, 2, (more) => more(50));
      await agreeWithTheLog(url);
      const before = await listed(server);
      const [events] = await query<{ n: number }>(url, 'select count(*)::int as n from es.event');
      for (const schema of [LIST_SCHEMA, SEARCH_SCHEMA, 'journal_expiry_v8']) {
        await query(url, `drop schema ${schema} cascade`);
      }
      const list = async () => {
        const answer = await server.call(AGENT, 'GET', `${REQUESTS}?limit=200`);
        // Being built is said as such, never as a bug and never as an empty list.
        expect([200, 503]).toContain(answer.status);
        return answer.body.total;
      };
      await expect.poll(list).toBe(before.length);
      await expect.poll(() => listed(server)).toEqual(before);
      const [after] = await query<{ n: number }>(url, 'select count(*)::int as n from es.event');
      // A process may have noted in the log how far it had come; nothing else was added.
      const added = await query(
        url,
        `select type from es.event where position > ${events!.n} and stream not like 'process-%'`,
      );
      expect(added, `${events!.n} → ${after!.n}`).toEqual([]);
    });
  });

  describe('an idle connection', () => {
    it('is kept for longer than a load balancer uses one of its own', async () => {
      const { headers } = await fetch(`${server.url}/health/ready`);
      const seconds = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1];
      expect(Number(seconds)).toBeGreaterThan(60);
    });
  });

  describe('a port in use', () => {
    it('stops the start with one line', async () => {
      const second = await spawn({ ...env, PORT: new URL(server.url).port });
      await once(second.process, 'close');
      expect(second.process.exitCode).toBe(1);
      expect(second.output()).toMatch(/atrium: .*EADDRINUSE.*\n$/);
      expect(second.output()).not.toContain('node:');
    });
  });

  // The last one: the server is gone.
  describe('a stop', () => {
    it('loses nothing that was acknowledged, and says first that it is not ready', async () => {
      const acknowledged = await load(server, 8, async (more) => {
        await more(100);
        await server.signal('SIGTERM');
      });
      expect(server.process.exitCode).toBe(0);
      const stored = await query<{ stream: string }>(
        url,
        `select stream from es.event where type = 'TicketOpened'`,
      );
      const ids = new Set(stored.map(({ stream }) => stream.slice('ticket-'.length)));
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    });
  });
});

describe('a bad configuration', () => {
  it.each([
    [{ PORT: 'many' }, 'atrium: PORT: must be a whole number from 0 to 65535'],
    [{ ATRIUM_PROT: '1' }, 'atrium: ATRIUM_PROT: no such variable'],
    [{ ATRIUM_ENV: 'production' }, 'atrium: ATRIUM_SECRETS_KEY: required in production'],
    [{ HOST: '0.0.0.0' }, 'atrium: OIDC_ISSUER must be set where HOST is not loopback'],
  ])('%j stops the start with one line', async (env, line) => {
    const server = await spawn(env);
    await once(server.process, 'close');
    expect(server.process.exitCode).toBe(1);
    expect(server.output().trim().split('\n')).toHaveLength(1);
    expect(server.output()).toContain(line);
  });
});
