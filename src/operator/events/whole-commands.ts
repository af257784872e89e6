import { EXPORT_SEALED_AT_ONCE } from '../limits.ts';
import type { EventStore, StoredEvent } from '../../engine/log/event-store.ts';

/** Events of one command in one stream, which the log has one after the other. */
export type Command = readonly StoredEvent[];

/**
 * Cuts batches of the log into the commands that appended the events. Holds back the last command
 * of a batch, of which the next one may have more; it is not given after an abort.
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

/** Events of the same command that precede this one in its stream. */
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
