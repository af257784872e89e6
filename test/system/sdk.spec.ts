/** `atrium-sdk` packed and installed in a separate project. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createLive } from '../../packages/sdk/src/live.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { freePort } from '../support/servers/port.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { text } from '../support/sources.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const project = temporaryDirectory('consumer');

beforeAll(async () => {
  const packed = temporaryDirectory('packed');
  // Builds first: the package contains plain JavaScript and its declarations.
  await run('npm', ['pack', '--workspace', 'packages/sdk', '--pack-destination', packed]);
  const installed = join(project, 'node_modules', 'atrium-sdk');
  mkdirSync(installed, { recursive: true });
  await run('tar', ['xzf', join(packed, 'atrium-sdk-0.2.0.tgz'), '-C', installed, '--strip=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

const CONSUMER = `
import { AtriumError, createAtrium, verifyWebhook } from 'atrium-sdk';
import { createLive } from 'atrium-sdk/live';
import { nodeFetch } from 'atrium-sdk/node';

const atrium = createAtrium({ url: 'http://localhost:4000', token: 't', fetch: nodeFetch });
const buildingId = '6a712747-b16d-562d-8b11-4e04afc2f571';

export const raise = async (): Promise<string> => {
  const { data } = await atrium.POST('/api/service-desk/requests', {
    body: { buildingId, description: 'Too warm' },
  });
  return data.number;
};
export const five = () =>
  atrium.GET('/api/service-desk/requests', { params: { query: { limit: 5, state: ['new'] } } });
export const places = async (error: unknown): Promise<readonly string[]> =>
  AtriumError.is(error, 'TRANSITION_NOT_ALLOWED') ? error.problem.allowed : [];
export const follow = async (): Promise<void> => {
  for await (const { items, cursor } of atrium.changes())
    for (const item of items)
      console.log(cursor, item.change === 'unreadable' ? item.ticketId : item.ticket.state);
};
export const listen = async () => {
  const live = createLive({ url: 'http://localhost:4000', token: async () => 't' });
  for await (const item of live(buildingId, { since: null }))
    if (!item.resync && item.event === 'building.point.updated') console.log(item.data.value);
};
export const event = async (): Promise<number | undefined> => {
  const posted = await verifyWebhook('', {}, 'whsec_');
  return posted.event === 'building.alarm.triggered' ? posted.data.threshold : undefined;
};

// @ts-expect-error a path that there is not
await atrium.GET('/api/service-desk/tickets');
// @ts-expect-error a number, and no text
await atrium.GET('/api/service-desk/requests', { params: { query: { limit: '5' } } });
// @ts-expect-error the building is missing
await atrium.POST('/api/service-desk/requests', { body: { description: 'Too warm' } });
`;

describe('a project that has installed it', () => {
  it('gets plain JavaScript, declarations and a changelog', async () => {
    const { stdout } = await run('find', ['node_modules/atrium-sdk', '-type', 'f'], {
      cwd: project,
    });
    const files = stdout.trim().split('\n');
    expect(files).toContain('node_modules/atrium-sdk/dist/index.js');
    expect(files).toContain('node_modules/atrium-sdk/dist/index.d.ts');
    const others = files.filter((file) => !/\/dist\/(cjs\/)?[\w-]+\.(js|d\.ts)$/.test(file));
    const names = others.map((file) => file.split('/').at(-1));
    expect(new Set(names)).toEqual(
      new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']),
    );
  });

  it.each(['node_modules/typescript', 'packages/sdk/node_modules/typescript'])(
    'has types that hold in the compiler of %s',
    async (compiler) => {
      writeFileSync(join(project, 'consumer.ts'), CONSUMER);
      const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
      const words = [resolve(compiler, 'bin/tsc'), ...options, 'consumer.ts'];
      const ended = await run(process.execPath, words, { cwd: project }).catch(
        (error: { stdout: string }) => error,
      );
      expect(ended.stdout).toBe('');
    },
  );
});

describe('the program of the guide to sandboxes', () => {
  it('reaches an address below localhost, which no resolver need know', async () => {
    const hosts: (string | undefined)[] = [];
    const sandbox = createServer(({ headers }, response) => {
      hosts.push(headers.host);
      const page = { items: [{ name: 'Office' }], total: 1, limit: 50, offset: 0 };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page));
    });
    sandbox.listen(0, '127.0.0.1');
    await once(sandbox, 'listening');
    onTestFinished(() => void sandbox.close());
    const host = `checkout-team.sandbox.localhost:${(sandbox.address() as AddressInfo).port}`;
    const [, program] = /^```js sandbox\.mjs\n(.*?)^```$/ms.exec(
      text('docs/guides/your-first-sandbox.md'),
    )!;
    writeFileSync(join(project, 'sandbox.mjs'), program!);
    const env = { ...programEnvironment(), API: `http://${host}`, TOKEN: 't' };
    const { stdout } = await run(process.execPath, ['sandbox.mjs'], { cwd: project, env });
    expect(stdout).toBe('Office\n');
    expect(hosts).toEqual([host]);
  });
});

describe('a program that follows', () => {
  const running = servers();
  let environment: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    const { url } = await freshDatabase();
    const ATRIUM_DATA = temporaryDirectory('mirror');
    environment = { DATABASE_URL: url, ATRIUM_DATA, PORT: String(await freePort()) };
    server = await running.start(environment);
    const [, program] = /^```js mirror\.mjs\n(.*?)^```$/ms.exec(
      text('docs/guides/mirror-tickets.md'),
    )!;
    expect(program!.split('\n').length).toBeLessThanOrEqual(30);
    writeFileSync(join(project, 'mirror.mjs'), program!);
  });
  afterAll(() => running.release());

  const startMirror = async (): Promise<ChildProcess> => {
    const TOKEN = await server.tokenOf('agent@acme.test');
    const child = spawn(process.execPath, ['mirror.mjs'], {
      cwd: project,
      env: { ...programEnvironment(), ATRIUM_URL: server.url, TOKEN },
      stdio: 'inherit',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  const raise = async (description: string) => {
    const { body } = await server.call('agent@acme.test', 'GET', '/api/v1/buildings');
    const buildingId = body.items[0].id;
    const ask = { body: { buildingId, description } };
    const { status } = await server.call(
      'agent@acme.test',
      'POST',
      '/api/service-desk/requests',
      ask,
    );
    expect(status).toBe(201);
  };

  const listed = async () => {
    const path = '/api/service-desk/requests?limit=200';
    const { body } = await server.call('agent@acme.test', 'GET', path);
    const items = body.items as { readonly id: string }[];
    return Object.fromEntries(items.map((ticket) => [ticket.id, ticket]));
  };

  const mirrored = (): unknown => {
    try {
      const kept = readFileSync(join(project, 'mirror.json'), 'utf8');
      return (JSON.parse(kept) as { tickets: unknown }).tickets;
    } catch {
      return {};
    }
  };

  const isTheSame = async () =>
    JSON.stringify(sorted(mirrored())) === JSON.stringify(sorted(await listed()));
  const sorted = (tickets: unknown) =>
    Object.entries(tickets as object).toSorted(([a], [b]) => (a < b ? -1 : 1));

  it("receives a building's events once, though the server is killed in between", async () => {
    const VALUES = 40;
    const began = Date.now();
    const call = (method: string, path: string, body?: object) =>
      server.call('manager@acme.test', method, path, body ? { body } : {});
    const { body: buildings } = await call('GET', '/api/v1/buildings');
    const buildingId: string = buildings.items[0].id;
    const path = `/api/v1/buildings/${buildingId}`;
    const { body: points } = await call('GET', `${path}/points?limit=1`);
    const pointId: string = points.items[0].id;
    const observe = async (value: number) => {
      const timestamp = new Date(began + value * 100).toISOString();
      const observations = [{ pointId, value, timestamp }];
      expect((await call('POST', `${path}/observations`, { observations })).status).toBe(200);
    };
    const live = createLive({ url: server.url, token: () => server.tokenOf('viewer@acme.test') });
    const heard: unknown[] = [];
    const ended = new AbortController();
    const following = (async () => {
      for await (const item of live(buildingId, { signal: ended.signal }))
        heard.push(item.resync ? 'resync' : item.data['value']);
    })();
    await until(() => heard.length === 1, 'the beginning');
    for (let value = 1; value <= VALUES / 2; value += 1) await observe(value);
    await server.signal('SIGKILL');
    server = await running.start(environment);
    for (let value = VALUES / 2 + 1; value <= VALUES; value += 1) await observe(value);
    await until(() => heard.length > VALUES, 'all of them');
    ended.abort();
    await following;
    expect(heard).toEqual(['resync', ...Array.from({ length: VALUES }, (_, index) => index + 1)]);
  });

  it('has every ticket as it is, though server and mirror are killed in between', async () => {
    const first = await startMirror();
    await until(isTheSame, 'the first load');
    await raise('before the server is killed');
    await server.signal('SIGKILL');
    server = await running.start(environment);
    await raise('after it is back');
    await until(isTheSame, 'what came meanwhile');
    expect(first.exitCode).toBe(null);

    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    await raise('while there is no mirror');
    await startMirror();
    await until(isTheSame, 'what the mirror has missed');
    expect(Object.keys(await listed())).toHaveLength(8);
  });
});
