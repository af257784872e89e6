import type { Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { count } from './numbers.ts';

/** `atrium tail`: what happens in a sandbox, as it happens. */
export const tailCommand = (program: Command): void => {
  acting(program.command('tail'))
    .description('print the requests and the events of a sandbox as they happen')
    .option('--count <number>', 'end after this number of lines', count)
    .addHelpText(
      'after',
      `
A line each: requests of its host, without those of tail itself; events of its buildings; changes of
its tickets. In a pipe and with --json a line of JSON, whose type is request, event or ticket. It
goes on through restarts of the server, and ends with Ctrl-C (130).

Examples:
  $ atrium tail --sandbox "Checkout team"
  $ atrium tail --sandbox "Checkout team" --json | jq 'select(.status >= 400)'`,
    )
    .action(runs(async () => (await import('./tail.ts')).tail));
};
