import { processId } from '../consumers/consumer.ts';
import type { ParkedLane } from '../consumers/checkpoints.ts';
import type { Owner } from '../consumers/leases.ts';
import type { ConsumerRequest } from '../consumers/requests.ts';
import type { ConsumerRunner, Consumers } from '../consumers/runtime.ts';
import type { Instant } from '../domain/decider.ts';
import type { Position } from '../store/event-store.ts';
import type { AnyProcess } from './process.ts';
import { processRunner, type ProcessRunnerParts } from './runner.ts';

/** The processes of a platform: run where this process owns them, waited for everywhere. */
export interface Processes {
  readonly names: readonly string[];
  /** What runs them, for `Consumers.start`. */
  readonly runners: readonly ConsumerRunner[];
  /** Whether all of them have reacted to the log up to `position` within `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>;
  status(): Promise<readonly ProcessStatus[]>;
  /** What is set aside, by lane. @throws If there is no process of the name. */
  parked(name: string): Promise<readonly ParkedLane[]>;
  /** Asks the owner of the process to try a parked lane again, or to leave out its event. */
  ask(
    name: string,
    asked: { readonly kind: 'retry' | 'skip'; readonly lane: string; readonly by: string },
  ): Promise<ConsumerRequest>;
  /** When the next lane that waits is tried again, of the processes that are run here. */
  nextRetryAt(): Instant | null;
  /** The clock was moved: lanes that wait may be due. */
  wake(): void;
}

export interface ProcessStatus {
  readonly name: string;
  readonly position: Position | null;
  /** `null` where the log cannot count. */
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly owner: Owner;
  /** Lanes set aside until an operator asks. */
  readonly parked: number;
  /** Lanes that are tried again by themselves. */
  readonly waiting: number;
  readonly lastError: string | null;
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

  const idOf = (name: string) => {
    if (!names.includes(name)) throw new Error(`there is no process ${name}`);
    return processId(name);
  };

  return {
    names,
    runners,
    waitFor: (position, timeoutMs) => consumers.positions.until(ids, position, timeoutMs),

    async status() {
      const found = await consumers.status(ids);
      return found.map(({ reached, owner, checkpoint, events, seconds }, index) => ({
        name: names[index]!,
        position: reached.position,
        lagEvents: events,
        lagSeconds: seconds,
        owner,
        parked: checkpoint?.parked ?? 0,
        waiting: checkpoint?.waiting ?? 0,
        lastError: checkpoint?.lastError ?? null,
      }));
    },

    parked: async (name) => consumers.parked(idOf(name)),
    ask: async (name, asked) => consumers.ask({ consumer: idOf(name), ...asked }),

    nextRetryAt: () =>
      runners
        .map((runner) => runner.nextRetryAt())
        .reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null),

    wake() {
      for (const runner of runners) runner.wake();
    },
  };
};
