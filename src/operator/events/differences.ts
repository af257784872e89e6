/** Checks that the events already in the log are those of the file. */
import { IMPORT_NAMED_MAX_EVENTS } from '../limits.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';
import { contentsOf } from './contents.ts';
import { storedUpTo, type Plan, type PlannedStream } from './plan.ts';
import { OperatorError } from '../operator-error.ts';
import { EventDigest } from './event-digest.ts';

/**
 * @throws {@link OperatorError} with the first difference, if a stream in the log is no prefix of
 *   that in the file.
 */
export const checkSame = async (log: EventStore, plan: Plan): Promise<void> => {
  const partial = new Map<string, EventDigest>();
  const different: string[] = [];
  for (const [stream, planned] of plan.streams) {
    if (planned.found.count === 0) continue;
    if (planned.found.count === planned.expected.count) {
      if (!planned.found.equals(planned.expected)) different.push(stream);
    } else partial.set(stream, new EventDigest());
  }
  if (partial.size > 0) {
    await contentsOf(plan.path, {
      eventsMax: plan.contents.checksum.events,
      onEvent(event) {
        const digest = partial.get(event.stream);
        if (digest && event.revision < storedUpTo(plan.streams.get(event.stream)!))
          digest.add(event, event.revision);
      },
    });
    for (const [stream, digest] of partial)
      if (!plan.streams.get(stream)!.found.equals(digest)) different.push(stream);
  }
  if (different.length === 0) return;
  const first = different[0]!;
  const where = await differenceIn(log, plan, first);
  const more = different.length > 1 ? `; ${different.length - 1} more streams differ` : '';
  throw new OperatorError(`the log differs from the file: ${where}${more}`);
};

/**
 * A stream that does not begin at revision 0 must continue one in this log; otherwise its beginning
 * had been removed from the exported log.
 *
 * @throws {@link OperatorError} with the streams that continue no stream of the log.
 */
export const checkBeginnings = ({ streams, header }: Plan): void => {
  const without = [...streams].filter(([, planned]) => {
    const { first, shift, below, found } = planned;
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

/** Describes the first event of `stream` in which log and file differ. */
const differenceIn = async (log: EventStore, plan: Plan, stream: string): Promise<string> => {
  const planned: PlannedStream = plan.streams.get(stream)!;
  const inFile: StoredEvent[] = [];
  await contentsOf(plan.path, {
    eventsMax: plan.contents.checksum.events,
    onEvent(event) {
      if (event.stream === stream) inFile.push(event);
    },
  });
  for (let at = 0; at < inFile.length;) {
    const stored = await log.readStream(stream, { from: planned.first + at - planned.shift });
    for (const event of stored) {
      const expected = inFile[at];
      if (!expected) break;
      const what = differenceBetween(expected, event);
      if (what) return `${stream}, revision ${event.revision}: ${what}`;
      at += 1;
    }
    if (stored.length === 0) break;
  }
  return stream;
};

const jsonOf = (value: unknown): string => JSON.stringify(value);

const differenceBetween = (expected: StoredEvent, found: StoredEvent): string | null => {
  const nameOf = ({ type, id }: StoredEvent) => `${type} ${id}`;
  if (nameOf(expected) !== nameOf(found))
    return `the file has ${nameOf(expected)}, the log ${nameOf(found)}`;
  if (jsonOf(expected.data) !== jsonOf(found.data)) return `${nameOf(found)} has other data`;
  if (jsonOf(expected.meta) !== jsonOf(found.meta)) return `${nameOf(found)} has other metadata`;
  return null;
};
