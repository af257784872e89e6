/** The program of the guide to modules, as printed: killed, it loses and doubles nothing. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bodySignature, signingKeys, standardSignature } from '../../src/outbound/signatures.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { packed } from '../support/packages/packed.ts';
import { blocksOf } from '../support/pasted.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { until } from '../support/until.ts';

const MANAGER = 'manager@acme.test';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const RULE = 'Far too warm';
const project = temporaryDirectory('module');
const running = servers();
let server: ServerProcess;
let hookPort: number;

beforeAll(async () => {
  const { tarball } = await packed('sdk');
  const installed = join(project, 'node_modules', 'atrium-sdk');
  mkdirSync(installed, { recursive: true });
  await promisify(execFile)('tar', ['xzf', tarball, '-C', installed, '--strip=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', 'socket.io-client'])
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  const { url } = await freshDatabase();
  const env = { DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('module-server') };
  server = await running.start(env);
  hookPort = await freePort();
});
afterAll(() => running.release());

const start = async (): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['module.mjs'], {
    cwd: project,
    env: {
      ...programEnvironment(),
      ATRIUM_URL: server.url,
      TOKEN: await server.tokenOf(MANAGER),
      HOOK_PORT: String(hookPort),
      HOOK_SECRET: SECRET,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The next one needs its port.
  onTestFinished(() => kill(child));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => output.includes('watching'), 'the module');
  return child;
};

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

const call = async (method: string, path: string, body?: object) => {
  const answer = await server.call(MANAGER, method, path, body ? { body } : {});
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
};

interface Kept {
  readonly position: string | null;
  readonly tickets: Readonly<Record<string, unknown>>;
}

const kept = (): Kept => {
  try {
    return JSON.parse(readFileSync(join(project, 'module.json'), 'utf8')) as Kept;
  } catch {
    return { position: null, tickets: {} };
  }
};

it('has at most 100 lines', () => {
  const [program, ...others] = blocksOf('docs/guides/your-first-module.md').filter(
    ({ file }) => file === 'module.mjs',
  );
  expect(others).toEqual([]);
  expect(program!.lines.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  writeFileSync(join(project, 'module.mjs'), program!.lines);
});

it('raises a ticket for each fault, and mirrors all, though it is killed in between', async () => {
  const { items: buildings } = await call('GET', '/api/v1/buildings');
  const building = `/api/v1/buildings/${buildings[0].id}`;
  const { items: points } = await call('GET', `${building}/points?limit=200`);
  const { id: pointId, spaceId } = points.find(
    (point: { unit: string; spaceId: string | null }) => point.unit === '°C' && point.spaceId,
  );
  await call('POST', `${building}/diagnostic-rules`, {
    title: RULE,
    severity: 'high',
    comparison: 'gt',
    threshold: 60,
    pointId,
  });
  const send = (value: number) =>
    call('POST', `${building}/observations`, { observations: [{ pointId, value }] });
  const faults = async () => {
    const { items } = await call('GET', `${building}/faults?limit=200`);
    return items.filter(({ title }: { title: string }) => title === RULE);
  };
  const listed = async () => (await call('GET', '/api/service-desk/requests?limit=200')).items;
  const raised = async () =>
    (await listed()).filter(({ subject }: { subject: string }) => subject === RULE);
  const states = async () => (await raised()).map(({ state }: { state: string }) => state);

  const first = await start();
  await until(() => kept().position !== null, 'the beginning');
  await send(61);
  await until(async () => (await raised()).length === 1, 'the first ticket');
  await kill(first);

  await send(20);
  await until(async () => (await states())[0] === 'resolved', 'the end of the fault');
  await send(62);
  await until(async () => (await faults()).length === 2, 'the second fault');
  expect(await raised()).toHaveLength(1);

  const second = await start();
  await until(async () => (await raised()).length === 2, 'the ticket of the second fault');
  await kill(second);
  await start();
  await send(20);
  await until(async () => (await states()).every((state: string) => state === 'resolved'), 'both');
  const byId = async () =>
    Object.fromEntries((await listed()).map((ticket: { id: string }) => [ticket.id, ticket]));
  const isMirrored = async () => {
    return isDeepStrictEqual(await byId(), kept().tickets);
  };
  await until(isMirrored, 'the mirror');
  const warmth = async () => {
    const path = `${building}/data-layers/warmth/values?limit=1000`;
    const answer = await server.call(MANAGER, 'GET', path);
    if (answer.status !== 200) return null;
    const found = answer.body.items.find((one: { spaceId: string }) => one.spaceId === spaceId);
    return found?.value ?? null;
  };
  await until(async () => (await warmth()) === 20, 'the value of the room');
  const ids = (await raised()).map(({ faultId }: { faultId: string }) => faultId);
  expect(new Set(ids).size).toBe(2);
  expect(ids).toHaveLength(2);
});

it('accepts a webhook once, and refuses unsigned ones', async () => {
  await start();
  const posted = async (by: string) => {
    const message = { event: 'webhook.test', data: {}, timestamp: '2026-03-02T12:00:00.000Z' };
    const body = Buffer.from(JSON.stringify(message));
    const seconds = Math.floor(Date.now() / 1_000);
    const keys = signingKeys(by);
    const answer = await fetch(`http://127.0.0.1:${hookPort}/`, {
      method: 'POST',
      body,
      headers: {
        'X-SVC-Signature': bodySignature(keys, body),
        'X-SVC-Idempotency-Key': `e1:webhook.test:${Date.parse(message.timestamp)}`,
        'webhook-id': 'e1',
        'webhook-timestamp': String(seconds),
        'webhook-signature': standardSignature(keys, { id: 'e1', seconds, body }),
      },
    });
    return answer.status;
  };
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  expect([await posted(SECRET), await posted(SECRET), await posted(other)]).toEqual([
    202, 200, 400,
  ]);
});
