/** Parses an operator's selection of events. */
import { assertPositionIn, type EventStore, type Position } from '../../engine/log/event-store.ts';
import { UsageError } from '../operator-error.ts';

/** `a, b` as an operator writes it; `null`: all. */
export const categoriesOf = (text = ''): readonly string[] | null => {
  const names = text.split(',').map((part) => part.trim());
  const named = names.filter((name) => name !== '');
  return named.length === 0 ? null : named;
};

/**
 * Checked because a subscription waits, without an error, after a position that is unknown.
 *
 * @throws {@link UsageError} with the option's name if `text` is no position of this log;
 *   `LogUnavailable`.
 */
export const positionIn = async (
  log: EventStore,
  option: string,
  text: string,
): Promise<Position> => {
  try {
    const { events } = await log.readAll(text, { limit: 1 });
    if (events.length === 0) await assertPositionIn(log, text);
    return text;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${option}: ${error.message}`, error);
    throw error;
  }
};
