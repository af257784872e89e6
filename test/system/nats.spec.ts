/**
 * Work orders and ticket events over a real NATS while server and NATS are killed. In short; the
 * long form: `TEST_NATS_KILLS=10 TEST_NATS_RESTARTS=5 npx vitest run test/system/nats.spec.ts`.
 */
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { sent as workOrder, subjectOf } from '../support/domain/work-order-events.ts';
import { natsProgram, natsServer, type NatsServer } from '../support/nats/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import type { Reply, ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { letPass, until, untilCount } from '../support/until.ts';
import { readFeed } from '../support/feed.ts';

const AGENT = 'agent@acme.test';
const OPERATOR = 'operator@atrium.test';
const REQUESTS = '/api/service-desk/requests';
const WRITERS = 4;
const KILLS = Number(process.env['TEST_NATS_KILLS'] ?? 2);
const RESTARTS = Number(process.env['TEST_NATS_RESTARTS'] ?? 1);
/** Answers between two faults. */
const ANSWERS = 40;

interface Ticket {
  readonly id: string;
  readonly revision: number;
}

interface Change {
  readonly of: Ticket;
  readonly change: string;
}

/** A message as a NATS subscriber receives it. */
interface Arrived {
  readonly id: string;
  readonly data: Ticket & { readonly change: string };
}

const { start, release } = servers();
let nats: NatsServer | null = null;
let connection: NatsConnection | null = null;
afterEach(async () => {
  await connection?.close();
  await release();
  await nats?.release();
});

