import type { Command } from 'commander';
import { calling, runs } from '../invocation.ts';
import { whole } from './numbers.ts';
import { commandKey } from './options.ts';

const SNAPSHOT = 'its id, or its name if unique';

/** `atrium sandbox snapshot …`: copies of sandboxes to start others from. contract.md section 4. */
export const sandboxSnapshotCommands = (sandbox: Command): void => {
  const snapshot = sandbox
    .command('snapshot')
    .description('copies of sandboxes, from which to create others; at most three, for 30 days')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium sandbox snapshot create checkout-team-x1y2 --name Filled --wait
  $ atrium sandbox create --name "Run 1" --from-snapshot Filled --wait
  $ atrium sandbox snapshot delete Filled --yes`,
    );

  calling(snapshot.command('create').argument('<sandbox>', 'its id, its slug, or its name'))
    .description('copy a sandbox, which pauses briefly')
    .requiredOption('--name <text>', 'display name')
    .option('--wait', 'wait until it is ready or has failed; exit code 3 on timeout')
    .option('--timeout <seconds>', 'how long --wait waits (900)', whole)
    .option(
      '--idempotency-key <key>',
      'idempotency key: repeating the command with it creates no second snapshot',
      commandKey,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium sandbox snapshot create checkout-team-x1y2 --name Filled --wait',
    )
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).createSnapshot));

  calling(snapshot.command('list'))
    .description('list the snapshots of your sandboxes, the newest first')
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).listSnapshots));

  calling(snapshot.command('delete').argument('<snapshot>', SNAPSHOT))
    .description('delete it; sandboxes created from it stay')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox snapshot delete Filled --yes')
    .action(runs(async () => (await import('./sandbox-snapshots.ts')).deleteSnapshot));
};
