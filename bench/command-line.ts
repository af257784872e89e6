/**
 * The cost of starting the command line, beside starting Node without a program.
 *
 *     node bench/command-line.ts [rounds]
 */
import { fileURLToPath } from 'node:url';
import { compareStarts } from './support/starts.ts';

const rounds = Number(process.argv[2] ?? 20);
const node = process.execPath;
const program = fileURLToPath(new URL('../packages/cli/src/atrium.ts', import.meta.url));

compareStarts(
  {
    'node --eval 0': [node, '--eval', '0'],
    'atrium --help': [node, program, '--help'],
    'atrium profiles': [node, program, 'profiles'],
  },
  rounds,
);
