/**
 * Moves a service desk from one server to another: tickets are imported, exported, imported into an
 * empty desk by a server that is killed in the middle, exported again and compared. Cost and
 * memory, against single creates over HTTP.
 *
 *     node bench/move-tickets.ts [tickets] [--eventstore]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventstoreProgram, eventstoreServer } from '../test/support/eventstoredb/server.ts';
import { temporaryDirectory } from '../test/support/directory.ts';
import { spawnServer, type ServerProcess } from '../test/support/servers/server.ts';
import {
  agentOf,
  comparable,
  exportOf,
  foreignTickets,
  freshDesk,
  importInto,
  moved,
  type Desk,
  type ImportRun,
  type Ticket,
} from '../test/contract/ticket-transfer/transfer.ts';
import { benchCluster } from './support/cluster.ts';
import { processUs, treeUs } from './support/cpu.ts';
import { residentMib } from './support/memory.ts';

const onEventStore = process.argv.includes('--eventstore');
const count = Number(process.argv.find((word) => /^\d+$/.test(word)) ?? 100_000);
const SINGLE_MAX = 2_000;
const LANES = 64;
const LOOK_MS = 250;
const ORGANISATION = 'globex';

const cluster = await benchCluster();
const program = onEventStore ? eventstoreProgram() : null;
if (onEventStore && program === null) throw new Error('there is no eventstored on the PATH');
const logs: { release(): Promise<void> }[] = [];
const running: ServerProcess[] = [];

const environmentOf = async (name: string): Promise<Record<string, string>> => {
  const log = program === null ? null : await eventstoreServer(program);
  if (log) logs.push(log);
  return {
    DATABASE_URL: await cluster.database(name),
    ATRIUM_DATA: temporaryDirectory(`move-${name}`),
    ...(log ? { EVENTSTORE_URL: log.url } : {}),
  };
};
const started = async (env: Record<string, string>): Promise<ServerProcess> => {
  const server = await spawnServer(env);
  running.push(server);
  await server.ready();
  return server;
};

const report = (what: string, figures: string) => console.log(`${what.padEnd(44)} ${figures}`);

/** Rate, processor time and memory of a server's work. */
const metered = async <T>(
  server: ServerProcess,
  what: string,
  tickets: number,
  work: () => Promise<T>,
): Promise<T> => {
  const pid = server.process.pid!;
  const usedMs = () => [processUs(pid) / 1_000, treeUs(cluster.postmaster)! / 1_000] as const;
  const memory: number[] = [];
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted && server.process.exitCode === null && !server.process.signalCode) {
      memory.push(residentMib(pid));
      await sleep(LOOK_MS);
    }
  })();
  const [node, postgres] = usedMs();
  const began = performance.now();
  const result = await work();
  const { exitCode, signalCode } = server.process;
  if (exitCode !== null || signalCode !== null)
    throw new Error(`the server has ended (${exitCode ?? signalCode}):\n${server.output()}`);
  const seconds = (performance.now() - began) / 1_000;
  const [nodeAfter, postgresAfter] = usedMs();
  over.abort();
  await looking;
  const quarter = (at: number) => memory[Math.floor(((memory.length - 1) * at) / 4)]!.toFixed(0);
  report(
    what,
    `${seconds.toFixed(1)} s, ${Math.round(tickets / seconds)}/s; CPU a ticket ` +
      `${((nodeAfter - node) / tickets).toFixed(3)} + ` +
      `${((postgresAfter - postgres) / tickets).toFixed(3)} ms; RSS in MiB ` +
      `${[0, 1, 2, 3, 4].map(quarter).join(', ')}, at most ${Math.max(...memory).toFixed(0)}`,
  );
  return result;
};

