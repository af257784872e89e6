/** `atrium-sdk/testing`, against a server that hosts sandboxes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAtrium, type Atrium } from '../../packages/sdk/src/index.ts';
import { withSandbox, type SandboxTestOptions } from '../../packages/sdk/src/testing.ts';
import { hostingPlatform, type HostingPlatform } from '../support/api/hosting.ts';
import { issuerOfRun } from '../support/api/tokens.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { programEnvironment } from '../support/servers/environment.ts';
import { freePort } from '../support/servers/port.ts';
import { until } from '../support/until.ts';

const issuer = issuerOfRun();
const token = () => issuer.tokenOf('developer@acme.test');
let platform: HostingPlatform;
let main: Atrium;

beforeAll(async () => {
  platform = await hostingPlatform({ issuer, port: await freePort() });
  main = createAtrium({ url: platform.address, token });
});
afterAll(() => platform?.close());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Small ones are ready soon. */
const small = { storeys: 1, areaSqm: 300, seedTelemetryDays: 1, liveTelemetry: false };

/** Runs the hooks of a test runner on demand. */
const started = (options: SandboxTestOptions = {}) => {
  const seeds: string[] = [];
  const work: Record<string, () => Promise<void>> = {};
  const hooks = {
    beforeAll: (begin: () => Promise<void>) => (work['begin'] = begin),
    afterAll: (end: () => Promise<void>) => (work['end'] = end),
  };
  const sandbox = withSandbox({
    ...small,
    url: platform.address,
    token,
    hooks,
    onSeed: (seed) => void seeds.push(seed),
    ...options,
  });
  onTestFinished(() => work['end']!());
  return { sandbox, seeds, begin: () => work['begin']!(), end: () => work['end']!() };
};

const names = async () => {
  const { data } = await main.GET('/api/v1/sandboxes');
  return data.items.map(({ name }) => name);
};

const spacesOf = async ({ atrium, buildingId }: { atrium: Atrium; buildingId: string }) => {
  const params = { path: { buildingId } };
  const spaces = atrium.items('/api/v1/buildings/{buildingId}/spaces', { params });
  return (await Array.fromAsync(spaces)).map(({ externalId, name }) => [externalId, name]);
};

describe('withSandbox', () => {
  it('has a sandbox that is ready for the tests, and deletes it after them', async () => {
    const { sandbox, begin, end } = started();
    expect(() => sandbox.atrium).toThrow('from the first test on');
    await begin();
    expect(sandbox.sandbox.status).toBe('ready');
    const { expiresAt, createdAt } = sandbox.sandbox;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(86_400_000);
    expect((await spacesOf(sandbox)).length).toBeGreaterThan(3);
    await end();
    await expect.poll(names).toEqual([]);
  });

  it('makes the same building from the same seed, and reports a generated seed', async () => {
    const first = started();
    await first.begin();
    expect(first.seeds).toEqual([first.sandbox.seed]);
    const again = started({ seed: first.sandbox.seed });
    await again.begin();
    expect(again.sandbox.buildingId).not.toBe(first.sandbox.buildingId);
    expect(await spacesOf(again.sandbox)).toEqual(await spacesOf(first.sandbox));
  });

  it('leaves nothing if it is not ready in time', async () => {
    const { begin } = started({ timeoutMs: 1 });
    await expect(begin()).rejects.toMatchObject({ name: 'SandboxNotReadyError' });
    await expect.poll(names).toEqual([]);
  });

  it('has one timeout for the free quota and for the sandbox', async () => {
    vi.useFakeTimers();
    const full = { code: 'SANDBOX_QUOTA_REACHED', status: 409, title: 'x', requestId: 'r' };
    const sandbox = { sandboxId: 'sbx_1', status: 'provisioning' };
    let creates = 0;
    vi.stubGlobal('fetch', async ({ method, url }: Request) => {
      if (method === 'DELETE') return new Response(null, { status: 204 });
      if (method === 'GET') return Response.json(url.endsWith('sbx_1') ? sandbox : { items: [] });
      creates += 1;
      return creates < 5 ? Response.json(full, { status: 409 }) : Response.json(sandbox);
    });
    const { begin } = started({ url: 'http://atrium.test', token: 't', timeoutMs: 10_000 });
    const failed = begin().catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.race([failed, Promise.resolve('still waiting')])).toMatchObject({
      name: 'SandboxNotReadyError',
    });
  });

  it('deletes only the sandboxes of a killed run', async () => {
    const mine = started();
    await mine.begin();
    // Those of the tests before are listed for a moment.
    await expect.poll(names).toHaveLength(1);
    const [own] = await names();
    // Above the highest number of a process.
    const left = own!.replace(/ \d+@/, ' 99999999@');
    await main.sandboxes.create({ ...small, name: left });
    const { begin } = started();
    await begin();
    await expect.poll(names).toEqual([own, own]);
  });

  it('refuses vitest without its hooks', () => {
    expect(() => withSandbox({ url: platform.address, token })).toThrow('imported from vitest');
  });

  it.each(['SIGINT', 'SIGTERM', 'error'])('leaves nothing in node:test after %s', async (end) => {
    const directory = temporaryDirectory('node-test');
    writeFileSync(join(directory, 'some.mjs'), fileOf(end));
    const child = spawn(process.execPath, ['some.mjs'], {
      cwd: directory,
      env: {
        ...programEnvironment(),
        ATRIUM_URL: `${platform.address}/`,
        ATRIUM_TOKEN: await token(),
        ATRIUM_TEST_SEED: 'node-test',
      },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(child, 'exit');
    if (end !== 'error') {
      await until(() => output.includes('it is ready'), 'the test').catch((error: unknown) => {
        throw new Error(output, { cause: error });
      });
      child.kill(end as NodeJS.Signals);
    }
    await exited;
    expect(output).toContain('it is ready');
    expect(output).toContain('ATRIUM_TEST_SEED=node-test');
    await expect.poll(names).toEqual([]);
  });
});

/** For ever, in a process that has something to do. */
const WAITS = `
  const server = createServer().listen(0);
  await once(server, 'close');`;

/** A test that waits for the signal, or ends its process. */
const fileOf = (end: string): string => `
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { withSandbox } from '${resolve('packages/sdk/src/testing.ts')}';

const sandbox = withSandbox(${JSON.stringify(small)});
test('waits', async () => {
  await sandbox.atrium.GET('/api/v1/buildings');
  console.log('it is ready');
  ${end === 'error' ? 'process.exit(1);' : WAITS}
});
`;
