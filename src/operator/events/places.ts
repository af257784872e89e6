/**
 * Where each process stands is written in the log, as a position of that log. In another log the
 * same place has another position: here it is found and written down, so that a process goes on
 * where it was, and does not react anew to years of facts.
 */
import {
  PROCESS_CATEGORY,
  processCodec,
  processPosition,
} from '../../processes/process-position.ts';
import type { EventStore, Position, StoredEvent } from '../../store/event-store.ts';
import { comparisonOf } from '../../store/positions.ts';
import { categoryOf, keyOf } from '../../store/streams.ts';
import { systemClock } from '../../ops/clock.ts';
import { contentsOf } from './contents.ts';
import type { Plan } from './plan.ts';
import { walked } from './walk.ts';

/** A process, and what surrounds its place in the file. */
interface Standing {
  readonly name: string;
  /** Of the log that was exported. */
  readonly position: Position;
  /** The last event that it has reacted to, or passed over. */
  at: StoredEvent | null;
  /** By stream, the first revision that lies ahead of it. */
  readonly ahead: Map<string, number>;
}

/**
 * Writes down the place of each process whose last copy came with the file. To be called once
 * everything is in the log. Doing it twice is doing it once.
 *
 * A place is so chosen that everything in the file that lay ahead of the process lies ahead of it,
 * whatever the order in which the log was filled; what lies ahead besides was reacted to before,
 * and its commands are found recorded.
 *
 * A file of some categories says too little: it carries no places.
 *
 * @returns The names of the processes that were given a place.
 */
export const carryPlaces = async (
  log: EventStore,
  plan: Plan,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  if (plan.header.categories !== null) return [];
  const standings = await standingsIn(log, plan);
  if (standings.length === 0) return [];
  await findIn(plan, standings);
  const places = await placesIn(log, plan, standings, signal);
  const carried: string[] = [];
  for (const [name, position] of places)
    if (await processPosition(name, log, systemClock).carry(position)) carried.push(name);
  return carried;
};

/** The processes whose last word in the log is a place in the log that was exported. */
const standingsIn = async (log: EventStore, { streams, header }: Plan): Promise<Standing[]> => {
  const standings: Standing[] = [];
  for (const stream of streams.keys()) {
    if (categoryOf(stream) !== PROCESS_CATEGORY) continue;
    const [last] = await log.readStream(stream, { backwards: true, limit: 1 });
    if (!last) continue;
    const { event } = processCodec.decode(last);
    if (event.type !== 'ProcessCheckpointed' || event.log !== header.log) continue;
    standings.push({ name: keyOf(stream), position: event.position, at: null, ahead: new Map() });
  }
  return standings;
};

const findIn = async (plan: Plan, standings: readonly Standing[]): Promise<void> => {
  const compare = comparisonOf[plan.header.backend];
  await contentsOf(plan.path, {
    eventsMax: plan.contents.seal.events,
    onEvent(event) {
      const { stream, revision, position } = event;
      for (const standing of standings) {
        if (compare(position, standing.position) <= 0) standing.at = event;
        else if (!standing.ahead.has(stream)) standing.ahead.set(stream, revision);
      }
    },
  });
};

/**
 * The place of each in this log: that of the event it stood at, or, where something that lay ahead
 * of it has come before, just before that.
 */
const placesIn = async (
  log: EventStore,
  { streams }: Plan,
  standings: readonly Standing[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Position>> => {
  const places = new Map<string, Position>();
  const open = new Set(standings.filter(({ at }) => at !== null));
  let before: Position | null = null;
  const walk = { after: null, categories: null, removedToo: true, signal };
  for await (const events of walked(log, walk)) {
    for (const { stream, revision, position } of events) {
      const inFile = revision + (streams.get(stream)?.shift ?? 0);
      for (const standing of open) {
        const { name, at, ahead } = standing;
        const tooFar = inFile >= (ahead.get(stream) ?? Infinity);
        const there = stream === at?.stream && inFile === at.revision;
        if (tooFar && before !== null) places.set(name, before);
        if (there) places.set(name, position);
        if (tooFar || there) open.delete(standing);
      }
      before = position;
    }
    if (open.size === 0) break;
  }
  signal.throwIfAborted();
  return places;
};
