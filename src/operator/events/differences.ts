/** Whether what is in the log already is what the file says. */
import { IMPORT_NAMED_MAX_EVENTS } from '../../limits.ts';
import type { EventStore, StoredEvent } from '../../store/event-store.ts';
import { contentsOf } from './contents.ts';
import { storedUpTo, type Plan, type PlannedStream } from './plan.ts';
import { OperatorError } from '../operator-error.ts';
import { Tally } from './tally.ts';

/**
 * @throws {@link OperatorError} if a stream of the log is not the beginning of the file's; it names
 *   the first difference.
 */
export const checkSame = async (log: EventStore, plan: Plan): Promise<void> => {
  const partly = new Map<string, Tally>();
  const unlike: string[] = [];
  for (const [stream, its] of plan.streams) {
    if (its.found.count === 0) continue;
    if (its.found.count === its.wanted.count) {
      if (!its.found.equals(its.wanted)) unlike.push(stream);
    } else partly.set(stream, new Tally());
  }
  if (partly.size > 0) {
    await contentsOf(plan.path, {
      eventsMax: plan.contents.seal.events,
      onEvent(event) {
        const tally = partly.get(event.stream);
        if (tally && event.revision < storedUpTo(plan.streams.get(event.stream)!))
          tally.add(event, event.revision);
      },
    });
    for (const [stream, tally] of partly)
      if (!plan.streams.get(stream)!.found.equals(tally)) unlike.push(stream);
  }
  if (unlike.length === 0) return;
  const first = unlike[0]!;
  const where = await differenceIn(log, plan, first);
  const more = unlike.length > 1 ? `; ${unlike.length - 1} more streams differ` : '';
  throw new OperatorError(`the log is not what the file is to bring: ${where}${more}`);
};

/**
 * Streams that begin later than at revision 0 follow on what the log holds, or have lost their
 * beginning for good.
 *
 * @throws {@link OperatorError} with a list of those that nothing in the log leads up to.
 */
export const checkBeginnings = ({ streams, header }: Plan): void => {
  const without = [...streams].filter(([, its]) => {
    const { first, shift, below, found } = its;
    return shift === 0 && first > 0 && below < first && found.count === 0;
  });
  if (without.length === 0) return;
  const listed = without
    .slice(0, IMPORT_NAMED_MAX_EVENTS)
    .map(([stream, { first, below }]) => `  ${stream}: from ${first}; the log has ${below}`);
  const more = without.length - listed.length;
  const advice =
    header.after === null
      ? 'their beginnings were removed from the log that was exported: --renumber imports them ' +
        'from revision 0 on'
      : `this file goes on after ${header.after}: import the one before it first`;
  throw new OperatorError(
    [
      `${without.length} streams do not begin at revision 0, and ${advice}`,
      ...listed,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join('\n'),
  );
};

/** In words, the first event of `stream` in which log and file differ. */
const differenceIn = async (log: EventStore, plan: Plan, stream: string): Promise<string> => {
  const its: PlannedStream = plan.streams.get(stream)!;
  const inFile: StoredEvent[] = [];
  await contentsOf(plan.path, {
    eventsMax: plan.contents.seal.events,
    onEvent(event) {
      if (event.stream === stream) inFile.push(event);
    },
  });
  for (let at = 0; at < inFile.length;) {
    const stored = await log.readStream(stream, { from: its.first + at - its.shift });
    for (const event of stored) {
      const wanted = inFile[at];
      if (!wanted) break;
      const what = unlikeness(wanted, event);
      if (what) return `${stream}, revision ${event.revision}: ${what}`;
      at += 1;
    }
    if (stored.length === 0) break;
  }
  return stream;
};

const textOf = (value: unknown): string => JSON.stringify(value);

const unlikeness = (wanted: StoredEvent, found: StoredEvent): string | null => {
  const nameOf = ({ type, id }: StoredEvent) => `${type} ${id}`;
  if (nameOf(wanted) !== nameOf(found))
    return `the file has ${nameOf(wanted)}, the log ${nameOf(found)}`;
  if (textOf(wanted.data) !== textOf(found.data)) return `${nameOf(found)} has other data`;
  if (textOf(wanted.meta) !== textOf(found.meta)) return `${nameOf(found)} has other metadata`;
  return null;
};
