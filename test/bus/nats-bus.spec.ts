/** NATS as the bus, on real servers, with and without failures. */
import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BusUnavailable, MessageTooLarge } from '../../src/bus/bus.ts';
import { BUS_INTAKE } from '../../src/bus/nats/intake.ts';
import { processControl } from '../../src/engine/control/process-control.ts';
import { LogUnavailable, type EventStore } from '../../src/engine/log/event-store.ts';
import { logWith } from '../../src/engine/log/log-with.ts';
import { postgresEventStore } from '../../src/engine/log/postgres/store.ts';
import { busContract } from '../contract/bus.contract.ts';
import { parkedIdsIn, parkedIn } from '../support/consumers/bus.ts';
import {
  BUS_SOURCE,
  natsBusOn,
  type NatsBusOptions,
  type RunningNatsBus,
} from '../support/consumers/nats-bus.ts';
import { readCloudEvent } from '../support/cloud-events.ts';
import { natsCluster, natsProgram, natsServer, type NatsServer } from '../support/nats/server.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { until } from '../support/until.ts';

const never = new AbortController().signal;

describe.skipIf(!natsProgram())('NATS (skipped where no nats-server is installed)', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await natsServer();
    await server.start();
  });
  afterAll(() => server.release());

  busContract('NATS JetStream', async () => {
    const { url, drop } = await freshDatabase();
    const log = postgresEventStore({ url });
    const prefix = `p-${randomUUID().slice(0, 8)}`;
    return {
      async process() {
        const process = natsBusOn({ databaseUrl: url, log, servers: [server.url], prefix });
        await process.nats.whenReady(never);
        return process;
      },
      parked: (consumer) => parkedIdsIn(log, consumer),
      async close() {
        await log.close();
        await drop();
      },
    };
  });

  describe('the bus', () => {
    let url: string;
    let drop: () => Promise<void>;
    let log: EventStore;
    let prefix: string;
    let ending: (() => Promise<unknown>)[];
    const buildingId = '0b3f6f0e-54a5-4a53-8f5a-0d6f5b9d3c22';
    const subject = { buildingId, type: 'test.rang' };
    const at = '2026-03-02T12:00:00.000Z';

    beforeEach(async () => {
      ({ url, drop } = await freshDatabase());
      log = postgresEventStore({ url });
      prefix = `p-${randomUUID().slice(0, 8)}`;
      ending = [];
    });
    afterEach(async () => {
      for (const end of ending.splice(0).reverse()) await end();
      await log.close();
      await drop();
    });

    const dialled = (over: Partial<NatsBusOptions> = {}): RunningNatsBus => {
      const options = { databaseUrl: url, log, servers: [server.url], prefix };
      const running = natsBusOn({ ...options, ...over });
      ending.push(running.close);
      return running;
    };
    const running = async (over: Partial<NatsBusOptions> = {}) => {
      const one = dialled(over);
      await one.nats.whenReady(never);
      return one;
    };
    /** Another client's connection to the server. */
    const stranger = async (
      to = server,
    ): Promise<{ nc: NatsConnection; jsm: JetStreamManager }> => {
      const nc = await connect({
        servers: to.url,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 50,
      });
      ending.push(() => nc.close());
      return { nc, jsm: await jetstreamManager(nc) };
    };
    const own = async (config?: string) => {
      const mine = await natsServer(config === undefined ? {} : { config });
      ending.push(mine.release);
      await mine.start();
      return mine;
    };
    const ring = (on: RunningNatsBus, eventId: string) =>
      on.bus.publish(subject, { eventId }, { eventId, at });
    /** Publishes one after the other, with retries, as a process does. @returns The failures. */
    const ringAll = async (on: RunningNatsBus, ids: readonly string[]) => {
      let failures = 0;
      for (const id of ids)
        await until(
          () =>
            ring(on, id).then(
              () => true,
              (error: unknown) => {
                if (!(error instanceof BusUnavailable)) throw error;
                failures += 1;
                return false;
              },
            ),
          'a publication',
        );
      return failures;
    };
    const listening = (on: RunningNatsBus, name = 'listener') => {
      const heard: string[] = [];
      const handle = async ({ eventId }: { eventId: string }) => void heard.push(eventId);
      return { heard, ...on.consume({ name, types: ['test.rang'], handle }) };
    };
    const hundred = Array.from({ length: 100 }, (_, n) => `${n}`);

    it('creates its streams and consumer once, and reports in one line a misfit', async () => {
      const { jsm } = await stranger();
      await jsm.streams.add({ name: `${prefix}-outbound`, subjects: [`${prefix}.other`] });
      const one = dialled();
      await until(() => one.nats.ready() !== true && /does not fit/.test(String(one.nats.ready())));
      expect(one.nats.ready()).toContain(`the NATS stream ${prefix}-outbound does not fit: `);
      await expect(ring(one, 'a')).rejects.toThrow(BusUnavailable);
      await jsm.streams.delete(`${prefix}-outbound`);
      await until(() => one.nats.ready() === true);
      expect((await running()).nats.ready()).toBe(true);
      const { config } = await jsm.consumers.info(`${prefix}-inbound`, 'intake');
      expect(config).toMatchObject({ ack_policy: 'explicit', durable_name: 'intake' });
    });

    it("delivers a building's messages to its subscribers, with the message id", async () => {
      const one = await running();
      const { nc } = await stranger();
      const heard: string[] = [];
      const subscription = nc.subscribe(`${prefix}.building.${buildingId}.>`, {
        callback: (_, message) => void heard.push(`${message.headers?.get('Nats-Msg-Id')}`),
      });
      await nc.flush();
      for (const id of ['a', 'a', 'b']) await ring(one, id);
      await until(() => heard.length >= 3);
      subscription.unsubscribe();
      // NATS deduplicates a repeat in the stream; plain subscribers receive it with the same id.
      expect(heard[0]).toBe(heard[1]);
      expect(new Set(heard).size).toBe(2);
      expect((await one.nats.streams())[0]!.bytes).toBeGreaterThan(0);
      expect((await one.nats.behind()).events).toBe(2);
    });

    it('adds the CloudEvents attributes of each message as headers', async () => {
      const one = await running();
      const { nc } = await stranger();
      const heard: { id: string | null; event: ReturnType<typeof readCloudEvent> }[] = [];
      const subscription = nc.subscribe(`${prefix}.building.${buildingId}.>`, {
        callback(_, message) {
          const of = (name: string) =>
            message.headers?.keys().find((key) => key.toLowerCase() === name) ?? null;
          const header = (name: string) => {
            const key = of(name);
            return key === null ? null : message.headers!.get(key);
          };
          heard.push({
            id: header('nats-msg-id'),
            event: readCloudEvent(header, message.string()),
          });
        },
      });
      await nc.flush();
      await ring(one, 'zażółć "1"');
      await until(() => heard.length > 0, 'the message');
      subscription.unsubscribe();
      const [{ id, event }] = heard as [(typeof heard)[number]];
      expect(event).toEqual({
        id,
        source: BUS_SOURCE,
        type: 'test.rang',
        subject: buildingId,
        time: at,
        data: { eventId: 'zażółć "1"' },
      });
    });

    it('parks unusable messages, which operators retry or skip', async () => {
      const one = await running();
      const { under, heard } = listening(one);
      const { nc, jsm } = await stranger();
      const js = jsm.jetstream();
      const say = (type: string, body: string) =>
        js.publish(`${prefix}.building.${buildingId}.${type}`, body);
      await say('test.rang', '{');
      await say('test.unknown', '{"eventId":"u"}');
      await js.publish(`${prefix}.building.nowhere.test.rang`, '{"eventId":"n"}');
      await say('test.rang', '{"eventId":"good"}');
      await until(() => heard.includes('good'));
      const control = processControl({
        processes: [BUS_INTAKE],
        timers: [],
        consumers: under.consumers,
        behind: { [BUS_INTAKE]: () => one.nats.behind() },
      });
      await until(async () => (await control.parked(BUS_INTAKE)).length === 3);
      const [first, second, third] = await control.parked(BUS_INTAKE);
      expect([first, second, third].map((row) => row?.stream)).toEqual(
        [1, `2/${prefix}.building.${buildingId}.test.unknown`, 3].map(
          (place) => `${prefix}-inbound/${place}`,
        ),
      );
      expect(second!.error).toContain('test.rang');
      // Another building's partition may be a moment behind.
      await until(async () => (await one.nats.behind()).events === 0);
      expect(await control.status()).toMatchObject([{ parked: 3, lagEvents: 0 }]);

      const asked = async (kind: 'retry' | 'skip', stream: string) => {
        const request = (await control.ask(BUS_INTAKE, { kind, stream, by: 'test' }))!;
        await until(async () => (await control.request(request.id))?.endedAt != null);
        return control.request(request.id);
      };
      expect(await asked('retry', first!.stream)).toMatchObject({
        state: 'done',
        result: { parkedAgain: { error: expect.stringContaining('JSON') } },
      });
      expect(await asked('skip', first!.stream)).toMatchObject({ state: 'done' });
      await jsm.streams.deleteMessage(`${prefix}-inbound`, 3);
      expect(await asked('retry', third!.stream)).toMatchObject({ state: 'refused' });
      expect((await control.parked(BUS_INTAKE)).length).toBe(2);
      const facts = await parkedIn(log, BUS_INTAKE);
      expect(facts.map(({ type }) => type)).toEqual([
        'MessageParked',
        'MessageParked',
        'MessageParked',
        'ParkedMessageSettled',
      ]);
      await nc.flush();
    });

    it('delivers the parked messages of a type once a release knows it', async () => {
      const one = await running({ types: ['test.other'] });
      const before = listening(one);
      await ringAll(one, ['early', 'later', 'last']);
      await until(async () => (await one.nats.behind()).events === 0);
      expect(await parkedIn(log, BUS_INTAKE)).toHaveLength(1);
      await before.stop();
      const two = await running();
      const { under, heard } = listening(two);
      const control = processControl({
        processes: [BUS_INTAKE],
        timers: [],
        consumers: under.consumers,
      });
      await until(async () => (await control.status())[0]!.owner === 'this');
      const [row] = await control.parked(BUS_INTAKE);
      expect(row!.skipped).toBe(2);
      await control.ask(BUS_INTAKE, { kind: 'retry', stream: row!.stream, by: 'test' });
      await until(() => heard.length >= 3);
      expect(heard).toEqual(['early', 'later', 'last']);
      await until(async () => (await control.parked(BUS_INTAKE)).length === 0);
    });

    it('continues with the messages of a killed owner before newer ones', async () => {
      const one = await running();
      // Appends hang, as if the owner were killed while it handles its messages.
      const append: EventStore['append'] = (stream, ...rest) =>
        stream.startsWith('bus-')
          ? Promise.reject(new LogUnavailable('away'))
          : log.append(stream, ...rest);
      const doomed = await running({ log: logWith(log, { append }) });
      await ringAll(one, hundred.slice(0, 50));
      const taking = listening(doomed);
      const { jsm } = await stranger();
      const pending = async () =>
        (await jsm.consumers.info(`${prefix}-inbound`, 'intake')).num_ack_pending;
      await until(async () => (await pending()) > 0);
      await taking.stop();
      await ringAll(one, hundred.slice(50));
      const { heard } = listening(one, 'heir');
      await until(() => heard.length >= 100);
      expect(heard).toEqual(hundred);
    });

    it('reads lost deliveries again before it accepts newer messages', async () => {
      const one = await running();
      const { heard } = listening(one);
      await ringAll(one, ['first']);
      await until(() => heard.length === 1);
      // Another client pulls messages of the same consumer, and never acknowledges them.
      const { jsm } = await stranger();
      const thief = await jsm.jetstream().consumers.get(`${prefix}-inbound`, 'intake');
      const rung: string[] = [];
      const stolen: unknown[] = [];
      const stealing = thief.fetch({ max_messages: 1, expires: 60_000 });
      const stole = (async () => {
        for await (const message of await stealing) stolen.push(message);
      })();
      for (let n = 0; stolen.length === 0; n += 1) {
        await ringAll(one, [`${n}`]);
        rung.push(`${n}`);
      }
      await stole;
      await ringAll(one, ['last']);
      await until(() => heard.includes('last'));
      expect(heard).toEqual(['first', ...rung, 'last']);
    });

    it('loses no message and keeps the order while the server is killed', async () => {
      const mine = await own();
      const one = await running({ servers: [mine.url] });
      const { heard } = listening(one);
      for (const [from, to] of [
        [0, 30],
        [30, 60],
        [60, 100],
      ] as const) {
        const publishing = ringAll(one, hundred.slice(from, to));
        await until(() => heard.length > from);
        await mine.kill();
        await until(() => one.nats.ready() !== true);
        await mine.start();
        await publishing;
      }
      await until(() => heard.length >= 100);
      expect(heard).toEqual(hundred);
    });

    it('waits for an unavailable server, and reports so', async () => {
      const mine = await natsServer();
      ending.push(mine.release);
      const one = dialled({ servers: [mine.url] });
      await until(() => /refused/i.test(String(one.nats.ready())));
      expect(one.nats.ready()).toContain(new URL(mine.url).host);
      await expect(ring(one, 'a')).rejects.toThrow(BusUnavailable);
      const { heard } = listening(one);
      await mine.start();
      await ringAll(one, ['a']);
      await until(() => heard.length > 0);
      expect(heard).toEqual(['a']);
    });

    it('leaves no connection open to a server that never answers', async () => {
      const connections = new Set<Socket>();
      const silent = createServer((socket) => {
        connections.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => connections.delete(socket));
      });
      await new Promise<void>((listens) => silent.listen(0, '127.0.0.1', () => listens()));
      ending.push(() => new Promise((done) => silent.close(done)));
      const { port } = silent.address() as AddressInfo;
      const one = dialled({ servers: [`nats://127.0.0.1:${port}`] });
      await until(() => connections.size > 0);
      await one.close();
      await until(() => connections.size === 0);
      expect(one.nats.ready()).not.toBe(true);
    });

    it('times out on a slow server, and still publishes once', async () => {
      const mine = await own();
      const one = await running({ servers: [mine.url] });
      const { heard } = listening(one);
      await ringAll(one, ['before']);
      await until(() => heard.length === 1);
      await mine.freeze();
      await expect(ring(one, 'slow')).rejects.toThrow(BusUnavailable);
      await until(() => one.nats.ready() !== true);
      mine.thaw();
      await ringAll(one, ['slow', 'after']);
      await until(() => heard.includes('after'));
      expect(heard).toEqual(['before', 'slow', 'after']);
      await until(() => one.nats.ready() === true);
    });

    it('reports a full stream, and loses no message that it could not publish', async () => {
      const one = await running();
      const { jsm } = await stranger();
      const name = `${prefix}-inbound`;
      // Room for four messages of some 510 bytes. NATS counts a new one without its subject: within
      // 100 bytes of the bound it would take it and drop the oldest.
      await jsm.streams.update(name, { max_bytes: 2_250 });
      const publishing = ringAll(one, hundred);
      await until(() => /maximum bytes/.test(String(one.nats.ready())));
      expect(await one.nats.streams()).toContainEqual(
        expect.objectContaining({ name, bytesMax: 2_250 }),
      );
      await jsm.streams.update(name, { max_bytes: -1 });
      expect(await publishing).toBeGreaterThan(0);
      const { heard } = listening(one);
      await until(() => heard.length >= 100);
      expect(heard).toEqual(hundred);
      expect(one.nats.ready()).toBe(true);
    });

    it('refuses for good a message over a limit of NATS, and stays ready', async () => {
      const one = await running();
      const { jsm } = await stranger();
      const large = (characters: number) =>
        one.bus.publish(subject, { text: 'x'.repeat(characters) }, { eventId: 'large', at });
      const refused = large(1024 * 1024);
      await expect(refused).rejects.toThrow(/max_payload/);
      await expect(refused).rejects.toBeInstanceOf(MessageTooLarge);
      await jsm.streams.update(`${prefix}-inbound`, { max_msg_size: 1_000 });
      await expect(large(1_000)).rejects.toBeInstanceOf(MessageTooLarge);
      expect(one.nats.ready()).toBe(true);
      await ringAll(one, ['small']);
    });

    it('is not ready after a refusal until the time of the next attempt is over', async () => {
      let nowMs = 0;
      const one = await running({ nowMs: () => nowMs });
      const { jsm } = await stranger();
      const name = `${prefix}-inbound`;
      await jsm.streams.update(name, { max_bytes: 1 });
      await expect(ring(one, 'a')).rejects.toThrow(BusUnavailable);
      nowMs = 20_000;
      expect(one.nats.ready()).toMatch(/has not accepted a message: .*maximum bytes/);
      nowMs = 20_001;
      expect(one.nats.ready()).toBe(true);
    });

    it('stops where a stream is reconfigured so that messages could be lost', async () => {
      const one = await running({ lookMs: 100 });
      const { jsm } = await stranger();
      const name = `${prefix}-outbound`;
      await jsm.streams.update(name, { discard: 'old', max_msgs: 3 });
      await until(() => /does not fit/.test(String(one.nats.ready())));
      await expect(ring(one, 'a')).rejects.toThrow(BusUnavailable);
      await jsm.streams.update(name, { discard: 'new', max_msgs: -1 });
      await until(() => one.nats.ready() === true);
      await ringAll(one, ['a']);
    });

    it('recreates a stream that was deleted meanwhile', async () => {
      const one = await running();
      const { heard } = listening(one);
      await ringAll(one, ['a']);
      await until(() => heard.length === 1);
      const { jsm } = await stranger();
      await jsm.streams.delete(`${prefix}-inbound`);
      await ringAll(one, ['b', 'c']);
      await until(() => heard.includes('c'));
      expect(heard).toEqual(['a', 'b', 'c']);
    });

    it('continues in a cluster of three whose leader is killed', async () => {
      const cluster = await natsCluster();
      ending.push(() => Promise.all(cluster.map((node) => node.release())));
      await Promise.all(cluster.map((node) => node.start()));
      const one = await running({ servers: cluster.map((node) => node.url), replicas: 3 });
      const { heard } = listening(one);
      await ringAll(one, hundred.slice(0, 30));
      await until(() => heard.length >= 30);
      const leader = async () => {
        const { jsm } = await stranger(cluster.find((node) => node !== killed));
        return (await jsm.streams.info(`${prefix}-inbound`)).cluster?.leader;
      };
      let killed: NatsServer | undefined;
      let name: string | undefined;
      // There is no leader during the election.
      await until(async () => (name = await leader()) !== undefined, 'a leader');
      const publishing = ringAll(one, hundred.slice(30));
      await until(() => heard.length >= 40);
      killed = cluster.find((node) => node.name === name)!;
      await killed.kill();
      await publishing;
      await until(() => heard.length >= 100);
      expect(heard).toEqual(hundred);
    });
  });
});
