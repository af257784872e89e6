import { configOf } from '../config/config.ts';
import type { ImportResult } from '../building/graph/graph.ts';
import { relayAnnouncements } from '../building/graph/outbox-relay.ts';
import { buildingImports } from '../building/imports/imports.ts';
import type { ImportPhase } from '../building/imports/thread-messages.ts';
import { openCommandAdapters } from './adapters.ts';
import { slug } from '../domain/buildings/document.ts';
import { importBuildingFile } from './building-file.ts';
import { commandLogger, type Env } from './command-logger.ts';
import { UsageError } from './operator-error.ts';
import { progressLine } from './progress.ts';
import { systemClock } from '../engine/time/clock.ts';

export interface ImportCommand {
  readonly file: string;
  readonly organisation: string;
  /** The building to import into. Default: a new one. */
  readonly building?: string;
  readonly replace?: boolean;
  /** Name of the model. Default: the building's unnamed model. */
  readonly model?: string;
  /** GlobalId of the building to import from a file with several. */
  readonly choose?: string;
  readonly storeys?: ReadonlyMap<string, string>;
  readonly json?: boolean;
  readonly env: Env;
}

/**
 * `atrium import FILE`: writes a building into the server's database, running or not, and announces
 * it in the log. Prints the counts of nodes added, changed and removed.
 *
 * @returns The exit code: 0.
 * @throws {@link OperatorError} and {@link BadConfiguration}, each with one line.
 */
export const importCommand = async (command: ImportCommand): Promise<number> => {
  const config = configOf(command.env);
  const { db, opened, close } = await openCommandAdapters(
    config,
    await commandLogger(command.env, config),
  );
  try {
    await opened.watch.check();
    const progress = progressLine();
    const result = await importBuildingFile(
      command.file,
      buildingImports({ databaseUrl: db.url }),
      {
        organisation: command.organisation,
        caller: IMPORTER,
        named: false,
        options: {
          at: systemClock.now(),
          by: { kind: 'system', id: IMPORTER },
          buildingId: command.building,
          replace: command.replace,
          model: modelOf(command),
          storeys: command.storeys,
        },
        building: command.choose,
      },
      (phase) => progress.show(() => phaseLine(phase)),
    );
    progress.clear();
    await relayAnnouncements(db.pool, opened.log);
    process.stdout.write(`${command.json ? jsonOf(result) : linesOf(result)}\n`);
    return 0;
  } finally {
    await close();
  }
};

const modelOf = ({ model }: ImportCommand): string | undefined => {
  if (model === undefined || slug.safeParse(model).success) return model;
  throw new UsageError(`--model: ${model}: must be lower-case letters, digits, - and _`);
};

const IMPORTER = 'atrium-import';

const phaseLine = (phase: ImportPhase): string => {
  if (phase.name === 'shapes') return 'reading shapes';
  return phase.name === 'reading'
    ? `reading ${phase.bytes.toLocaleString('en')} bytes`
    : `writing ${phase.nodes.toLocaleString('en')} nodes`;
};

const jsonOf = ({ replayed: _replayed, ...result }: ImportResult): string => JSON.stringify(result);

const linesOf = (result: ImportResult): string => {
  const { buildingId, created, updated, removed, storeys, elements, warnings } = result;
  const line = (what: string, counts: ImportResult['created']) =>
    `${what.padEnd(9)}${Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}`;
  return [
    `building ${buildingId}`,
    line('created', created),
    line('updated', updated),
    line('removed', removed),
    ...storeys.map(({ from, to, by }) => `storey   ${from.code} is ${to.code} (${by})`),
    `elements ${elements.contained} in a room of the file, ${elements.byGeometry} in a room by ` +
      `where they are, ${elements.onStorey} on a storey`,
    ...warnings.map((warning) => `warning  ${warning}`),
  ].join('\n');
};
