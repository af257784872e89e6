import { EXPORT_SEALED_AT_ONCE } from '../limits.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';

/** Events of one command in one stream, which are consecutive in the log. */
export type Command = readonly StoredEvent[];

/**
 * Groups batches of the log by the commands that appended the events. Holds back the last command
 * of a batch, which may continue in the next batch; after an abort it is not returned.
 */
export async function* wholeCommands(
  batches: AsyncIterable<readonly StoredEvent[]>,
  signal: AbortSignal,
): AsyncGenerator<readonly Command[]> {
  let last: StoredEvent[] = [];
  for await (const events of batches) {
    let commands: Command[] = [];
    for (const event of events) {
      if (last.length > 0 && !isOfCommand(last[0]!, event)) {
        commands.push(last);
        last = [];
      }
      last.push(event);
      if (commands.length === EXPORT_SEALED_AT_ONCE) {
        yield commands;
        commands = [];
      }
    }
    if (commands.length > 0) yield commands;
  }
  if (last.length > 0 && !signal.aborted) yield [last];
}

/** The events of the same command before this one in its stream. */
export const earlierOf = async (
  log: Pick<EventStore, 'readStream'>,
  first: StoredEvent,
): Promise<Command> => {
  const earlier: StoredEvent[] = [];
  for (let next = first.revision - 1; next >= 0;) {
    const page = await log.readStream(first.stream, { from: next, backwards: true });
    for (const event of page) {
      if (!isOfCommand(first, event)) return earlier;
      earlier.unshift(event);
    }
    if (page.length === 0) return earlier;
    next = page.at(-1)!.revision - 1;
  }
  return earlier;
};

const isOfCommand = (a: StoredEvent, b: StoredEvent): boolean =>
  a.stream === b.stream &&
  a.meta['commandId'] !== undefined &&
  a.meta['commandId'] === b.meta['commandId'];
