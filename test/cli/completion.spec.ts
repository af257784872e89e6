/** `atrium completion`: the candidates for a shell. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programOf } from '../../packages/cli/src/program.ts';
import { candidatesFor } from '../../packages/cli/src/user/completion-commands.ts';
import { testApi } from '../support/api/api.ts';
import { instantBuilder } from '../support/api/instant-builder.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { until } from '../support/until.ts';
import { runAtrium } from '../support/servers/cli.ts';
import { programEnvironment } from '../support/servers/environment.ts';

const candidates = (...words: readonly string[]) => candidatesFor(programOf(), words);

describe('the candidates', () => {
  it('are the words of the command', () => {
    expect(candidates('log')).toEqual(['log', 'login', 'logout']);
    expect(candidates('sandbox', 'e')).toEqual(['env', 'extend']);
    expect(candidates('')).not.toContain('complete');
  });

  it('are its options', () => {
    expect(candidates('sandbox', 'create', '--s')).toEqual([
      '--seed',
      '--spaces-max',
      '--spaces-min',
      '--storeys',
    ]);
  });

  it('are the choices of an option or an argument, and nothing where there are none', () => {
    expect(candidates('sandbox', 'create', '--density', '')).toEqual([
      'dense',
      'realistic',
      'sparse',
    ]);
    expect(candidates('completion', 'b')).toEqual(['bash']);
    expect(candidates('sandbox', 'create', '--name', '')).toEqual([]);
  });
});

describe('names', () => {
  const platform = testApi(() => ({ sandboxBuilder: instantBuilder() }));
  const home = temporaryDirectory('cli');
  const completed = async (...words: readonly string[]) => {
    const env = {
      ATRIUM_URL: platform.address,
      ATRIUM_TOKEN: await platform.issuer.tokenOf('developer@acme.test'),
      XDG_CONFIG_HOME: home,
    };
    const { code, out, err } = await runAtrium(env, 'complete', '--', ...words);
    expect([code, err]).toEqual([0, '']);
    return out.split('\n').filter(Boolean);
  };

  it('of sandboxes are slugs, after --sandbox and as an argument', async () => {
    const developer = platform.as('developer@acme.test');
    const { body } = await developer.post('/api/v1/sandboxes', { name: 'Checkout team' });
    const slug = String(body.slug);
    const listed = async () => (await developer.get('/api/v1/sandboxes')).body.items.length > 0;
    await until(listed, 'the list');
    expect(await completed('tickets', 'list', '--sandbox', '')).toEqual([slug]);
    expect(await completed('sandbox', 'get', slug.slice(0, 4))).toEqual([slug]);
    expect(await completed('sandbox', 'get', 'other')).toEqual([]);
    expect(await completed('sandbox', 'get', '', '--token', 'x', '--sandbox', '')).toEqual([]);
  });

  it('of profiles and of states of tickets are known here', async () => {
    mkdirSync(join(home, 'atrium'), { recursive: true });
    writeFileSync(join(home, 'atrium', 'production.json'), '{}');
    expect(await completed('whoami', '--profile', '')).toEqual(['production']);
    expect(await completed('profiles', 'use', 'p')).toEqual(['production']);
    expect(await completed('tickets', 'transition', 'SR-000001', 're')).toEqual([
      'resolved',
      'reopened',
    ]);
  });

  it('are none where no server answers', async () => {
    const env = { ATRIUM_URL: 'http://127.0.0.1:1', ATRIUM_TOKEN: 't', XDG_CONFIG_HOME: home };
    const words = ['complete', '--', 'sandbox', 'get', ''];
    expect(await runAtrium(env, ...words)).toEqual({ code: 0, out: '', err: '' });
  });
});

it('is a script that bash understands, and that asks the program', async () => {
  const { code, out } = await runAtrium({}, 'completion', 'bash');
  expect(code).toBe(0);
  const program = fileURLToPath(new URL('../../packages/cli/src/atrium.ts', import.meta.url));
  const typed = `atrium() { '${process.execPath}' '${program}' "$@"; }
${out}
COMP_WORDS=(atrium sandbox create --wa) COMP_CWORD=3
_atrium
echo "\${COMPREPLY[*]}"`;
  const env = programEnvironment();
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', typed], { env });
  expect(stdout).toBe('--wait\n');
});
