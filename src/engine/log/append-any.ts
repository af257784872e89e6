import { WrongRevision, type Appended, type EventStore, type NewEvent } from './event-store.ts';

/**
 * Appends to a journal in one append; one by one if another process has stored some of the events.
 * Idempotent.
 *
 * @throws `LogUnavailable`.
 */
export const appendAny = async (
  log: Pick<EventStore, 'append'>,
  journal: string,
  events: readonly NewEvent[],
): Promise<readonly Appended[]> => {
  try {
    return [await log.append(journal, 'any', events)];
  } catch (error) {
    if (!(error instanceof WrongRevision) || events.length === 1) throw error;
    const appended: Appended[] = [];
    for (const event of events) appended.push(await log.append(journal, 'any', [event]));
    return appended;
  }
};
