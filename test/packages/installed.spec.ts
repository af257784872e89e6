/** `atrium` and `atrium-sdk` installed in an empty project, on each Node. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/directory.ts';
import { MAJORS, nodeOf, npmInstall } from '../support/packages/nodes.ts';
import { packed } from '../support/packages/packed.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';

const run = promisify(execFile);
// The installation is too large for a directory in memory.
const directory = mkdtempSync(join(tmpdir(), 'atrium-installed-'));
const project = join(directory, 'project');
const running = servers();
let server: ServerProcess;
let environment: Record<string, string>;

const manifest = JSON.parse(readFileSync('packages/sdk/package.json', 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
/** `atrium-sdk`, `atrium-sdk/live`, … */
const entries = Object.keys(manifest.exports).map((name) => `atrium-sdk${name.slice(1)}`);

/** Prints the names that each entry exports, and asks the server. */
const program = (load: (entry: string) => string) => `
const main = async () => {
  const exported = {};
  for (const [entry, members] of Object.entries({
    ${entries.map((entry) => `'${entry}': ${load(entry)},`).join('\n    ')}
  })) exported[entry] = Object.keys(members).filter((name) => /^[A-Za-z]/.test(name));
  for (const names of Object.values(exported)) names.sort();
  const { AtriumError, createAtrium } = ${load('atrium-sdk')};
  const { nodeFetch } = ${load('atrium-sdk/node')};
  const { ATRIUM_URL: url, ATRIUM_TOKEN: token } = process.env;
  const atrium = createAtrium({ url, token, fetch: nodeFetch });
  const { data } = await atrium.GET('/api/v1/buildings');
  const refused = await atrium
    .GET('/api/v1/buildings/' + crypto.randomUUID())
    .catch((error) => error);
  const code = AtriumError.is(refused) ? refused.code : String(refused);
  console.log(JSON.stringify({ exported, buildings: data.items.length, code }));
};
void main();
`;

/** Loads each module of the command except its entry point. */
const EVERY_MODULE = `
import { readdirSync } from 'node:fs';
const root = new URL('node_modules/atrium/dist/', import.meta.url);
const files = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.js'));
const modules = files.filter((name) => name !== 'cli/src/atrium.js');
for (const name of modules) await import(new URL(name, root));
console.log(modules.length);
`;

const TYPED = `
import { AtriumError, createAtrium } from 'atrium-sdk';
import { createLive } from 'atrium-sdk/live';
import { nodeFetch } from 'atrium-sdk/node';

const atrium = createAtrium({ url: 'http://localhost:4000', token: 't', fetch: nodeFetch });
export const names = async (): Promise<readonly string[]> => {
  const { data } = await atrium.GET('/api/v1/buildings');
  return data!.items.map(({ name }) => name);
};
export const live = createLive({ url: 'http://localhost:4000', token: async () => 't' });
export const code = (error: unknown) => (AtriumError.is(error, 'NOT_FOUND') ? error.code : null);
// @ts-expect-error a path that there is not
export const wrong = () => atrium.GET('/api/v1/houses');
`;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const [sdk, cli] = await Promise.all([packed('sdk'), packed('cli')]);
  const live = `socket.io-client@${manifest.devDependencies['socket.io-client']}`;
  [server] = await Promise.all([
    running.start({ DATABASE_URL: url, ATRIUM_DATA: temporaryDirectory('installed-server') }),
    npmInstall(project, sdk.tarball, cli.tarball, live),
  ]);
  environment = {
    ATRIUM_URL: server.url,
    ATRIUM_TOKEN: await server.tokenOf('manager@acme.test'),
    XDG_CONFIG_HOME: temporaryDirectory('installed-home'),
  };
  // The command is not part of a server in a parent directory.
  writeFileSync(join(directory, 'package.json'), '{ "name": "atrium-server" }');
  writeFileSync(
    join(project, 'module.mjs'),
    program((entry) => `await import('${entry}')`),
  );
  writeFileSync(
    join(project, 'script.cjs'),
    program((entry) => `require('${entry}')`),
  );
  writeFileSync(join(project, 'every-module.mjs'), EVERY_MODULE);
  for (const name of ['typed.mts', 'typed.cts']) writeFileSync(join(project, name), TYPED);
});
afterAll(async () => {
  await running.release();
  rmSync(directory, { recursive: true, force: true });
});

it.each(['typed.mts', 'typed.cts'])('types hold in %s', async (file) => {
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const ended = await run(
    process.execPath,
    [resolve('node_modules/typescript/bin/tsc'), ...options, file],
    { cwd: project },
  ).catch((error: { stdout: string }) => error);
  expect(ended.stdout).toBe('');
});

describe.each(MAJORS)('on Node %s', (major) => {
  let node: string;
  beforeAll(async () => {
    node = await nodeOf(major, join(directory, `node-${major}`));
  });

  const runs = (file: string, ...words: readonly string[]) =>
    run(file, words, {
      cwd: project,
      env: {
        ...environment,
        PATH: [join(project, 'node_modules/.bin'), dirname(node), process.env['PATH']].join(
          delimiter,
        ),
      },
    });

  it.each(['module.mjs', 'script.cjs'])('%s uses each entry of the SDK', async (file) => {
    const { stdout, stderr } = await runs(node, file);
    expect(stderr).toBe('');
    const { exported, buildings, code } = JSON.parse(stdout) as {
      readonly exported: Readonly<Record<string, readonly string[]>>;
      readonly buildings: number;
      readonly code: string;
    };
    expect(buildings).toBeGreaterThan(0);
    expect(code).toBe('NOT_FOUND');
    expect(exported['atrium-sdk']).toContain('createAtrium');
    expect(exported['atrium-sdk/live']).toContain('createLive');
    expect(Object.values(exported).filter((names) => names.length === 0)).toEqual([]);
  });

  it('atrium is found by its name, and asks the server', async () => {
    expect((await runs('node', '--version')).stdout).toMatch(new RegExp(`^v${major}\\.`));
    expect((await runs('atrium', '--version')).stdout).toBe(`${manifest.version}\n`);
    const { stdout, stderr } = await runs('atrium', 'tickets', 'list', '--json');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ items: expect.any(Array) });
  });

  it('every module of atrium loads', async () => {
    const { stdout, stderr } = await runs(node, 'every-module.mjs');
    expect(stderr).toBe('');
    expect(Number(stdout)).toBeGreaterThan(50);
  });

  it('operator commands are refused in one sentence: there is no server', async () => {
    const ended = await runs('atrium', 'projections', 'status').catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'atrium: this command works where the server is installed: ' +
        'in a checkout or image of Atrium\n',
    });
  });
});
