import type { AppendRequest } from '../../../engine/log/backend.ts';
import type { Position, StoredEvent } from '../../../engine/log/event-store.ts';

/**
 * Calls of the log that hold together: between two of them that were answered over one connection,
 * the log that answers has only grown. All of it is in one order, and what is read of it is stored
 * for good; but a server that was deposed and does not know it may show less than there is.
 */
export interface Channel {
  /** Another number as soon as the next call may be answered by another server. */
  readonly connection: number;
  /**
   * Does `work` until it succeeds, again and again while the log cannot be reached.
   *
   * @throws `LogUnavailable` when `withinMs` are over; whatever else `work` throws that would be
   *   the same the next time.
   */
  ask<T>(what: string, withinMs: number, work: (calls: Calls) => Promise<T>): Promise<T>;
}

/** What is done once. A failure says nothing of whether it was stored. */
export interface Calls {
  /** @throws `WrongRevision`: nothing was stored. */
  append(
    request: Pick<AppendRequest, 'stream' | 'events'> & { readonly expected: number | 'any' },
  ): Promise<{ readonly revision: number; readonly position: Position }>;
  /** Oldest first from `from` on, to the end. */
  read(stream: string, from: number): Promise<readonly StoredEvent[]>;
  /** `null`: it does not exist. */
  revisionOf(stream: string): Promise<number | null>;
}

/** A server shows less of the log than is known to be there: ask again, and perhaps another one. */
export class ShownTooLittle extends Error {
  constructor(stream: string) {
    super(`${stream} is not shown as far as it goes`);
    this.name = 'ShownTooLittle';
  }
}
