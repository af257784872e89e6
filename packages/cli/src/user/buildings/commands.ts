import type { Command } from 'commander';
import { acting, runs } from '../../invocation.ts';
import { confirming, inBuilding, instant, limited, listed, repeatable } from '../options.ts';

/** `atrium buildings …`: the building graph, its import and its plans. */
export const buildingsCommands = (program: Command): void => {
  const buildings = program.command('buildings').description('buildings and what is in them');

  limited(acting(buildings.command('list')))
    .description('list them')
    .action(runs(async () => (await import('./buildings.ts')).listBuildings));

  acting(buildings.command('get').alias('show').argument('[building]', 'its id, code or name'))
    .description('show one with its storeys')
    .action(runs(async () => (await import('./buildings.ts')).getBuilding));

  importCommand(buildings);

  inBuilding(buildings.command('plan').argument('<storey>', 'its id, code or name'))
    .description('print the plan of a storey as SVG')
    .option('-o, --output <file>', 'output file; default: standard output')
    .option('--colour <by>', 'tickets, faults, layer:<slug> or point:<class>')
    .option('--at <time>', 'at this time; needs --colour (now)', instant)
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium buildings plan "Ground floor" --colour tickets -o ground.svg',
    )
    .action(runs(async () => (await import('./plan.ts')).planOf));

  limited(inBuilding(buildings.command('spaces')))
    .description('list its spaces')
    .option('--storey <storey>', 'of this storey: its id, code or name')
    .option('--type <slug>', 'of this type')
    .option('--search <words>', 'in code, name or external id')
    .action(runs(async () => (await import('./nodes.ts')).listSpaces));

  limited(inBuilding(buildings.command('points')))
    .description('list its points, with their latest values')
    .option('--space <space>', 'in this space: its id, code or external id')
    .option('--search <words>', 'in code, name, class or external id')
    .addHelpText(
      'after',
      '\nExamples:\n  $ atrium buildings points --search "air temperature" ' +
        '--sandbox "Checkout team"',
    )
    .action(runs(async () => (await import('./nodes.ts')).listPoints));
};

const importCommand = (buildings: Command): void => {
  confirming(repeatable(inBuilding(buildings.command('import'))))
    .argument('<file>', 'IFC (.ifc) or JSON; - reads it from standard input')
    .description('import a building atomically; without --building, create a new one')
    .option(
      '--replace',
      'with --building: recreate internal ids and remove nodes that are not in the file',
    )
    .option('--model <name>', 'the model that the file contains, such as electrical')
    .option('--choose <GlobalId>', 'the building to import from a file with several')
    .option(
      '--storeys <from:to,...>',
      'with --building: match storeys to other models: <externalId or code>:<id, or new>',
      listed,
    )
    .option('--dry-run', 'print what it would do, without changing anything')
    .addHelpText(
      'after',
      '\nThe errors of a refused file are listed with their paths, and nothing is ' +
        'imported.\n\nExamples:\n  $ atrium buildings import office.ifc --dry-run\n  $ atrium ' +
        'buildings import office.ifc --idempotency-key office-1\n  $ atrium buildings import ' +
        'lights.ifc --building HQ --model electrical',
    )
    .action(runs(async () => (await import('./import.ts')).importBuilding));
};
