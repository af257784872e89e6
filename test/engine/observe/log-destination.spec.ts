/** The format of the log: for people on a terminal, JSON elsewhere. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { logDestination, type LogFormat } from '../../../src/engine/observe/log-destination.ts';
import { loggerOf } from '../../../src/engine/observe/logging.ts';
import { programOnPath } from '../../support/programs.ts';
import { programEnvironment } from '../../support/servers/environment.ts';

const written = async (
  format: LogFormat,
  isTerminal: boolean,
  work: (logger: ReturnType<typeof loggerOf>) => void,
) => {
  let text = '';
  const sink = { write: (line: string) => void (text += line) };
  const to = await logDestination('stdout', format, { sink, isTerminal, hasColours: false });
  work(loggerOf('info', to));
  return text;
};
const aLine = (logger: ReturnType<typeof loggerOf>) =>
  logger.warn({ consumer: 'projection/ticket-list@2' }, 'a step failed; trying again');

it.each([
  ['auto', false],
  ['json', false],
  ['json', true],
] as const)('is JSON with %s where a terminal is %s', async (format, isTerminal) => {
  const line = JSON.parse(await written(format, isTerminal, aLine)) as unknown;
  expect(line).toMatchObject({ level: 40, consumer: 'projection/ticket-list@2' });
});

it.each([
  ['auto', true],
  ['pretty', false],
  ['pretty', true],
] as const)('is for people with %s where a terminal is %s', async (format, isTerminal) => {
  expect(await written(format, isTerminal, aLine)).toMatch(
    /^\[[\d:.]{12}\] WARN: a step failed; trying again \{"consumer":"projection\/.*"\}\n$/,
  );
});

it('shows the stack of an error, and redacts what JSON redacts', async () => {
  const shown = await written('pretty', true, (logger) =>
    logger.error({ err: new RangeError('no more'), token: 'opens a door' }, 'it failed'),
  );
  expect(shown).toContain('RangeError: no more\n');
  expect(shown).toMatch(/at .*log-destination\.spec\.ts:\d+/);
  expect(shown).not.toContain('opens a door');
});

it('strips control characters that a caller has sent', async () => {
  const sent = 'a\u001B[2Jb\u009B2Jc\rd\\u001b';
  const shown = await written('pretty', true, (logger) =>
    logger.error({ err: new Error(sent) }, sent),
  );
  expect(shown).toContain('a\\u001b[2Jb2Jc\\rd\\u001b');
  // oxlint-disable-next-line no-control-regex -- it looks for them
  expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/);
});

const program = fileURLToPath(new URL('./log-lines.ts', import.meta.url));
const run = async (command: string, ...words: readonly string[]) => {
  const options = { env: { ...programEnvironment(), TERM: 'xterm-256color' } };
  return (await promisify(execFile)(command, words, options)).stdout;
};

it('does not load the formatter where the output is piped', async () => {
  const lines = (await run(process.execPath, program)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ msg: 'the last line', loaded: false }),
  ]);
});

it.skipIf(programOnPath(['script']) === null)(
  'writes the last line before an exit to a terminal, in colours',
  async () => {
    const shown = await run('script', '-qec', `"${process.execPath}" "${program}"`, '/dev/null');
    expect(shown).toMatch(/INFO.*: .*the last line.*"loaded":true/);
    expect(shown).toContain('\u001B[');
  },
);
