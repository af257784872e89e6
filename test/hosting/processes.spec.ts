/** Several processes that host: contract.md section 4, design.md decision 18. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';
import { askedAt, hostingProcesses, killed, type HostingProcesses } from './hosting-processes.ts';

/** Short, so that the test is, and longer than a machine at work keeps a heartbeat back. */
const SILENT_MAX_MS = 15_000;
const NOW_AND_THEN = { everyMs: 100 };

interface Host {
  readonly child: ChildProcess;
  readonly port: number;
  /** As others are told. A relay that counts the connections stands there. */
  readonly address: string;
  readonly reached: () => number;
}

let hosting: HostingProcesses;
const relays: Server[] = [];
let sandbox: SandboxView;
let first: Host;

beforeAll(async () => {
  hosting = await hostingProcesses();
  first = await host();
  await hosting.registered();
  sandbox = await hosting.provisioned(await hosting.requested());
});
afterAll(async () => {
  await hosting.close();
  for (const relay of relays) relay.close();
});

const host = async (): Promise<Host> => {
  const port = await freePort();
  let reached = 0;
  const relay = createServer((socket) => {
    reached += 1;
    const onward = connect(port, '127.0.0.1');
    socket.on('error', () => onward.destroy()).pipe(onward);
    onward.on('error', () => socket.destroy()).pipe(socket);
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  relays.push(relay);
  const address = `http://127.0.0.1:${(relay.address() as { port: number }).port}`;
  const times = ['--silent-ms', String(SILENT_MAX_MS), '--look-ms', '200'];
  const child = hosting.started('--port', String(port), '--address', address, ...times);
  await once(child.stdout!, 'data');
  return { child, port, address, reached: () => reached };
};
const isHostedBy = ({ address }: Host) =>
  until(
    async () => (await hosting.hostOf(sandbox)) === address,
    `the host ${address}`,
    NOW_AND_THEN,
  );
const answers = ({ port }: Host) =>
  until(async () => (await askedAt(port, sandbox)) === 200, 'the answer', NOW_AND_THEN);

it('pass requests on to the one that has it; when that is killed, another takes it', async () => {
  expect(await hosting.hostOf(sandbox)).toBe(first.address);
  const second = await host();
  const patient = { maxMs: 60_000 };
  expect(await askedAt(second.port, sandbox, patient)).toBe(200);
  expect(await askedAt(second.port, sandbox, { ...patient, token: null })).toBe(401);
  expect(first.reached()).toBeGreaterThan(0);
  expect(await hosting.hostOf(sandbox)).toBe(first.address);

  // Nobody asks for it: its timers must go on.
  await killed(first.child);
  await isHostedBy(second);
  await answers(second);
  expect(second.reached()).toBe(0);
  first = second;
});

it('take over from one that hangs, which gives it up when it goes on', async () => {
  const next = await host();
  first.child.kill('SIGSTOP');
  // Its machine would still take connections: who asks meanwhile waits, or is told to come again.
  await isHostedBy(next);
  await answers(next);
  first.child.kill('SIGCONT');
  const before = next.reached();
  const isPassedOn = async () => {
    const status = await askedAt(first.port, sandbox);
    return status === 200 && next.reached() > before;
  };
  await until(isPassedOn, 'a request that is passed on', NOW_AND_THEN);
  expect(await hosting.hostOf(sandbox)).toBe(next.address);
  await hosting.gone(sandbox);
});
