/**
 * The simulation against a real run: the server that `npm start` starts, all roles, on an embedded
 * Postgres. First each kind of request alone, which gives its unit costs; then all of them together
 * at other rates, which the simulation has to predict from those unit costs.
 *
 *     node bench/simulation-check.ts [seconds of each load]
 *
 * CPU is what the kernel counts of each process, so that other work on the machine disturbs it
 * less than times by the clock. What an idle platform uses is measured first and counted apart.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch, type RequestInit } from 'undici';
import { prepareLog, postgresEventStore } from '../src/engine/log/postgres/store.ts';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { mintedKey } from './support/minted-key.ts';
import { randomFrom } from './support/simulation/random.ts';
import { simulate } from './support/simulation/simulate.ts';
import type { Step } from './support/simulation/model.ts';

const seconds = Number(process.argv[2] ?? 15);
const WARM_UP_REQUESTS = 100;
const IDLE_SECONDS = 6;
/** Nothing follows in the background any more when a second costs less than this above idle. */
const QUIET_US = 10_000;
const SETTLE_SECONDS_MAX = 8;
const ACCEPTED_ERROR = 0.2;
const SEED = 7;

const STATIONS = ['process', 'postgres'] as const;
type Station = (typeof STATIONS)[number];
type Cpu = Readonly<Record<Station, number>>;
const KINDS = ['read', 'list', 'check', 'raise'] as const;
type Kind = (typeof KINDS)[number];
/** Requests a second: while the unit costs are measured, one kind after the other. */
const ALONE: Readonly<Record<Kind, number>> = { read: 80, list: 20, check: 80, raise: 20 };
/** And in the load that is predicted, all at once. */
const TOGETHER: Readonly<Record<Kind, number>> = { read: 50, list: 35, check: 110, raise: 35 };

const mapped = (value: (station: Station) => number): Cpu => ({
  process: value('process'),
  postgres: value('postgres'),
});

