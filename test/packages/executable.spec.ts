/** `atrium` as one file, on a machine without Node. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../packages/cli/package.json' with { type: 'json' };
import { executable, thisMachine, type Target } from '../../packages/cli/scripts/executable.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { freshDatabase } from '../support/postgres/database.ts';
import { servers } from '../support/servers/servers.ts';

const directory = mkdtempSync(join(tmpdir(), 'atrium-executable-spec-'));
const running = servers();
let program: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const ATRIUM_DATA = temporaryDirectory('executable-server');
  const [made, server] = await Promise.all([
    executable(thisMachine as Target, { to: directory }),
    running.start({ DATABASE_URL: url, ATRIUM_DATA }),
  ]);
  program = made;
  // As in a checkout, whose code it could not run.
  writeFileSync(join(directory, 'package.json'), '{ "name": "atrium-server" }');
  environment = {
    ATRIUM_URL: server.url,
    ATRIUM_TOKEN: await server.tokenOf('manager@acme.test'),
    XDG_CONFIG_HOME: temporaryDirectory('executable-home'),
  };
});
afterAll(async () => {
  await running.release();
  rmSync(directory, { recursive: true, force: true });
});

describe('the executable', () => {
  /** There is no other program on its PATH. */
  const atrium = (...words: readonly string[]) =>
    promisify(execFile)(program, words, {
      cwd: directory,
      env: { ...environment, PATH: directory },
    });

  it('has the version of the package', async () => {
    expect(await atrium('--version')).toEqual({ stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('asks a server, and selects from its answer by jq', async () => {
    const listed = await atrium('tickets', 'list', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: expect.any(Array) });
    const selected = await atrium('api', 'GET', 'me', '--jq', '.actor.name');
    expect(selected).toEqual({ stdout: expect.stringMatching(/^\S.*\n$/), stderr: '' });
  });

  it('has the completion and the manual page', async () => {
    expect((await atrium('completion', 'bash')).stdout).toContain('complete -o default');
    expect((await atrium('complete', '--', 'sandb')).stdout).toBe('sandbox\n');
    expect((await atrium('man')).stdout).toMatch(/^\.TH ATRIUM 1 /);
  });

  it('refuses operator commands in one sentence: there is no server', async () => {
    const ended = await atrium('projections', 'status').catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^atrium: this command works where the server is .*\n$/),
    });
  });
});

it('is made from no Node of another release', async () => {
  const made = executable('darwin-arm64', { node: '/bin/sh', to: directory });
  await expect(made).rejects.toThrow(`/bin/sh is not Node ${process.version}`);
  await expect(executable('darwin-arm64', { to: directory })).rejects.toThrow('--node PATH');
});
