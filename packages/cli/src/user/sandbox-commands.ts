import { Option, type Command } from 'commander';
import { calling, runs } from '../invocation.ts';
import { decimal, whole } from './numbers.ts';
import { commandKey } from './options.ts';
import { sandboxSnapshotCommands } from './sandbox-snapshot-commands.ts';

const SANDBOX = 'its id, its slug, or its name if unique';

/** `atrium sandbox …`: sandboxes of your own. contract.md sections 4 and 10. */
export const sandboxCommands = (program: Command): void => {
  const sandbox = program
    .command('sandbox')
    .description('isolated copies of the platform, for development')
    .addHelpText(
      'after',
      `
Examples:
  $ atrium sandbox create --name "Checkout team" --wait
  $ atrium sandbox list
  $ atrium tickets list --sandbox checkout-team-x1y2
  $ atrium sandbox delete checkout-team-x1y2`,
    );
  createCommand(sandbox);
  clockCommands(sandbox);
  environmentCommand(sandbox);
  sandboxSnapshotCommands(sandbox);

  calling(sandbox.command('list'))
    .description('list your sandboxes, the newest first')
    .action(runs(async () => (await import('./sandboxes.ts')).listSandboxes));

  waiting(calling(sandbox.command('get').argument('<sandbox>', SANDBOX)))
    .description('show one')
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox get sbx_0123456789abcdef --wait')
    .action(runs(async () => (await import('./sandboxes.ts')).getSandbox));

  calling(sandbox.command('open').argument('[sandbox]', ONLY))
    .description('open its portal in a browser; without one, print the address')
    .option('--docs', 'its API reference instead')
    .action(runs(async () => (await import('./sandboxes.ts')).openSandbox));

  calling(sandbox.command('extend').argument('<sandbox>', SANDBOX))
    .description('extend its lifetime: at most twice, and at most 30 days from now')
    .requiredOption('--days <days>', 'days to add to its expiry', whole)
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox extend checkout-team-x1y2 --days 7')
    .action(runs(async () => (await import('./sandbox-changes.ts')).extendSandbox));

  waiting(calling(sandbox.command('reset').argument('<sandbox>', SANDBOX)))
    .description('reset it: delete its data and create the same building again')
    .option('--yes', 'do not ask for confirmation')
    .action(runs(async () => (await import('./sandbox-changes.ts')).resetSandbox));

  calling(sandbox.command('delete').argument('<sandbox>', SANDBOX))
    .description('delete it with all its data, at once')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox delete checkout-team-x1y2 --yes')
    .action(runs(async () => (await import('./sandbox-changes.ts')).deleteSandbox));
};

const ONLY = `${SANDBOX}; optional if there is only one`;

const environmentCommand = (sandbox: Command): void => {
  calling(sandbox.command('env').argument('[sandbox]', ONLY))
    .description('print the variables that a program needs, for a file .env')
    .option('--key', 'also mint an API key that expires with the sandbox')
    .addHelpText(
      'after',
      `
ATRIUM_URL is the server, ATRIUM_SANDBOX_URL the sandbox, and with --key ATRIUM_TOKEN a key of scope
sandbox: one of the five of your organisation, another one each time.

Examples:
  $ atrium sandbox env "Checkout team" --key >> .env`,
    )
    .action(runs(async () => (await import('./sandbox-env.ts')).printEnvironment));
};

const clockCommands = (sandbox: Command): void => {
  const clock = sandbox.command('clock').description('the virtual clock of a sandbox');

  calling(clock.command('get', { isDefault: true }))
    .description('print its time')
    .option('--sandbox <sandbox>', ONLY)
    .action(runs(async () => (await import('./sandbox-clock.ts')).tellTime));

  calling(clock.command('advance').argument('<duration>', 'an ISO 8601 duration: PT1H, P1D'))
    .description(
      'move it forward: everything that falls due in between happens; it never goes back',
    )
    .option('--sandbox <sandbox>', ONLY)
    .addHelpText('after', '\nExamples:\n  $ atrium sandbox clock advance PT4H')
    .action(runs(async () => (await import('./sandbox-clock.ts')).advanceClock));
};

const createCommand = (sandbox: Command): void => {
  waiting(calling(sandbox.command('create')))
    .description('create one: its own database, building, telemetry and address')
    .requiredOption('--name <text>', 'display name; the address is derived from it')
    .addOption(new Option('--type <type>', 'of building (office)').choices(['mall', 'office']))
    .option('--storeys <number>', '1 to 50 (3)', whole)
    .option('--area <sqm>', 'gross area of all storeys together, in square metres (3000)', decimal)
    .option('--ttl-days <days>', 'days until it is deleted, 1 to 30 (14)', whole)
    .option('--telemetry-days <days>', 'days of past telemetry, 0 to 30 (7)', whole)
    .option('--spaces-min <number>', 'of each storey (10)', whole)
    .option('--spaces-max <number>', 'of each storey (30)', whole)
    .addOption(
      new Option('--density <density>', 'of equipment (realistic)').choices([
        'sparse',
        'realistic',
        'dense',
      ]),
    )
    .addOption(
      new Option('--occupancy <profile>', 'when people are in the building (office-hours)').choices(
        ['24x7', 'office-hours', 'peak-evenings'],
      ),
    )
    .option('--seed <text>', 'the same seed and options give the same building (random)')
    .option('--time-zone <name>', 'local time of the simulated people, such as Europe/Berlin (UTC)')
    .addOption(
      new Option('--fault-kinds <kinds...>', 'deliberate faults in its values (all)').choices([
        'stuck-damper',
        'drifting-sensor',
        'silent-sensor',
        'night-fan',
        'none',
      ]),
    )
    .option('--no-live-telemetry', 'its points produce no new values')
    .option(
      '--from-snapshot <snapshot>',
      'copy the content of this snapshot; can only be combined with --ttl-days',
    )
    .option(
      '--idempotency-key <key>',
      'idempotency key: repeating the command with it creates no second sandbox',
      commandKey,
    )
    .addHelpText(
      'after',
      `
Ctrl-C while it waits leaves the sandbox to be provisioned; atrium sandbox get --wait waits again.

Examples:
  $ atrium sandbox create --name "Checkout team" --wait
  $ atrium sandbox create --name Mall --type mall --storeys 4 --area 20000 --density dense
  $ atrium sandbox create --name CI --seed ci-1 --telemetry-days 0 --wait --json`,
    )
    .action(runs(async () => (await import('./sandbox-create.ts')).createSandbox));
};

const waiting = (command: Command): Command =>
  command
    .option('--wait', 'wait until it is ready or has failed; exit code 3 on timeout')
    .option('--timeout <seconds>', 'how long --wait waits (900)', whole);
