import { Argument, type Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { NOT_TRIGGERED, TRIGGERED } from './trigger-names.ts';

/** `atrium trigger`: an event on demand, by what really causes it. */
export const triggerCommand = (program: Command): void => {
  acting(program.command('trigger'))
    .addArgument(
      new Argument('[event]', 'an event from --list').choices([
        ...TRIGGERED,
        ...Object.keys(NOT_TRIGGERED),
      ]),
    )
    .description(
      'trigger an event in a sandbox by ingesting values, raising tickets or moving its clock',
    )
    .option('--list', 'list the events, and what each does')
    .option('--building <id>', 'in this building; optional if there is only one')
    .option('--point <id>', 'the point, for events of points; default: the first one with numbers')
    .addHelpText(
      'after',
      '\nWorks in sandboxes only. The events are real: webhooks, the live service, the ' +
        'change feed and the\nportal show them as in production.\n\nExamples:\n  $ atrium ' +
        'trigger --list\n  $ atrium trigger building.alarm.triggered --sandbox "Checkout team"',
    )
    .action(runs(async () => (await import('./trigger.ts')).trigger));
};
