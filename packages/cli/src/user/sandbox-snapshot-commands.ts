import type { Command } from 'commander';
import { calling, runs } from '../invocation.ts';
import { whole } from './numbers.ts';
import { commandKey } from './options.ts';

const SNAPSHOT = 'its id, or its name where no other has it';

/** `atrium sandbox snapshot …`: copies of sandboxes to start others from. contract.md section 4. */
export const sandboxSnapshotCommands = (sandbox: Command): void => {
  const snapshot = sandbox
    .command('snapshot')
    .description('copies of sandboxes, to start others from; three, kept for 30 days')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium sandbox snapshot create checkout-team-x1y2 --name Filled --wait
  $ atrium sandbox create --name "Run 1" --from-snapshot Filled --wait
  $ atrium sandbox snapshot delete Filled --yes`,
    );

  calling(snapshot.command('create').argument('<sandbox>', 'its id, its slug, or its name'))
    .description('copy a sandbox, which sleeps for a moment')
    .requiredOption('--name <text>', 'shown to people')
    .option('--wait', 'until it is ready or has failed; exit code 3 where that takes too long')
    .option('--timeout <seconds>', 'how long --wait waits (900)', whole)
    .option('--idempotency-key <key>', 'the same key again is the same snapshot', commandKey)
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium sandbox snapshot create checkout-team-x1y2 --name Filled --wait',
    )
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).createSnapshot));

  calling(snapshot.command('list'))
    .description('list the snapshots of your sandboxes, the newest first')
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).listSnapshots));

  calling(snapshot.command('delete').argument('<snapshot>', SNAPSHOT))
    .description('delete it; sandboxes that were made from it stay')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox snapshot delete Filled --yes')
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).deleteSnapshot));
};
