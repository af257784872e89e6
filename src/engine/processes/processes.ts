import { processId } from '../consumers/consumer.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import type { Instant } from '../aggregates/decider.ts';
import type { Position } from '../log/event-store.ts';
import type { AnyProcess } from './process.ts';
import { processRunner, type ProcessRunnerParts } from './runner.ts';

/** The processes of a platform: run where this process owns them, waited for everywhere. */
export interface Processes {
  readonly names: readonly string[];
  /** What runs them, for `Consumers.start`. */
  readonly runners: readonly ConsumerRunner[];
  /** Whether all of them have reacted to the log up to `position` within `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  /** The earliest retry time of the processes that are run here. */
  nextRetryAt(): Instant | null;
  /** The clock was moved: retries may be due. */
  wake(): void;
}

export interface ProcessesParts extends Omit<ProcessRunnerParts, 'process'> {
  readonly processes: readonly AnyProcess[];
  readonly consumers: Consumers;
}

/** @throws If two processes have one name. */
export const processRuntime = (parts: ProcessesParts): Processes => {
  const { processes, consumers } = parts;
  const names = processes.map(({ name }) => name);
  if (new Set(names).size !== names.length) throw new Error('two processes have one name');
  const ids = names.map(processId);
  const runners = processes.map((process) => processRunner({ ...parts, process }));

  return {
    names,
    runners,
    waitFor: (position, timeoutMs) => consumers.positions.until(ids, position, timeoutMs),

    nextRetryAt: () =>
      runners
        .map((runner) => runner.nextRetryAt())
        .reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null),

    wake() {
      for (const runner of runners) runner.wake();
    },
  };
};
