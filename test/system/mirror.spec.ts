/**
 * A two-way mirror runs while both sides change and the server is killed: no change is lost,
 * duplicated, or echoed to its origin.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { edges, isTerminal, type TicketState } from '../../src/domain/tickets/graph.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { Facility, mirrorOf, type Ask, type Entry } from './facility-mirror.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers, type Servers } from '../support/servers/servers.ts';
import { buildingOf, REQUESTS } from '../support/servers/ticket-load.ts';
import { letPass, until } from '../support/until.ts';
import { readFeed } from '../support/feed.ts';

const AGENT = 'agent@acme.test';
const MIRROR = 'manager@acme.test';
/** Of each side. */
const CHANGES_MADE = 500;
/** So far ahead of the agents the staff may be: neither side works alone. */
const AHEAD_MAX = 20;
const LANES = 4;

let running: Servers | null = null;
afterEach(async () => {
  await running?.release();
  running = null;
});

/** The server of the moment: killed now and then, and started again where it was. */
const killable = async () => {
  running = servers();
  const database = await freshDatabase();
  const env = {
    DATABASE_URL: database.url,
    ATRIUM_DATA: temporaryDirectory('mirror'),
    PORT: String(await freePort()),
  };
  let server: ServerProcess = await running.start(env);
  const asking =
    (email: string): Ask =>
    async (method, path, ask) => {
      for (;;) {
        const answer = await server.call(email, method, path, ask).catch(() => null);
        if (answer && answer.status < 400) return answer;
        if (answer && answer.status !== 503)
          throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
        await letPass(50, 'the pause before one asks again');
      }
    };
  return {
    asking,
    building: () => buildingOf(server),
    /** The desk's actor for `email`. */
    async actorOf(email: string) {
      const [, claims] = (await server.tokenOf(email)).split('.');
      const { sub } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as { sub: string };
      return sub;
    },
    async kill() {
      await server.signal('SIGKILL');
      server = await running!.start(env);
    },
  };
};

/** Repeatable chance. */
const chanceOf = (seed: number) => {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, of: <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]! };
};

/** A change acknowledged to an agent. */
interface Done {
  readonly ticketId: string;
  readonly revision: number;
}

interface Known {
  readonly id: string;
  state: TicketState;
}

const scenario = async (by: 'feed' | 'list') => {
  const desk = await killable();
  const facility = new Facility();
  const me = await desk.actorOf(MIRROR);
  const buildingId = await desk.building();
  const mirror = mirrorOf({ facility, ask: desk.asking(MIRROR), me, buildingId, by });
  const done: Done[] = [];
  /** How many changes each side has begun. */
  const begun = { desk: 0, staff: 0 };

  /** Of the desk's side: each ticket is one lane's own, so that none loses a race. */
  const agent = async (lane: number) => {
    const ask = desk.asking(AGENT);
    const chance = chanceOf(lane + 1);
    const known: Known[] = [];
    const claimed = new Set<string>();
    const act = async (method: string, path: string, body: object) => {
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await ask(method, path, { body, headers });
      done.push({ ticketId: answer.body.id, revision: answer.body.revision });
      return answer.body;
    };
    while (begun.desk < CHANGES_MADE) {
      begun.desk += 1;
      // Tickets from the facility are processed like any other.
      for (const [index, id] of [...mirror.orders.keys()].entries()) {
        const order = facility.orders.get(mirror.orders.get(id)!);
        if (index % LANES !== lane || claimed.has(id) || order?.id.startsWith('from-')) continue;
        claimed.add(id);
        known.push({ id, state: 'new' });
      }
      const ticket = known.length > 0 && chance.next() > 0.15 ? chance.of(known) : null;
      if (ticket === null) {
        const body = { buildingId, description: 'Raised by an agent', subject: `a-${begun.desk}` };
        known.push({ id: (await act('POST', REQUESTS, body)).id, state: 'new' });
        continue;
      }
      const path = `${REQUESTS}/${ticket.id}`;
      const targets = edges[ticket.state] as readonly TicketState[];
      if (targets.length > 0 && chance.next() < 0.4) {
        ticket.state = chance.of(targets);
        await act('POST', `${path}/transition`, { state: ticket.state });
      } else if (!isTerminal(ticket.state) && chance.next() < 0.5) {
        await act('POST', `${path}/assign`, { assignedTeamId: `crew-${lane}-${begun.desk}` });
      } else {
        await act('PATCH', path, { category: `category-${lane}-${begun.desk}` });
      }
    }
  };

  /** Of the facility's side. */
  const staff = async () => {
    const chance = chanceOf(99);
    for (; begun.staff < CHANGES_MADE; begun.staff += 1) {
      await until(() => begun.staff <= begun.desk + AHEAD_MAX, 'the desk');
      const orders = [...facility.orders.keys()];
      if (orders.length === 0 || chance.next() < 0.15) {
        const title = `order ${begun.staff}`;
        facility.open(`order-${begun.staff}`, { title, priority: 'medium' }, 'staff');
        continue;
      }
      const order = facility.orders.get(chance.of(orders))!;
      const others = ['low', 'medium', 'high', 'critical'].filter((one) => one !== order.priority);
      const title = `title ${begun.staff}`;
      const news = chance.next() < 0.5 ? { title } : { title, priority: chance.of(others) };
      facility.change(order.id, news, 'staff');
    }
  };

  const killer = async () => {
    for (const at of [0.3, 0.6]) {
      await expect.poll(() => begun.desk).toBeGreaterThan(CHANGES_MADE * at);
      await desk.kill();
    }
  };

  const ended = new AbortController();
  const mirroring = mirror.run(ended.signal);
  const lanes = Array.from({ length: LANES }, (_, lane) => agent(lane));
  await Promise.all([...lanes, staff(), killer()]);
  await expect.poll(() => mirror.idle(), { interval: 100 }).toBe(true);
  const entries = facility.entries.length;
  await letPass(1_500, 'what came back to where it was made would go on without end');
  expect(facility.entries.length).toBe(entries);
  ended.abort();
  await mirroring;
  return { facility, mirror, done, me, ask: desk.asking(AGENT) };
};

