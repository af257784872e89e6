/** `atrium man`: the manual page. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { programOf } from '../../packages/cli/src/program.ts';
import { manualPage } from '../../packages/cli/src/user/manual-page.ts';
import { programOnPath } from '../support/programs.ts';
import { runAtrium } from '../support/servers/cli.ts';

type Command = ReturnType<typeof programOf>;

/** As a reader of the source sees it. */
const plain = (page: string) => page.replaceAll('\\-', '-').replaceAll('\\(aq', "'");

/** Each command that has none of its own, by its words. */
const leavesOf = (command: Command, words: string): readonly [string, Command][] =>
  command.commands.length === 0
    ? [[words, command]]
    : command
        .createHelp()
        .visibleCommands(command)
        .filter((one) => one.name() !== 'help')
        .flatMap((one) => leavesOf(one, `${words} ${one.name()}`));

it('the help of each command has an example, with options that it has', () => {
  for (const [words, command] of leavesOf(programOf(), 'atrium')) {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const [, ...examples] = help.split(/\nExamples?:\n/);
    const own = examples.join('\n').match(new RegExp(`${words}(?![\\w-]).*`, 'g')) ?? [];
    expect(own.length, words).toBeGreaterThan(0);
    const options = own.flatMap((line) => line.split(/[|)]/)[0]!.match(/ --[a-z-]+/g) ?? []);
    for (const option of options)
      expect(command.options.map(({ long }) => long)).toContain(option.trim());
  }
});

it('the examples name a sandbox by its name or its whole slug', () => {
  // A slug ends with characters that are drawn for its sandbox.
  expect(plain(manualPage(programOf()))).not.toMatch(/checkout-team(?!-)/);
});

describe('the manual page', () => {
  it('has each command that the help shows, with each option', () => {
    const program = programOf();
    const sections = plain(manualPage(program)).split('\n.SS ');
    const leaves = leavesOf(program, 'atrium');
    expect(leaves.length).toBeGreaterThan(30);
    for (const [words, command] of leaves) {
      const section = sections.find((one) => new RegExp(`^"${words}["\\s]`).test(one));
      expect(section, words).toBeDefined();
      for (const { long } of command.options.filter(({ hidden }) => !hidden))
        expect(section).toContain(`${long}`);
    }
    expect(sections.join('\n')).not.toContain('atrium complete ');
  });

  it('has the examples, the exit codes and the environment', () => {
    const page = plain(manualPage(programOf()));
    expect(page).toContain('\n  $ atrium login --no-browser\n');
    expect(page).toContain('\nExit codes');
    expect(page).toContain('\nEnvironment:\n');
  });

  it('does not format text as a request', () => {
    const program = programOf();
    program.command('odd').description(".SH it's \\fBbold").helpGroup('Odd:');
    expect(manualPage(program)).toContain(
      '\n.SH "ODD"\n.SS "atrium odd"\n\\&.SH it\\(aqs \\efBbold\n',
    );
    expect(manualPage(program)).toMatch(/^[\n\x20-\x7e]+$/);
  });

  it('equals the output of the command', async () => {
    const { code, out } = await runAtrium({}, 'man');
    expect({ code, out }).toEqual({ code: 0, out: manualPage(programOf()) });
  });

  const groff = programOnPath(['groff']);

  it.skipIf(groff === null)('is set without a warning', () => {
    const words = ['-man', '-ww', '-Tutf8', '-z'];
    const { stderr } = spawnSync(groff!, words, { input: manualPage(programOf()) });
    expect(stderr.toString()).toBe('');
  });
});
