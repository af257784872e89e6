/**
 * Where each process stands is written in the log, as a position of that log. In another log the
 * same place has another position: here it is found and written down, so that a process goes on
 * where it was, and does not react anew to years of facts.
 */
import { PROCESS_CATEGORY, placeOf, processCodec } from '../../processes/place.ts';
import type { EventStore, Position, StoredEvent } from '../../store/event-store.ts';
import { comparePositions } from '../../store/eventstoredb-positions.ts';
import { logIdentity } from '../../store/log-identity.ts';
import { compareDense } from '../../store/positions.ts';
import { categoryOf, keyOf } from '../../store/streams.ts';
import { systemClock } from '../clock.ts';
import { blockOf } from './blocks.ts';
import { contentsOf } from './contents.ts';
import type { Header } from './file.ts';
import type { Plan } from './plan.ts';

/** An event, by its place in the file and in its stream. */
interface Ref {
  readonly index: number;
  readonly stream: string;
  readonly revision: number;
}

/** A process, and what surrounds its place in the file. */
interface Standing {
  readonly name: string;
  /** Of the log that was exported. */
  readonly position: Position;
  /** The last event that it has reacted to, or passed over. */
  at: Ref | null;
  /** The last event of the block before that one's. */
  before: Ref | null;
  /** Those after it in its block. */
  later: Ref[];
}

/**
 * Writes down the place of each process whose last copy came with the file. To be called once
 * everything is in the log. Doing it twice is doing it once.
 *
 * @returns The names of the processes that were given their place.
 */
export const carryPlaces = async (log: EventStore, plan: Plan): Promise<readonly string[]> => {
  const standings = await standingsIn(log, plan);
  if (standings.length === 0) return [];
  await findIn(plan, standings);

  const positionOf = async ({ stream, revision }: Ref): Promise<Position> => {
    const from = revision - plan.streams.get(stream)!.shift;
    const [event] = await log.readStream(stream, { from, limit: 1 });
    return event!.position;
  };
  const carried: string[] = [];
  for (const { name, at, before, later } of standings) {
    if (at === null) continue;
    let position: Position | null = await positionOf(at);
    for (const ref of later) {
      // It came here before: what precedes the whole block is precise enough.
      if (log.compare(await positionOf(ref), position) < 0)
        position = before && (await positionOf(before));
      if (position === null) break;
    }
    if (position === null) continue;
    await placeOf(name, log, systemClock).copy(position);
    carried.push(name);
  }
  return carried;
};

/** The processes whose last word in the log is a place in the log that was exported. */
const standingsIn = async (log: EventStore, { streams, header }: Plan): Promise<Standing[]> => {
  const own = await logIdentity(log);
  const standings: Standing[] = [];
  for (const stream of streams.keys()) {
    if (categoryOf(stream) !== PROCESS_CATEGORY) continue;
    const [last] = await log.readStream(stream, { backwards: true, limit: 1 });
    if (!last) continue;
    const { event } = processCodec.decode(last);
    if (event.type !== 'ProcessCheckpointed' || event.log === own) continue;
    if (event.log !== header.log) continue;
    const { position } = event;
    standings.push({ name: keyOf(stream), position, at: null, before: null, later: [] });
  }
  return standings;
};

const findIn = async (plan: Plan, standings: readonly Standing[]): Promise<void> => {
  const compare = comparisonIn(plan.header);
  let index = 0;
  let last: Ref | null = null;
  let endOfBlock: Ref | null = null;
  await contentsOf(plan.path, {
    eventsMax: plan.contents.seal.events,
    onEvent({ stream, revision, position }: StoredEvent) {
      const ref = { index, stream, revision };
      if (last && blockOf(last.index) !== blockOf(index)) endOfBlock = last;
      for (const standing of standings) {
        if (compare(position, standing.position) <= 0) {
          standing.at = ref;
          standing.before = endOfBlock;
        } else if (standing.at && blockOf(standing.at.index) === blockOf(index)) {
          standing.later.push(ref);
        }
      }
      last = ref;
      index += 1;
    },
  });
};

/** In the log that was exported, whatever keeps it. */
const comparisonIn = ({ keeping }: Header) =>
  keeping === 'eventstoredb' ? comparePositions : compareDense;
