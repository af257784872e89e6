import { errorLine } from '../postgres/errors.ts';
import { processId, projectionId, timersId, type ConsumerId } from '../consumers/consumer.ts';
import type { Owner } from '../consumers/leases.ts';
import type { ConsumerRequest } from '../consumers/requests.ts';
import type { Lag } from '../consumers/positions.ts';
import type { Consumers, ConsumerStatus } from '../consumers/runtime.ts';
import type { Instant } from '../aggregates/decider.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import type { Position } from '../log/event-store.ts';
import { restingTimers, stuckTimers, type StuckTimer } from '../timers/stuck-timers.ts';
import { dueRowsOf, type DueTable } from '../timers/timer-table.ts';

/**
 * The state of a platform's processes and timers in all its processes, and operators' requests to
 * their owners. contract.md section 10.
 */
export interface ProcessControl {
  readonly names: readonly string[];
  status(): Promise<readonly ProcessStatus[]>;
  /**
   * By name.
   *
   * @param limit Default: all.
   * @throws {@link UnknownProcess}.
   */
  parked(name: string, limit?: number): Promise<readonly ParkedWork[]>;
  /**
   * Asks the owner to handle a parked stream from its first parked event on (or to fire a stuck
   * timer again); or to skip that event (or this due time of the timer) for ever.
   *
   * @returns `null` if the stream is not parked.
   * @throws {@link UnknownProcess}.
   */
  ask(name: string, request: AskedAgain): Promise<ConsumerRequest | null>;
  /** A request and its result. */
  request(id: string): Promise<ConsumerRequest | null>;
}

export interface AskedAgain {
  readonly kind: 'retry' | 'skip';
  readonly stream: string;
  readonly by: string;
}

export interface ProcessStatus {
  readonly name: string;
  readonly kind: 'process' | 'timers';
  /** The position up to which a process has reacted, or that the rows of timers show. */
  readonly position: Position | null;
  /** `null` where the log cannot count. */
  readonly lagEvents: number | null;
  readonly lagSeconds: number;
  readonly owner: Owner;
  /** Streams that are parked until an operator acts; stuck timers. */
  readonly parked: number;
  /** Streams that are retried automatically. */
  readonly retrying: number;
  /** For timers only. */
  readonly nextDueAt: Instant | null;
  readonly lastError: string | null;
}

/** A stream that a process has parked, or a stuck timer. */
export interface ParkedWork {
  /** The stream, or another partition of its process; for a timer, its key. */
  readonly stream: string;
  /** The first event that could not be handled; `null` for a timer. */
  readonly eventId: string | null;
  readonly revision: number | null;
  readonly position: Position | null;
  readonly dueAt: Instant | null;
  readonly error: string | null;
  readonly parkedAt: Instant;
  /** Later events that were skipped. */
  readonly skipped: number;
  /** When it is retried automatically. */
  readonly retryAt: Instant | null;
}

export class UnknownProcess extends Error {
  constructor(name: string, names: readonly string[]) {
    super(`there is no process ${name}; there are ${names.join(', ')}`);
    this.name = 'UnknownProcess';
  }
}

export interface ProcessControlParts {
  readonly processes: readonly string[];
  readonly timers: readonly DueTable[];
  readonly consumers: Consumers;
  /** The lag of those processes that consume another source than the log. */
  readonly behind?: Readonly<Record<string, () => Promise<Lag>>>;
  /** Measures the pauses of stuck timers. Default: the system's. */
  readonly real?: Clock;
}

export const processControl = (parts: ProcessControlParts): ProcessControl => {
  const { processes, timers, consumers, behind = {}, real = systemClock } = parts;
  const stuck = stuckTimers(consumers.pool);
  const timerNames = timers.map(({ name }) => name);
  const names = [...processes, ...timerNames];

  /** @throws {@link UnknownProcess}. */
  const consumerOf = (name: string): ConsumerId => {
    if (processes.includes(name)) return processId(name);
    if (timerNames.includes(name)) return timersId(name);
    throw new UnknownProcess(name, names);
  };

  const shown = ({ reached, owner, checkpoint, events, seconds }: ConsumerStatus) => ({
    position: reached.position,
    lagEvents: events,
    lagSeconds: seconds,
    owner,
    lastError: checkpoint?.lastError ?? null,
  });

  const ofProcesses = async (): Promise<ProcessStatus[]> => {
    const found = await consumers.status(processes.map(processId));
    return Promise.all(
      found.map(async (status, index) => ({
        name: processes[index]!,
        kind: 'process' as const,
        ...shown(status),
        ...(await lagElsewhere(processes[index]!)),
        parked: status.checkpoint?.parked ?? 0,
        retrying: status.checkpoint?.waiting ?? 0,
        nextDueAt: null,
      })),
    );
  };

  /** An error of one consumer must not hide the state of the others. */
  const lagElsewhere = async (name: string): Promise<Partial<ProcessStatus>> => {
    const ask = behind[name];
    if (!ask) return {};
    try {
      const { events, seconds } = await ask();
      return { lagEvents: events, lagSeconds: seconds };
    } catch (error) {
      return { lagEvents: null, lagSeconds: 0, lastError: errorLine(error) };
    }
  };

  const ofTimers = async (): Promise<ProcessStatus[]> => {
    const [found, owners, allStuck] = await Promise.all([
      consumers.status(timers.map(({ projection }) => projectionId(projection))),
      consumers.leases.owners(timerNames.map(timersId)),
      stuck.list(timerNames),
    ]);
    return Promise.all(
      timers.map(async (table, index) => {
        const { name } = table;
        const ofTable = allStuck.filter((timer) => timer.timers === name);
        return {
          name,
          kind: 'timers' as const,
          ...shown(found[index]!),
          owner: owners.get(timersId(name)) ?? 'none',
          parked: ofTable.length,
          retrying: 0,
          nextDueAt: await dueRowsOf(table, consumers.pool).next(
            restingTimers(ofTable, real.now()),
          ),
        };
      }),
    );
  };

  const parked = async (name: string, limit?: number): Promise<ParkedWork[]> => {
    const consumer = consumerOf(name);
    if (timerNames.includes(name))
      return (await stuck.list([name])).slice(0, limit).map(workOfTimer);
    return (await consumers.parked(consumer, limit)).map(({ lane, reason, ...event }) => ({
      ...event,
      stream: lane,
      error: reason,
      dueAt: null,
    }));
  };

  return {
    names,
    parked,

    async status() {
      return (await Promise.all([ofProcesses(), ofTimers()])).flat();
    },

    async ask(name, { kind, stream, by }) {
      const consumer = consumerOf(name);
      const isParked = timerNames.includes(name)
        ? (await parked(name)).some((one) => one.stream === stream)
        : (await consumers.parkedIn(consumer, stream)) !== null;
      return isParked ? consumers.ask({ consumer, kind, lane: stream, by }) : null;
    },

    request: (id) => consumers.requests.find(id),
  };
};

const workOfTimer = ({ key, dueAt, reason, stuckAt, retryAt }: StuckTimer): ParkedWork => ({
  stream: key,
  eventId: null,
  revision: null,
  position: null,
  dueAt,
  error: reason,
  parkedAt: stuckAt,
  skipped: 0,
  retryAt,
});
