/** Several hosting processes: contract.md section 4, design.md decision 18. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SandboxView } from '../../src/domain/sandboxes/view.ts';
import { liveClient } from '../support/api/live-client.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';
import { askedAt, hostingProcesses, killed, type HostingProcesses } from './hosting-processes.ts';

/** Short to keep the test short, and longer than a busy machine delays a heartbeat. */
const SILENT_MAX_MS = 15_000;
const NOW_AND_THEN = { everyMs: 100 };

interface Host {
  readonly child: ChildProcess;
  readonly port: number;
  /** Its address for other processes: a relay that counts the connections. */
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

it('forward requests to the host of a sandbox; when that is killed, another hosts it', async () => {
  expect(await hosting.hostOf(sandbox)).toBe(first.address);
  const second = await host();
  const patient = { maxMs: 60_000 };
  expect(await askedAt(second.port, sandbox, patient)).toBe(200);
  expect(await askedAt(second.port, sandbox, { ...patient, token: null })).toBe(401);
  expect(first.reached()).toBeGreaterThan(0);
  expect(await hosting.hostOf(sandbox)).toBe(first.address);

  const headers = { host: `${sandbox.slug}.sandbox.test` };
  const client = await liveClient(`http://127.0.0.1:${second.port}`, { token: 'any', headers });
  const joined = await client.ask('join', { buildingId: sandbox.buildingId });
  expect(joined).toMatchObject({ ok: true });
  const left = once(client.socket as never, 'disconnect');

  // Without a request, because its timers must continue.
  await killed(first.child);
  expect((await left)[0]).toBe('transport close');
  await isHostedBy(second);
  await answers(second);
  expect(second.reached()).toBe(0);
  first = second;
});

it('take over from a hanging one, which releases the sandbox when it resumes', async () => {
  const next = await host();
  first.child.kill('SIGSTOP');
  // Its machine still accepts connections: a caller waits meanwhile, or is answered 503.
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
