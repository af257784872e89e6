/**
 * The log on EventStoreDB beside the bare client, in the same run: one event per command; the key
 * check with its use record, for one organisation and for 50, each with its own keyring (the bare
 * client appends to one journal per organisation); and draining a category.
 *
 *     node bench/eventstoredb.ts [rounds] [milliseconds a round] [events to drain]
 *
 * The server is the one at EVENTSTORE_URL, else a program on the PATH, with its flush to disk on.
 * Contenders take turns; the figures are medians of the rounds. CPU is this process's.
 */
import { v7 as uuid } from 'uuid';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import { keyUseLog } from '../src/identity/keys/key-use-log.ts';
import { systemClock } from '../src/engine/time/clock.ts';
import { eventstoreDbStore } from '../src/engine/log/eventstoredb/store.ts';
import { eventstoreProgram, eventstoreServer } from '../test/support/eventstoredb/server.ts';
import { median, quantile } from './support/figures.ts';
import { currentVersions } from '../test/support/log/keys.ts';

const rounds = Number(process.argv[2] ?? 3);
const roundMs = Number(process.argv[3] ?? 2_000);
const drained = Number(process.argv[4] ?? 200_000);
const CONCURRENT = 64;
const KEY_CHECK_BAR = 5;
const ORGANISATIONS = 50;

const data = {
  subject: 'Radiator in the meeting room does not get warm',
  priority: 'high',
  building: uuid(),
  storey: 'storey-03',
  space: 'space-03-17',
};
const meta = { commandId: uuid(), at: new Date().toISOString(), by: 'user:ada', origin: 'api' };
const happened = () => ({ id: uuid(), type: 'TicketOpened', data, meta });
const bareEvent = () => jsonEvent({ id: uuid(), type: 'TicketOpened', data, metadata: meta });

interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
}

const rated = async (work: (worker: number, nth: number) => Promise<unknown>): Promise<Figures> => {
  const tookMs: number[] = [];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CONCURRENT }, async (_, worker) => {
      for (let nth = 0; performance.now() - startedAt < roundMs; nth += 1) {
        const sentAt = performance.now();
        await work(worker, nth);
        tookMs.push(performance.now() - sentAt);
      }
    }),
  );
  return figuresOf(tookMs.length, startedAt, cpu, tookMs);
};

const figuresOf = (
  count: number,
  startedAt: number,
  cpu: NodeJS.CpuUsage,
  tookMs: readonly number[] = [],
): Figures => {
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: count / ((performance.now() - startedAt) / 1_000),
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    cpuUs: (user + system) / count,
  };
};

const given = process.env['EVENTSTORE_URL'];
const program = eventstoreProgram();
if (!given && !program) throw new Error('no EventStoreDB: set EVENTSTORE_URL');
const server = given ? null : await eventstoreServer(program!);
const url = given ?? server!.url;
const log = eventstoreDbStore({ url });
const bare = EventStoreDBClient.connectionString(url);
const mark = uuid().slice(-12);
let round = 0;

const keyringOf = (organisation: number) => `keyring-${mark}${organisation}`;
for (let organisation = 0; organisation < ORGANISATIONS; organisation += 1)
  await log.append(keyringOf(organisation), 'no_stream', [happened()]);

/**
 * Requests of this number of organisations at random: checks a key, and records its use. In a fixed
 * order, the organisations of one group would stay together.
 */
const family = { category: 'keyuse', period: '202608' };
const uses = keyUseLog({ log, clock: systemClock, versions: currentVersions });
const keyChecks = (organisations: number) => {
  const any = () => Math.floor(Math.random() * organisations);
  return {
    ours: () =>
      rated(() => {
        const organisation = any();
        const guard = { stream: keyringOf(organisation), revision: 0 };
        const journal = `keyuse-${mark}${organisation}.202608`;
        return uses.record({ journal, family, event: happened(), guard });
      }),
    bare: () =>
      rated(async () => {
        const organisation = any();
        const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
        for await (const { event } of bare.readStream(keyringOf(organisation), options))
          if (event?.revision !== 0n) throw new Error('moved');
        await bare.appendToStream(`bareuse${mark}-${organisation}.202608`, bareEvent());
      }),
  };
};

