/**
 * The position of each process is recorded in the log, and is valid only there. After an import the
 * corresponding position in the new log is found and recorded, so that a process continues, and
 * does not react again to years of events.
 */
import {
  PROCESS_CATEGORY,
  processCodec,
  processPosition,
} from '../../engine/processes/process-position.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { comparisonOf } from '../../engine/log/positions.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { contentsOf } from './contents.ts';
import type { Plan } from './plan.ts';
import { walked } from './walk.ts';

/** A process, and the events of the file before and after its position. */
interface ProcessInFile {
  readonly name: string;
  /** In the exported log. */
  readonly position: Position;
  /** The last event at or before its position. */
  last: StoredEvent | null;
  /** By stream, the first revision after its position. */
  readonly next: Map<string, number>;
}

/**
 * Records the position of each process whose last checkpoint was in the file. Must be called after
 * all events have been imported. Idempotent.
 *
 * Every event of the file that the process has not handled is after the recorded position, whatever
 * the order of the import. Handled events may be after it too: delivery is at least once, and their
 * commands are idempotent.
 *
 * A file of selected categories is not sufficient, and no position is recorded.
 *
 * @returns The names of the processes whose position is recorded, by this or an earlier call.
 */
export const carryProcessPositions = async (
  log: EventStore,
  plan: Plan,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (plan.header.categories !== null) return [];
  const processes = await processesIn(log, plan);
  if (processes.length === 0) return [];
  await locateInFile(plan, processes);
  const positions = await positionsIn(log, plan, processes, signal);
  for (const [name, position] of positions)
    await processPosition(name, log, systemClock).carry(position);
  return [...positions.keys()];
};

/** The processes whose last event is a checkpoint in the exported log. */
const processesIn = async (
  log: EventStore,
  { streams, header }: Plan,
): Promise<ProcessInFile[]> => {
  const processes: ProcessInFile[] = [];
  for (const stream of streams.keys()) {
    if (categoryOf(stream) !== PROCESS_CATEGORY) continue;
    const [stored] = await log.readStream(stream, { backwards: true, limit: 1 });
    if (!stored) continue;
    const { event } = processCodec.decode(stored);
    if (event.type !== 'ProcessCheckpointed' || event.log !== header.log) continue;
    processes.push({ name: keyOf(stream), position: event.position, last: null, next: new Map() });
  }
  return processes;
};

const locateInFile = async (plan: Plan, processes: readonly ProcessInFile[]): Promise<void> => {
  const compare = comparisonOf[plan.header.backend];
  await contentsOf(plan.path, {
    eventsMax: plan.contents.checksum.events,
    onEvent(event) {
      const { stream, revision, position } = event;
      for (const located of processes) {
        if (compare(position, located.position) <= 0) located.last = event;
        else if (!located.next.has(stream)) located.next.set(stream, revision);
      }
    },
  });
};

/**
 * The position of each process in this log: that of its last handled event or, if an unhandled
 * event precedes that one, the position just before the unhandled event.
 */
const positionsIn = async (
  log: EventStore,
  { streams }: Plan,
  processes: readonly ProcessInFile[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Position>> => {
  const positions = new Map<string, Position>();
  const open = new Set(processes.filter(({ last }) => last !== null));
  let before: Position | null = null;
  const walk = { after: null, categories: null, removedToo: true, signal };
  for await (const events of walked(log, walk)) {
    for (const { stream, revision, position } of events) {
      const inFile = revision + (streams.get(stream)?.shift ?? 0);
      for (const located of open) {
        const { name, last, next } = located;
        const unseen = inFile >= (next.get(stream) ?? Infinity);
        const isLast = stream === last?.stream && inFile === last.revision;
        if (unseen && before !== null) positions.set(name, before);
        if (isLast) positions.set(name, position);
        if (unseen || isLast) open.delete(located);
      }
      before = position;
    }
    if (open.size === 0) break;
  }
  signal.throwIfAborted();
  return positions;
};
