/** `atrium completion`: what a shell is told. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { programOf } from '../../packages/cli/src/program.ts';
import { candidatesFor } from '../../packages/cli/src/user/completion-commands.ts';
import { runAtrium } from '../support/servers/cli.ts';
import { programEnvironment } from '../support/servers/environment.ts';

const candidates = (...words: readonly string[]) => candidatesFor(programOf(), words);

describe('what may follow', () => {
  it('are the words of the command', () => {
    expect(candidates('log')).toEqual(['log', 'login', 'logout']);
    expect(candidates('sandbox', 'e')).toEqual(['extend']);
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
