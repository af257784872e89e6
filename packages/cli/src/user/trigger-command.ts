import { Argument, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { NOT_TRIGGERED, TRIGGERED } from './trigger-names.ts';

/** `atrium trigger`: an event on demand, by what really causes it. */
export const triggerCommand = (program: Command): void => {
  acting(program.command('trigger'))
    .addArgument(
      new Argument('[event]', 'what --list names').choices([
        ...TRIGGERED,
        ...Object.keys(NOT_TRIGGERED),
      ]),
    )
    .description('cause an event in a sandbox: values are ingested, tickets raised, clocks moved')
    .option('--list', 'list the events, and what each does')
    .option('--building <id>', 'in this building; not needed where there is one')
    .option('--point <id>', 'by this point, for events of points; default: the first with numbers')
    .addHelpText(
      'after',
      `
It works in sandboxes only, and forges nothing: webhooks, live, the feed and the portal tell what
has happened, as in production.

Examples:
  $ atrium trigger --list
  $ atrium trigger building.alarm.triggered --sandbox checkout-team`,
    )
    .action(runs(async () => (await import('./trigger.ts')).trigger));
};