type Scenario = Awaited<ReturnType<typeof scenario>>;

// oxlint-disable-next-line typescript/no-explicit-any -- as the wire has it
type Item = any;

const feedOf = async ({ ask }: Scenario): Promise<readonly Item[]> => {
  const page = async (after: string) =>
    (await ask('GET', `/api/service-desk/changes?after=${after}&limit=500`)).body;
  return (await readFeed<Item>(page, '0')).items;
};

/** Whether a change concerns the facility: notes and clocks of a known ticket do not. */
const isNews = (change: string) => ['state', 'assignment', 'fields'].includes(change);

/** The assertions for both sources of changes. */
const isMirrored = async (run: Scenario, items: readonly Item[]) => {
  const { facility, mirror, done, me } = run;
  // Every ticket has one order, every order one ticket, and they say the same.
  const tickets = new Map(items.map(({ ticketId, ticket }) => [ticketId, ticket]));
  expect(mirror.orders.size).toBe(tickets.size);
  expect(facility.orders.size).toBe(tickets.size);
  for (const [id, ticket] of tickets) {
    expect(facility.orders.get(mirror.orders.get(id)!)).toMatchObject({
      title: ticket.subject ?? '',
      priority: ticket.priority,
      state: ticket.state,
      crew: ticket.assignedTeamId,
      category: ticket.category,
    });
  }
  // Each change acknowledged to agents is in the log exactly once, and so is each of the staff's.
  const place = ({ ticketId, revision }: Done) => `${ticketId}/${revision}`;
  const inLog = items.map(({ ticketId, ticket }) => place({ ticketId, revision: ticket.revision }));
  expect(new Set(inLog).size).toBe(inLog.length);
  expect(done.map(place).filter((one) => !inLog.includes(one))).toEqual([]);
  const byMirror = items.filter(({ actor }) => actor.id === me);
  const sent = facility.entries.filter(({ by }) => by === 'staff');
  const stamps = Map.groupBy(
    byMirror.map(({ ticket }) => ticket.metadata.mirror as { order: string; version: number }),
    ({ order }) => order,
  );
  expect(stamps).toEqual(
    Map.groupBy(
      sent.map(({ orderId, version }) => ({ order: orderId, version })),
      ({ order }) => order,
    ),
  );
  expect([done.length, sent.length]).toEqual([CHANGES_MADE, CHANGES_MADE]);
  // No echo: neither side received its own changes.
  for (const { change } of byMirror) expect(['created', 'fields']).toContain(change);
  const mirrored = facility.entries.filter(({ by, version }) => by === 'mirror' && version > 1);
  for (const { changed } of mirrored) {
    expect(changed).not.toHaveProperty('title');
    expect(changed).not.toHaveProperty('priority');
  }
  return { tickets, mirrored };
};

describe(
  'a mirror of 1,000 random changes on both sides, the server killed twice',
  {
    timeout: 600_000,
  },
  () => {
    it('by the feed: each change once, in order, without an echo', async () => {
      const run = await scenario('feed');
      const items = await feedOf(run);
      const { mirrored } = await isMirrored(run, items);
      const others = items.filter(({ actor, change }) => actor.id !== run.me && isNews(change));
      const byOrder = (entries: readonly Entry[]) =>
        Object.groupBy(entries, ({ orderId }) => orderId);
      const expected = Object.groupBy(others, ({ ticketId }) => run.mirror.orders.get(ticketId)!);
      const found = byOrder(mirrored);
      expect(Object.keys(found).toSorted()).toEqual(Object.keys(expected).toSorted());
      for (const [orderId, each] of Object.entries(found)) {
        const news = each!.map(({ changed }) => changed);
        expect(news).toHaveLength(expected[orderId]!.length);
        for (const [index, changed] of news.entries()) {
          const { state, assignedTeamId: crew, category } = expected[orderId]![index].ticket;
          expect({ state, crew, category }).toMatchObject(changed);
        }
      }
      expect(run.facility.redundant).toBe(0);
    });

    it('by the list and updatedAt: both sides end up alike, without an echo', async () => {
      const run = await scenario('list');
      const items = await feedOf(run);
      const { mirrored } = await isMirrored(run, items);
      const others = items.filter(({ actor, change }) => actor.id !== run.me && isNews(change));
      expect(mirrored.length).toBeLessThanOrEqual(others.length);
    });
  },
);
