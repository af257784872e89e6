import type { Command } from 'commander';
import { acting, runs } from '../../invocation.ts';
import { confirming, inBuilding, instant, limited, listed, repeatable } from '../options.ts';

const WEBHOOK = ['<webhook>', 'its id, or its URL if unique'] as const;

/** `atrium webhooks …`: subscriptions, and what became of their deliveries. */
export const webhooksCommands = (program: Command): void => {
  const webhooks = program
    .command('webhooks')
    .description('subscriptions that post events to a URL');

  limited(acting(webhooks.command('list')))
    .description('list them')
    .action(runs(async () => (await import('./webhooks.ts')).listWebhooks));

  acting(
    webhooks
      .command('get')
      .alias('show')
      .argument(...WEBHOOK),
  )
    .description('show one')
    .action(runs(async () => (await import('./webhooks.ts')).getWebhook));

  repeatable(inBuilding(webhooks.command('create').argument('<url>', 'public, over https')))
    .description('subscribe a URL; prints the signing secret once')
    .requiredOption('--events <names>', 'comma-separated', listed)
    .option('--description <text>', 'for people')
    .addHelpText(
      'after',
      '\nWithout --building it gets the events of all buildings.\n\nExamples:\n  $ atrium ' +
        'webhooks create https://example.com/hook \\\n      --events ' +
        'building.point.updated,building.alarm.triggered',
    )
    .action(runs(async () => (await import('./changes.ts')).createWebhook));

  acting(webhooks.command('rotate-secret').argument(...WEBHOOK))
    .description(
      'rotate the secret and print the new one once; the old one also signs for 24 hours',
    )
    .action(runs(async () => (await import('./changes.ts')).rotateSecret));

  acting(webhooks.command('test').argument(...WEBHOOK))
    .description('send webhook.test in one attempt; a success resumes a paused webhook')
    .option('--wait', 'wait for the attempt; exit code 1 if it failed')
    .action(runs(async () => (await import('./deliveries.ts')).testWebhook));

  acting(webhooks.command('reset-failures').argument(...WEBHOOK))
    .description('reset its failures and resume it')
    .action(runs(async () => (await import('./changes.ts')).resetFailures));

  confirming(acting(webhooks.command('delete').argument(...WEBHOOK)))
    .description('unsubscribe; pending deliveries are dropped')
    .action(runs(async () => (await import('./changes.ts')).deleteWebhook));

  limited(acting(webhooks.command('deliveries').argument(...WEBHOOK)))
    .description('list the last attempts, newest first')
    .option('--dead', 'the deliveries that were given up, each with its last attempt')
    .action(runs(async () => (await import('./deliveries.ts')).listDeliveries));

  repeatable(acting(webhooks.command('redeliver').argument(...WEBHOOK)))
    .argument('<delivery>', 'its id, from deliveries')
    .description('send a delivery again, with the same idempotency key')
    .option('--wait', 'wait for the attempt; exit code 1 if it failed')
    .action(runs(async () => (await import('./deliveries.ts')).redeliver));

  acting(webhooks.command('recover').argument(...WEBHOOK))
    .description('send the events that were left out while it was paused, of the last 7 days')
    .requiredOption('--since <time>', 'start of the period', instant)
    .option('--until <time>', 'and before then (now)', instant)
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium webhooks recover https://example.com/hook --since 2026-03-02',
    )
    .action(runs(async () => (await import('./changes.ts')).recoverEvents));
};
