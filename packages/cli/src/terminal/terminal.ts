/**
 * The output of a command: words, tables and colour for people; JSON for `--json` and pipes. Only
 * the result goes to standard output, everything else to standard error.
 */
import { createInterface } from 'node:readline/promises';
import { cancelled, interrupted } from '../failures.ts';
import type { Table } from './table.ts';

export interface Terminal {
  readonly json: boolean;
  /** Whether the command can prompt: standard input and error are a terminal. */
  readonly interactive: boolean;
  /** The result: the value for programs, the words for people. */
  print(value: unknown, words: () => string): void;
  /** The result: the value for programs, a table of it for people. */
  printTable(value: unknown, table: Table): Promise<void>;
  /** For people, on standard error. */
  notice(words: string): void;
  /** @throws {@link CommandFailed} unless the answer is yes; off a terminal, always. */
  confirm(question: string): Promise<void>;
  /** A line that shows progress: animated at a terminal, absent in a pipe. */
  progress(words: string): Promise<Progress>;
}

export interface Progress {
  say(words: string): void;
  end(words?: string): void;
}

export const terminalOf = ({ json }: { readonly json: boolean }): Terminal => {
  const { stdin, stdout, stderr } = process;
  const forPrograms = json || !stdout.isTTY;
  const interactive = stdin.isTTY && stderr.isTTY;
  const write = (words: string) => void stdout.write(`${words}\n`);
  const notice = (words: string) => void stderr.write(`${words}\n`);
  return {
    json: forPrograms,
    interactive,
    print: (value, words) => write(forPrograms ? JSON.stringify(value) : words()),
    async printTable(value, table) {
      if (forPrograms) return write(JSON.stringify(value));
      const { drawn } = await import('./table.ts');
      write(drawn(table));
    },
    notice,
    async confirm(question) {
      if (!interactive) throw cancelled('not at a terminal: confirm with --yes');
      const asking = createInterface({ input: stdin, output: stderr });
      try {
        const answer = await asking.question(`${question} [y/N] `);
        if (!/^y(es)?$/i.test(answer.trim())) throw cancelled('nothing was changed');
      } catch (error) {
        // Ctrl-C at the question.
        throw (error as Error).name === 'AbortError' ? interrupted('nothing was changed') : error;
      } finally {
        asking.close();
      }
    },
    async progress(words) {
      if (!stderr.isTTY) return { say: () => {}, end: () => {} };
      const { default: spinnerOf } = await import('yocto-spinner');
      const spinner = spinnerOf({ text: words, stream: stderr, handleSignals: false }).start();
      return {
        say: (now) => void (spinner.text = now),
        end(last) {
          spinner.stop();
          if (last !== undefined) notice(last);
        },
      };
    },
  };
};
