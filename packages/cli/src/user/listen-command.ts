import type { Command } from 'commander';
import { acting, runs } from '../invocation.ts';
import { count } from './numbers.ts';

/** `atrium listen`: webhooks for a receiver that the server could not reach. */
export const listenCommand = (program: Command): void => {
  acting(program.command('listen'))
    .description("forward a building's live events to your receiver, as signed webhooks")
    .requiredOption('--forward-to <url>', 'where to post it: http://localhost:3000/webhooks')
    .option('--building <id>', 'the building; optional if there is only one')
    .option('--events <names>', 'only these, comma-separated', (text) => text.split(','))
    .option('--secret <secret>', 'sign with this secret; default: a random one, which is printed')
    .option('--since <position>', 'start after this position instead of with new events')
    .option('--count <number>', 'end after this number of events, once they are delivered', count)
    .option(
      '--attempts <number>',
      'attempts to deliver each event (10, within two and a half minutes)',
      count,
    )
    .option(
      '--resend <file>',
      'send the events of this file first, and write undelivered events to it',
    )
    .addHelpText(
      'after',
      `
Events are posted one after the other, with the headers and the body of a webhook. One that is not
answered with 2xx is posted again after 1, 2, 4, … and then every 30 s, under the same idempotency
key, and holds up no other. It ends with Ctrl-C (130), and lists what is not delivered. In a pipe,
the first line has the secret, each further one an attempt, and at the end an event that was not
delivered.

Examples:
  $ atrium listen --forward-to http://localhost:3000/webhooks
  $ atrium listen --sandbox "Checkout team" --events building.alarm.triggered \\
      --forward-to http://localhost:3000/webhooks`,
    )
    .action(runs(async () => (await import('./listen.ts')).listen));
};
