import { configOf } from '../config/config.ts';
import type { ImportResult } from '../building/graph/graph.ts';
import { relayAnnouncements } from '../building/graph/outbox-relay.ts';
import { buildingImports } from '../building/imports/imports.ts';
import type { ImportPhase } from '../building/imports/thread-messages.ts';
import { openCommandAdapters } from './adapters.ts';
import { importBuildingFile } from './building-file.ts';
import { commandLogger, type Env } from './command-logger.ts';
import { progressLine } from './progress.ts';
import { systemClock } from '../engine/time/clock.ts';

export interface ImportCommand {
  readonly file: string;
  readonly organisation: string;
  /** Into this building; without it a new one is made. */
  readonly building?: string;
  readonly replace?: boolean;
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
    commandLogger(command.env, config),
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
        },
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

const IMPORTER = 'atrium-import';

const phaseLine = (phase: ImportPhase): string => {
  if (phase.name === 'shapes') return 'reading shapes';
  return phase.name === 'reading'
    ? `reading ${phase.bytes.toLocaleString('en')} bytes`
    : `writing ${phase.nodes.toLocaleString('en')} nodes`;
};

const jsonOf = ({ replayed: _replayed, ...result }: ImportResult): string => JSON.stringify(result);

const linesOf = ({ buildingId, created, updated, removed, warnings }: ImportResult): string => {
  const line = (what: string, counts: ImportResult['created']) =>
    `${what.padEnd(9)}${Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', ')}`;
  return [
    `building ${buildingId}`,
    line('created', created),
    line('updated', updated),
    line('removed', removed),
    ...warnings.map((warning) => `warning  ${warning}`),
  ].join('\n');
};
