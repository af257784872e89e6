/** Parses an operator's selection of events. */
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { UsageError } from '../operator-error.ts';

/** `a, b` as an operator writes it; `null`: all. */
export const categoriesOf = (text = ''): readonly string[] | null => {
  const names = text.split(',').map((part) => part.trim());
  const named = names.filter((name) => name !== '');
  return named.length === 0 ? null : named;
};

/** @throws {@link OperatorError} with the option's name if `text` is not a position of this log. */
export const positionIn = (log: EventStore, option: string, text: string): Position => {
  try {
    log.compare(text, null);
    return text;
  } catch (error) {
    throw new UsageError(`${option}: ${(error as Error).message}`, error);
  }
};