const drain = async (consume: (count: (n: number) => boolean) => Promise<void>) => {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  let seen = 0;
  await consume((n) => (seen += n) >= drained);
  return figuresOf(seen, startedAt, cpu);
};

const filter = streamNameFilter({ prefixes: [`drain${mark}-`], maxSearchWindow: 2_000 });
const tasks: Record<string, Record<string, () => Promise<Figures>>> = {
  'append, a stream a worker': {
    ours: () =>
      rated((worker, nth) =>
        log.append(`ticket${mark}-${round}.${worker}`, nth === 0 ? 'no_stream' : nth - 1, [
          happened(),
        ]),
      ),
    // Per-call credentials make the call unary; see eventstoredb-appender.ts.
    'bare, unary': () =>
      rated((worker, nth) =>
        bare.appendToStream(`unary${mark}-${round}.${worker}`, bareEvent(), {
          expectedRevision: nth === 0 ? 'no_stream' : BigInt(nth - 1),
          credentials: { username: 'nobody', password: 'none' },
        }),
      ),
    bare: () =>
      rated((worker, nth) =>
        bare.appendToStream(`bare${mark}-${round}.${worker}`, bareEvent(), {
          expectedRevision: nth === 0 ? 'no_stream' : BigInt(nth - 1),
        }),
      ),
  },
  'key check and use record': keyChecks(1),
  [`the same, ${ORGANISATIONS} organisations`]: keyChecks(ORGANISATIONS),
  drain: {
    ours: () =>
      drain(async (enough) => {
        const { signal } = new AbortController();
        for await (const { events } of log.subscribe(null, {
          categories: [`drain${mark}`],
          signal,
        }))
          if (enough(events.length)) break;
      }),
    bare: () =>
      drain(async (enough) => {
        const subscription = bare.subscribeToAll({ fromPosition: START, filter });
        for await (const _ of subscription) if (enough(1)) break;
        await subscription.unsubscribe();
      }),
  },
};

for (let left = drained; left > 0; left -= 500)
  await log.append(`drain${mark}-1`, 'any', Array.from({ length: Math.min(left, 500) }, happened));

const rows: Record<string, string | number>[] = [];
let keyCheck = Number.NaN;
for (const [task, contenders] of Object.entries(tasks)) {
  const figures: Record<string, Figures[]> = {};
  for (let n = 0; n <= rounds; n += 1) {
    round += 1;
    for (const [name, run] of Object.entries(contenders)) {
      const figure = await run();
      // The first round only warms up.
      if (n > 0) (figures[name] ??= []).push(figure);
    }
  }
  const of = (name: string, what: keyof Figures) =>
    median((figures[name] ?? []).map((figure) => figure[what]));
  const ratio = of('ours', 'perSecond') / of('bare', 'perSecond');
  if (task.startsWith('key')) keyCheck = ratio;
  for (const name of Object.keys(contenders))
    rows.push({
      task,
      contender: name,
      'a second': Math.round(of(name, 'perSecond')),
      'against bare': (of(name, 'perSecond') / of('bare', 'perSecond')).toFixed(2),
      'p50 ms': task === 'drain' ? '' : of(name, 'p50Ms').toFixed(1),
      'p99 ms': task === 'drain' ? '' : of(name, 'p99Ms').toFixed(1),
      'CPU µs': of(name, 'cpuUs').toFixed(1),
    });
}
await uses.close();
await log.close();
await bare.dispose();
await server?.release();
console.table(rows);
console.log(`key check: ${keyCheck.toFixed(2)}× the bare client; the bar is ${KEY_CHECK_BAR}×`);
process.exitCode = keyCheck >= KEY_CHECK_BAR ? 0 : 1;
