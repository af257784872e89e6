import type { Command } from 'commander';
import { acting, runs } from '../../invocation.ts';
import { confirming, inBuilding, instant, limited, listed, repeatable } from '../options.ts';

const WEBHOOK = ['<webhook>', 'its id, or its URL where no other has it'] as const;

/** `atrium webhooks …`: subscriptions, and what became of their deliveries. */
export const webhooksCommands = (program: Command): void => {
  const webhooks = program.command('webhooks').description('where events are posted to');

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
    .description('subscribe; prints the secret that signs, once')
    .requiredOption('--events <names>', 'comma-separated', listed)
    .option('--description <text>', 'for people')
    .addHelpText(
      'after',
      `
Without --building it is told of all buildings.

Examples:
  $ atrium webhooks create https://example.com/hook \\
      --events building.point.updated,building.alarm.triggered`,
    )
    .action(runs(async () => (await import('./changes.ts')).createWebhook));

  acting(webhooks.command('rotate-secret').argument(...WEBHOOK))
    .description('draw another secret and print it, once; the old one signs too for 24 hours')
    .action(runs(async () => (await import('./changes.ts')).rotateSecret));

  acting(webhooks.command('test').argument(...WEBHOOK))
    .description('send webhook.test in one attempt; its success resumes what is paused')
    .option('--wait', 'until it was attempted; exit code 1 where it failed')
    .action(runs(async () => (await import('./deliveries.ts')).testWebhook));

  acting(webhooks.command('reset-failures').argument(...WEBHOOK))
    .description('forget its failures and resume it')
    .action(runs(async () => (await import('./changes.ts')).resetFailures));

  confirming(acting(webhooks.command('delete').argument(...WEBHOOK)))
    .description('unsubscribe; what is still to be delivered is dropped')
    .action(runs(async () => (await import('./changes.ts')).deleteWebhook));

  limited(acting(webhooks.command('deliveries').argument(...WEBHOOK)))
    .description('list the last attempts, the newest first')
    .option('--dead', 'the deliveries that were given up, each with its last attempt')
    .action(runs(async () => (await import('./deliveries.ts')).listDeliveries));

  repeatable(acting(webhooks.command('redeliver').argument(...WEBHOOK)))
    .argument('<delivery>', 'its id, from deliveries')
    .description('send a delivery again, under its idempotency key')
    .option('--wait', 'until it was attempted; exit code 1 where it failed')
    .action(runs(async () => (await import('./deliveries.ts')).redeliver));

  acting(webhooks.command('recover').argument(...WEBHOOK))
    .description('send the events that were left out while it was paused, of the last 7 days')
    .requiredOption('--since <time>', 'left out from then on', instant)
    .option('--until <time>', 'and before then (now)', instant)
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium webhooks recover https://example.com/hook --since 2026-03-02',
    )
    .action(runs(async () => (await import('./changes.ts')).recoverEvents));
};