const DESK = '/api/service-desk/requests';
const cluster = await benchCluster();
const directory = mkdtempSync(join(tmpdir(), 'atrium-simulation-'));
/** It closes connections before the server does, which would break a request. */
const dispatcher = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
let server: ServerProcess | undefined;
try {
  const url = await cluster.database('simulation');
  await prepareLog(url);
  const log = postgresEventStore({ url });
  const { token } = await mintedKey(log, 'acme');
  await log.close();
  server = await spawnServer({
    DATABASE_URL: url,
    ATRIUM_DATA: directory,
    LOG_LEVEL: 'info',
  });
  await server.ready();
  const { pid } = server.process;
  console.log('the server is ready');
  const requests = await requestsOf(server, token);
  const cpu = (): Cpu =>
    mapped((station) =>
      station === 'postgres'
        ? (treeUs(cluster.postmaster) ?? Number.NaN)
        : processUs(pid!),
    );
  const random = randomFrom(SEED);
  /** Poisson arrivals of each kind, whether earlier ones were answered or not. */
  const load = async (rates: Partial<Readonly<Record<Kind, number>>>) => {
    const due = KINDS.flatMap((kind) => {
      const times: { kind: Kind; atMs: number }[] = [];
      const rate = rates[kind] ?? 0;
      if (rate > 0)
        for (let atMs = random.exponential(1_000 / rate); atMs < seconds * 1_000;) {
          times.push({ kind, atMs });
          atMs += random.exponential(1_000 / rate);
        }
      return times;
    }).toSorted((a, b) => a.atMs - b.atMs);
    const beganMs = performance.now();
    const answers: Promise<unknown>[] = [];
    for (const { kind, atMs } of due) {
      const waitMs = beganMs + atMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      answers.push(
        requests[kind]().then(
          () => null,
          (error: unknown) => error,
        ),
      );
    }
    const failed = (await Promise.all(answers)).filter((error) => error !== null);
    if (failed.length > 0) throw new Error(`${failed.length} failed`, { cause: failed[0] });
    return Object.fromEntries(
      KINDS.map((kind) => [kind, due.filter((one) => one.kind === kind).length]),
    ) as Record<Kind, number>;
  };
  const total = (used: Cpu) => STATIONS.reduce((sum, station) => sum + used[station], 0);
  const since = (before: Cpu) => {
    const after = cpu();
    return mapped((station) => after[station] - before[station]);
  };
  const quiet = async (idle: Cpu) => {
    for (let second = 0; second < SETTLE_SECONDS_MAX; second += 1) {
      const before = cpu();
      await sleep(1_000);
      if (total(since(before)) - total(idle) < QUIET_US) return;
    }
  };
  /** What a load used beyond an idle platform, with all that followed it. */
  const used = async (idle: Cpu, rates: Partial<Readonly<Record<Kind, number>>>) => {
    const [before, beganMs] = [cpu(), performance.now()];
    const counts = await load(rates);
    await quiet(idle);
    const tookSeconds = (performance.now() - beganMs) / 1_000;
    const all = since(before);
    return { counts, us: mapped((station) => all[station] - idle[station] * tookSeconds) };
  };

  for (const kind of KINDS)
    for (let count = 0; count < WARM_UP_REQUESTS; count += 1) await requests[kind]();
  const nothing = mapped(() => 0);
  await quiet(nothing);
  const before = cpu();
  await sleep(IDLE_SECONDS * 1_000);
  const inIdle = since(before);
  const idle = mapped((station) => inIdle[station] / IDLE_SECONDS);
  console.log('without load, CPU in µs of a second:', rounded(idle));

  const costs = new Map<Kind, Cpu>();
  for (const kind of KINDS) {
    const { counts, us } = await used(idle, { [kind]: ALONE[kind] });
    const cost = mapped((station) => Math.max(0, us[station] / counts[kind]));
    costs.set(kind, cost);
    console.log(`${kind} alone, CPU in µs of one of ${counts[kind]}:`, rounded(cost));
  }
  const measured = await used(idle, TOGETHER);

  const step = (kind: Kind, station: Station): Step => ({
    station,
    meanUs: costs.get(kind)![station],
  });
  const predicted = simulate({
    seed: SEED,
    seconds: 600,
    stations: STATIONS.map((name) => ({ name, servers: name === 'postgres' ? 2 : 1 })),
    classes: KINDS.map((kind) => ({
      name: kind,
      perSecond: measured.counts[kind] / seconds,
      steps: [step(kind, 'process'), step(kind, 'postgres')],
    })),
  });
  console.log(
    `Share of a core, beyond idle, at ${JSON.stringify(measured.counts)} in ${seconds} s; ` +
      `load of the machine ${loadavg()[0]!.toFixed(1)}:`,
  );
  const rows = STATIONS.map((station) => {
    const { utilisation, servers: cores } = predicted.stations.get(station)!;
    const [said, seen] = [utilisation * cores, measured.us[station] / seconds / 1e6];
    return { station, predicted: percent(said), measured: percent(seen), ratio: said / seen };
  });
  const sum = total(measured.us) / seconds / 1e6;
  const all = STATIONS.reduce((cores, station) => {
    const { utilisation, servers: count } = predicted.stations.get(station)!;
    return cores + utilisation * count;
  }, 0);
  rows.push({
    station: 'together' as Station,
    predicted: percent(all),
    measured: percent(sum),
    ratio: all / sum,
  });
  console.table(rows.map((row) => ({ ...row, ratio: row.ratio.toFixed(2) })));
  const missed = rows.filter(({ ratio }) => Math.abs(ratio - 1) > ACCEPTED_ERROR);
  console.log(
    missed.length === 0
      ? 'bar: each within 20 %, held'
      : `bar: each within 20 %, missed by ${missed.map(({ station }) => station).join(', ')}`,
  );
} finally {
  await server?.signal('SIGTERM');
  await dispatcher.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function requestsOf(api: Pick<ServerProcess, 'url' | 'tokenOf'>, key: string) {
  const session = await api.tokenOf('agent@acme.test');
  const ask = async (path: string, init: RequestInit, authorization = session) => {
    const answer = await fetch(api.url + path, {
      ...init,
      dispatcher,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${authorization}` },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text;
  };
  const first = async (path: string) =>
    (JSON.parse(await ask(path, {})) as { items: readonly { id: string }[] }).items[0]!.id;
  const ticket = JSON.stringify({
    buildingId: await first('/api/v1/buildings'),
    description: 'It drips.',
  });
  const raise = async () =>
    void (await ask(DESK, {
      method: 'POST',
      body: ticket,
    }));
  await raise();
  let id: string | undefined;
  while (id === undefined) id = await first(DESK).catch(() => undefined);
  const path = `${DESK}/${id}`;
  return {
    read: async () => void (await ask(path, {})),
    list: async () => void (await ask(DESK, {})),
    check: async () => void (await ask('/api/v1/me', {}, key)),
    raise,
  } satisfies Record<Kind, () => Promise<void>>;
}

function rounded(of: Cpu): Cpu {
  return mapped((station) => Math.round(of[station]));
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
