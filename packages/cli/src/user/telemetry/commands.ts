import { Option, type Command } from 'commander';
import { runs } from '../../invocation.ts';
import { confirming, inBuilding, instant, limited, repeatable } from '../options.ts';

const POINT = ['<point>', 'its id, code or external id'] as const;
const RULE = ['<rule>', 'its id, or its title if unique'] as const;
const BUCKETS = ['1m', '15m', '1h', '1d'];

/** `atrium observations …`, `atrium rules …` and `atrium faults …`. */
export const telemetryCommands = (program: Command): void => {
  observationsCommands(program);
  rulesCommands(program);
  faultsCommands(program);
};

const observationsCommands = (program: Command): void => {
  const observations = program.command('observations').description('values of points');

  limited(inBuilding(observations.command('get').argument(...POINT)))
    .description('list the values of a point, the oldest first: all of them, without --limit')
    .option('--from <time>', 'start, inclusive (a day before --to)', instant)
    .option('--to <time>', 'end, exclusive (now)', instant)
    .addOption(
      new Option('--bucket <length>', 'return minimum, maximum and mean per bucket').choices(
        BUCKETS,
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium observations get AHU-1.SAT --from 2026-03-02 --bucket 1h',
    )
    .action(runs(async () => (await import('./observations.ts')).getObservations));

  inBuilding(observations.command('put').argument(...POINT))
    .argument('<value>', 'a number, or true or false')
    .description('record a value of a point; replaces a value with the same time')
    .option('--at <time>', 'when it was observed (now)', instant)
    .addHelpText('after', '\nExamples:\n  $ atrium observations put AHU-1.SAT 21.5')
    .action(runs(async () => (await import('./observations.ts')).putObservation));

  inBuilding(observations.command('upload'))
    .argument('<file>', 'CSV with the columns point, value and timestamp; - reads it')
    .description('record the values of a file; repeating it changes nothing')
    .addHelpText(
      'after',
      `
The first line names the columns, separated by commas or semicolons: point is an id, code or
external id, timestamp is of ISO 8601 with its zone. Where it breaks off, upload the file again.

Examples:
  $ atrium observations upload readings.csv --sandbox "Checkout team"`,
    )
    .action(runs(async () => (await import('./upload.ts')).uploadObservations));
};

const rulesCommands = (program: Command): void => {
  const rules = program.command('rules').description('diagnostic rules, which open faults');

  limited(inBuilding(rules.command('list')))
    .description('list them')
    .action(runs(async () => (await import('./rules.ts')).listRules));

  inBuilding(
    rules
      .command('get')
      .alias('show')
      .argument(...RULE),
  )
    .description('show one')
    .action(runs(async () => (await import('./rules.ts')).getRule));

  repeatable(inBuilding(rules.command('create').argument('<file>', 'JSON; - reads it')))
    .description('create a rule; to change one, delete it and create another')
    .addHelpText(
      'after',
      `
Examples:
  $ echo '{ "title": "Too warm", "severity": "high", "pointClass": "Zone_Air_Temperature_Sensor",
      "comparison": "gt", "threshold": 26, "forSeconds": 900 }' | atrium rules create -`,
    )
    .action(runs(async () => (await import('./rules.ts')).createRule));

  limited(inBuilding(rules.command('try').argument('<file>', 'JSON; - reads it')))
    .description('dry run: list the faults that a rule would have found')
    .requiredOption('--from <time>', 'start of the stored values, inclusive', instant)
    .option('--to <time>', 'and before then (now)', instant)
    .addHelpText('after', '\nExamples:\n  $ atrium rules try too-warm.json --from 2026-03-01')
    .action(runs(async () => (await import('./rules.ts')).tryRule));

  confirming(inBuilding(rules.command('delete').argument(...RULE)))
    .description('delete a rule, which closes its faults')
    .action(runs(async () => (await import('./rules.ts')).deleteRule));
};

const faultsCommands = (program: Command): void => {
  const faults = program.command('faults').description('faults that diagnostic rules have found');

  limited(inBuilding(faults.command('list')))
    .description('list them, the newest first')
    .option('--open', 'only those that are open')
    .option('--closed', 'only those that are closed')
    .option('--space <space>', 'of points in this space: its id, code or external id')
    .action(runs(async () => (await import('./faults.ts')).listFaults));

  inBuilding(faults.command('get').alias('show').argument('<fault>', 'its id'))
    .description('show one')
    .action(runs(async () => (await import('./faults.ts')).getFault));

  repeatable(inBuilding(faults.command('ticket').argument('<fault>', 'its id')))
    .description('raise its ticket, or show the existing one')
    .action(runs(async () => (await import('./faults.ts')).raiseTicket));
};