const singly = async (desk: Desk, tickets: number): Promise<void> => {
  const { server } = desk;
  const rest = foreignTickets(desk, tickets);
  const lane = async () => {
    for (const line of rest) {
      const { importKey: _, originalNumber: __, originalCreatedAt: ___, ...body } = line as Ticket;
      const path = '/api/service-desk/requests';
      const { status } = await server.call(agentOf(desk), 'POST', path, { body });
      if (status !== 201) throw new Error(`a create was answered ${status}`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
};

/** Exports once the lists have all tickets. */
const exportedWhole = async (desk: Desk): Promise<Ticket[]> => {
  for (;;) {
    const tickets = await Array.fromAsync(exportOf(desk));
    if (tickets.length >= count) return tickets;
    console.log(`the lists show ${tickets.length} of ${count}`);
    await sleep(1_000);
  }
};

/** Two requests, because 100,000 exported lines exceed the limit of one. */
const importedInParts = async (
  desk: Desk,
  lines: readonly object[],
  onAnswer: (answered: number) => void = () => {},
): Promise<ImportRun> => {
  const answers = new Map<string, { readonly status: string; readonly id?: string }>();
  const summary = { created: 0, exists: 0, failed: 0 };
  const half = Math.ceil(lines.length / 2);
  for (const part of [lines.slice(0, half), lines.slice(half)]) {
    const before = answers.size;
    const done = await importInto(desk, part, (answered) => onAnswer(before + answered));
    for (const [key, answer] of done.answers) answers.set(key, answer);
    if (done.summary === null) return { ...done, answers };
    for (const what of ['created', 'exists', 'failed'] as const)
      summary[what] += done.summary[what];
  }
  return { answers, summary, reason: null };
};

const compared = (before: readonly Ticket[], from: Desk, after: readonly Ticket[], to: Desk) => {
  const told = (tickets: readonly Ticket[], desk: Desk) =>
    tickets.map((ticket) => comparable(ticket, desk)).toSorted();
  const [one, other] = [told(before, from), told(after, to)];
  const different = one.filter((ticket, at) => ticket !== other[at]).length;
  const originals = new Set(after.map(({ metadata }) => metadata.imported.originalNumber));
  const numbers = new Set(after.map(({ number }) => number));
  return { tickets: after.length, different, originals: originals.size, numbers: numbers.size };
};

try {
  const source = await started(await environmentOf('source'));
  const small = Math.min(count, SINGLE_MAX);
  const alone = await freshDesk(source, 'acme');
  await metered(source, `${small} creates over HTTP, ${LANES} at once`, small, () =>
    singly(alone, small),
  );
  const from = await freshDesk(source, ORGANISATION);
  const filled = await metered(source, `import of ${count} in one request`, count, () =>
    importInto(from, foreignTickets(from, count)),
  );
  report('', JSON.stringify(filled.summary ?? filled.reason));
  if (filled.summary === null) throw new Error('the import broke off');
  await exportedWhole(from);
  const before: Ticket[] = [];
  await metered(source, `export of ${count}`, count, async () => {
    for await (const ticket of exportOf(from)) before.push(ticket);
  });
  const again = await metered(source, `${small} lines of it again`, small, () =>
    importInto(from, foreignTickets(from, small)),
  );
  report('', JSON.stringify(again.summary));

  const env = await environmentOf('target');
  const target = await started(env);
  const empty = await freshDesk(target, ORGANISATION);
  const lines = before.map(moved(from, empty));
  let killed: Promise<void> | undefined;
  const cut = await importedInParts(empty, lines, (answered) => {
    if (answered > count / 2) killed ??= target.signal('SIGKILL');
  });
  await killed;
  report('killed in the middle', `${cut.answers.size} answered, ${JSON.stringify(cut.summary)}`);
  const restarted = await started({ ...env, PORT: new URL(target.url).port });
  const to = { ...empty, server: restarted };
  const whole = await metered(restarted, 'the same lines after the restart', count, () =>
    importedInParts(to, lines),
  );
  const lost = [...cut.answers].filter(([key, { id }]) => {
    const answer = whole.answers.get(key);
    return answer?.status !== 'exists' || answer.id !== id;
  });
  if (whole.summary === null) throw new Error(`it broke off: ${whole.reason}`);
  report('', `${JSON.stringify(whole.summary)}; answered before and not there: ${lost.length}`);
  const after = await exportedWhole(to);
  report('compared with the first export', JSON.stringify(compared(before, from, after, to)));
} finally {
  for (const server of running) await server.signal('SIGKILL');
  for (const log of logs) await log.release();
  await cluster.stop();
}