describe.skipIf(!natsProgram())('NATS (skipped where no nats-server is installed)', () => {
  it('carries work orders and ticket events once and in order through kills', async () => {
    const { url, drop } = await freshDatabase();
    const broker = await natsServer();
    nats = broker;
    await broker.start();
    const env = {
      DATABASE_URL: url,
      NATS_URL: broker.url,
      ATRIUM_DATA: temporaryDirectory('nats-system'),
      PORT: String(await freePort()),
    };
    let server: ServerProcess = await start(env);
    const nc = await connect({
      servers: broker.url,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
    });
    connection = nc;
    const js = jetstream(nc);
    const jsm = await jetstreamManager(nc);
    const { body: buildings } = await server.call(AGENT, 'GET', '/api/v1/buildings');
    const buildingId: string = buildings.items[0].id;
    const enough = new AbortController();
    let answers = 0;

    /** Retries with the same idempotency key until it is answered. */
    const sent = async (
      method: string,
      path: string,
      key: string,
      body: object,
    ): Promise<Reply> => {
      const headers = { 'idempotency-key': key };
      for (;;) {
        const answer = await server.call(AGENT, method, path, { body, headers }).catch(() => null);
        if (answer && answer.status < 300) {
          answers += 1;
          return answer;
        }
        if (answer && answer.status < 500) throw new Error(JSON.stringify(answer.body));
        await letPass(20, 'the pause before one asks again');
      }
    };

    /** As a work-order system does: until NATS has it, under the same id. */
    const tell = async (kind: string, data: ReturnType<typeof workOrder>): Promise<void> => {
      for (;;) {
        const options = { msgID: data.eventId, timeout: 2_000 };
        const body = JSON.stringify(data);
        const stored = await js
          .publish(subjectOf(kind, buildingId), body, options)
          .catch(() => null);
        if (stored) return;
        await letPass(20, 'the pause before one publishes again');
      }
    };

    /** Out of order: progress and completion before the event that names the ticket. */
    const tellOrder = async (workOrderId: string, ticketId: string): Promise<void> => {
      const of = (over: object) => workOrder(buildingId, { workOrderId, ...over });
      await tell('updated', of({ progressPercent: 50 }));
      await tell('completed', of({}));
      await tell('created', of({ ticketId }));
    };
    const telling: Promise<void>[] = [];

    /** Tickets, some commands on each, and its work order beside them. */
    const write = async (writer: number): Promise<readonly string[]> => {
      const tickets: string[] = [];
      for (let n = 0; !enough.signal.aborted; n += 1) {
        const key = `${writer}-${n}`;
        const send = (method: string, path: string, body: object) =>
          sent(method, path, `${key}${path}`, body);
        const { body: ticket } = await send('POST', REQUESTS, { buildingId, description: key });
        const at = `${REQUESTS}/${ticket.id}`;
        await send('POST', `${at}/transition`, { state: 'triaged' });
        await send('POST', `${at}/assign`, { assignedTeamId: 'plumbing' });
        telling.push(tellOrder(key, ticket.id));
        await send('PATCH', at, { priority: 'high' });
        tickets.push(ticket.id);
      }
      return tickets;
    };

    /** The messages received so far by a consumer that follows the stream. */
    const arrived: Arrived[] = [];
    const receive = async (): Promise<void> => {
      // An ordered consumer: it restarts at a gap.
      const consumer = await js.consumers.get('atrium-outbound', {});
      const messages = await consumer.consume({ expires: 2_000 });
      receiving.push(() => messages.stop());
      for await (const message of messages)
        arrived.push({
          id: message.headers!.get('Nats-Msg-Id'),
          data: message.json(),
        });
    };
    const receiving: (() => void)[] = [];
    const received = receive();

    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    // A restart of NATS after every other kill.
    const faults = [
      ...Array.from({ length: KILLS }, (_, n) => ({ fault: 'kill' as const, at: n })),
      ...Array.from({ length: RESTARTS }, (_, n) => ({
        fault: 'restart' as const,
        at: 2 * n + 0.5,
      })),
    ].toSorted((a, b) => a.at - b.at);
    for (const { fault } of faults) {
      await untilCount(() => answers, answers + ANSWERS, 'answers');
      if (fault === 'kill') {
        await server.signal('SIGKILL');
        server = await start(env);
      } else {
        await broker.kill();
        await untilCount(() => answers, answers + ANSWERS / 2, 'answers without NATS');
        await broker.start();
      }
    }
    enough.abort();
    const tickets = (await Promise.all(writers)).flat();
    await Promise.all(telling);
    expect(tickets.length).toBeGreaterThan(WRITERS);

    // Every work order has had its effects, each once.
    const notes = async (id: string): Promise<readonly { kind: string; body?: string }[]> =>
      (await server.call(AGENT, 'GET', `${REQUESTS}/${id}/updates?limit=500`)).body.items;
    for (const id of tickets) {
      const system = async () => (await notes(id)).filter(({ kind }) => kind === 'system');
      await until(async () => (await system()).length >= 3, 'the notes of a work order');
    }
    for (const id of tickets) {
      const effects = async () => {
        const items = await notes(id);
        const count = (of: string) => items.filter(({ kind }) => kind === of).length;
        const { body } = await server.call(AGENT, 'GET', `${REQUESTS}/${id}`);
        return [count('system'), count('work_order'), body.state];
      };
      await expect.poll(effects).toEqual([3, 1, 'resolved']);
    }

    // Every change has arrived, in the order of its ticket, and is stored once.
    const { items } = await readFeed<{ change: string; ticket: Change['of'] }>(async (after) => {
      const path = `/api/service-desk/changes?limit=500&after=${after}`;
      return (await server.call(AGENT, 'GET', path)).body;
    }, '0');
    const changes: Change[] = items
      .filter(({ change }) => change !== 'note')
      .map(({ change, ticket }) => ({ change, of: ticket }));
    await untilCount(() => arrived.length, changes.length, 'changes');
    for (const stop of receiving) stop();
    await received;
    const published = arrived.map(({ data }) => ({ of: data, change: data.change }));
    expect(byTicket(published)).toEqual(byTicket(changes));
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(arrived.length);
    const { state } = await jsm.streams.info('atrium-outbound');
    expect(state.messages).toBe(arrived.length);
    const parked = await server.call(OPERATOR, 'GET', '/api/v1/bus/parked');
    expect(parked.body.total).toBe(0);
    await server.signal('SIGKILL');
    await drop();
  });
});

const byTicket = (messages: readonly Change[]) =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ of }) => of.id)].map(([id, all]) => [
      id,
      all.map(({ of, change }) => `${of.revision} ${change}`),
    ]),
  );
