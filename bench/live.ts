/**
 * The live service: CPU of the server per message sent to a client, against a loop over the
 * connections of `ws` that sends the same text in the same run, in turns; and the memory of idle
 * connections, and of one that does not read.
 *
 *     node bench/live.ts [rounds]
 *
 * Each server is a separate process; the clients are in this one, and only count frames. A round is
 * one ingest into the building, or one into each of them; the next round begins when all clients
 * have received everything. The service's figures include everything after the append to its log.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sessionOf } from '../test/support/api/open-live-service.ts';
import { countingClient, type CountingClient } from './support/live-clients.ts';
import type { Told, Usage } from './support/live-server.ts';

const rounds = Number(process.argv[2] ?? 40);
const kinds = ['atrium', 'ws'] as const;
type Kind = (typeof kinds)[number];

/** Connections opened concurrently. */
const AT_ONCE = 50;

const forked = new URL('./support/live-server.ts', import.meta.url);

interface Server {
  readonly kind: Kind;
  readonly port: number;
  usage(): Promise<Usage>;
  aliveBytes(): Promise<number>;
  tell(told: Told): void;
  stop(): void;
}

const started = async (kind: Kind): Promise<Server> => {
  const child: ChildProcess = fork(forked, [kind], { execArgv: ['--expose-gc'] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const asked = async <Answer>(what: 'usage' | 'alive'): Promise<Answer> => {
    child.send(what);
    const [answer] = (await once(child, 'message')) as [Answer];
    return answer;
  };
  return {
    kind,
    port,
    usage: () => asked<Usage>('usage'),
    aliveBytes: () => asked<number>('alive'),
    tell: (told) => void child.send(told),
    stop: () => void child.kill(),
  };
};

/** Counts frames of many clients, and resolves at a given number. */
const tally = () => {
  let [count, target, isOn] = [0, Infinity, false];
  let reached = () => {};
  return {
    counted(frames: number) {
      if (isOn) count += frames;
      if (count >= target) reached();
    },
    /** Excludes earlier frames. */
    begin() {
      isOn = true;
    },
    async until(frames: number): Promise<void> {
      target = frames;
      if (count < target) await new Promise<void>((done) => (reached = done));
      [count, target] = [0, Infinity];
    },
  };
};

const joined = async (
  { kind, port }: Server,
  buildingId: string,
  counted: (frames: number) => void,
): Promise<CountingClient> => {
  if (kind === 'ws') return countingClient(port, `/${buildingId}`, counted);
  const client = await countingClient(port, '/socket.io/?EIO=4&transport=websocket', counted);
  const token = sessionOf('acme', 'bench');
  await client.heard(1);
  client.send(`40/buildings,${JSON.stringify({ token })}`);
  await client.heard(2);
  client.send(`42/buildings,1${JSON.stringify(['join', { buildingId }])}`);
  await client.heard(3);
  return client;
};

const compare = async (title: string, clients: number, count: number, points: number) => {
  const buildings = Array.from({ length: count }, () => randomUUID());
  const sides = [];
  for (const kind of kinds) {
    const server = await started(kind);
    const heard = tally();
    const before = await server.usage();
    const connected: CountingClient[] = [];
    for (let number = 0; number < clients; number += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, index) =>
        joined(server, buildings[(number + index) % count]!, heard.counted),
      );
      connected.push(...(await Promise.all(some)));
    }
    heard.begin();
    const after = await server.usage();
    const rssKib = (after.rssBytes - before.rssBytes) / clients / 1_024;
    const round = async () => {
      server.tell({ buildings, points });
      await heard.until(clients * points);
    };
    for (let warm = 0; warm < 5; warm += 1) await round();
    sides.push({ server, connected, round, rssKib, cpuUs: 0, held: 0 });
  }
  for (let number = 0; number < rounds; number += 1)
    for (const side of sides) {
      const before = await side.server.usage();
      await side.round();
      const after = await side.server.usage();
      side.cpuUs += after.cpuUs - before.cpuUs;
      side.held = Math.max(side.held, after.heldMs);
    }
  const messages = rounds * clients * points;
  const [ours, theirs] = sides.map(({ cpuUs }) => cpuUs / messages) as [number, number];
  console.log(
    `${title}, ${points} messages at once, ${messages.toLocaleString('en')} sent: ` +
      `${(ours / theirs).toFixed(2)}× (${ours.toFixed(2)} µs a message against ` +
      `${theirs.toFixed(2)}); a connection that waits takes ${sides[0]!.rssKib.toFixed(1)} KiB ` +
      `against ${sides[1]!.rssKib.toFixed(1)}; event loop held ${sides[0]!.held.toFixed(0)} ms ` +
      `at most against ${sides[1]!.held.toFixed(0)}`,
  );
  for (const { server, connected } of sides) {
    for (const { socket } of connected) socket.destroy();
    server.stop();
  }
};

/** Live heap after each quarter: for a client that does not read, the latest value is kept. */
const kept = async (points: number, reads: boolean) => {
  const server = await started('atrium');
  const heard = tally();
  const buildingId = randomUUID();
  await joined(server, buildingId, heard.counted);
  heard.begin();
  const other = await joined(server, buildingId, () => {});
  if (!reads) other.socket.pause();
  const alive: string[] = [];
  for (let number = 1; number <= rounds * 4; number += 1) {
    server.tell({ buildings: [buildingId], points });
    await heard.until(points);
    if (number % rounds === 0) alive.push(((await server.aliveBytes()) / 1_048_576).toFixed(1));
  }
  console.log(
    `two clients, one of which ${reads ? 'reads as well' : 'does not read'}: after each ` +
      `${(rounds * points).toLocaleString('en')} messages ${alive.join(', ')} MiB are alive, ` +
      'the log in memory included',
  );
  other.socket.destroy();
  server.stop();
};

await compare('500 clients in a room', 500, 1, 1);
await compare('500 clients in a room', 500, 1, 20);
await compare('5,000 clients in 100 rooms', 5_000, 100, 10);
await kept(500, true);
await kept(500, false);
process.exit(0);
