/** Reads the truth about planted faults from the sandbox's own database, which needs no lease. */
import type { SandboxParameters } from '../domain/sandboxes/parameters.ts';
import { refuse } from '../engine/aggregates/decider.ts';
import type { EventStore } from '../engine/log/event-store.ts';
import { installationId } from '../engine/log/installation.ts';
import type {
  PlantedFaultInSandbox,
  PlantedFaultsRange,
  ReadPlantedFaults,
} from '../use-cases/sandboxes/planted-faults.ts';
import { databasesOn } from './databases.ts';
import { generatorThreads, type GeneratorTask } from './generator-threads.ts';
import { databaseNames } from './names.ts';

export interface PlantedFaultsTask extends GeneratorTask {
  readonly parameters: SandboxParameters;
  readonly range: PlantedFaultsRange;
}

export interface PlantedFaultsParts {
  /** The main platform's log. */
  readonly log: EventStore;
  /** Any database of the server with the sandboxes' databases. */
  readonly databaseUrl: string;
}

/** The thread's result; `null`: the time range of the sandbox's values was not recorded. */
export type PlantedFaults = readonly PlantedFaultInSandbox[] | null;

const NOT_NOTED =
  'This sandbox was seeded by an earlier release that did not record the time of its ' +
  'values. Reset it.';

export const plantedFaultsReader =
  ({ log, databaseUrl }: PlantedFaultsParts): ReadPlantedFaults =>
  async ({ sandboxId, generation, parameters }, range, signal) => {
    const owner = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
    const name = databaseNames(owner, await installationId(log)).of(sandboxId, generation);
    const task: PlantedFaultsTask = {
      databaseUrl: databasesOn(databaseUrl).urlOf(name),
      parameters,
      range,
    };
    const threads = generatorThreads(new URL('./planted-faults-thread.ts', import.meta.url));
    await using closing = new AsyncDisposableStack();
    closing.defer(threads.stop);
    const outcome = await threads.run(task, signal);
    if (outcome.type === 'done')
      return (outcome.result as PlantedFaults) ?? refuse('SANDBOX_NOT_READY', NOT_NOTED);
    const errors = [{ path: 'from', message: outcome.reason }];
    return refuse('VALIDATION_FAILED', outcome.reason, { errors });
  };
