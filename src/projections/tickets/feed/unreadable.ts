import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { EventStore, Position, StoredEvent } from '../../../engine/log/event-store.ts';
import { keyOf } from '../../../engine/log/streams.ts';

/**
 * A skipped command whose changes cannot be decoded. Only its position is returned: the ticket's
 * state after it is unknown.
 */
export interface UnreadableChange {
  readonly change: 'unreadable';
  /** Log position of the command's last event. */
  readonly position: Position;
  /** Revision of the command's last event. */
  readonly revision: number;
  readonly at: Instant;
  readonly ticketId: string;
}

/**
 * By the revision of its last event, each command on a ticket from `from` on.
 *
 * @param events Of one ticket, in order and without a gap.
 * @throws `LogUnavailable`.
 */
export const unreadableIn = async (
  log: Pick<EventStore, 'readStream'>,
  events: readonly StoredEvent[],
  from: number,
): Promise<ReadonlyMap<number, UnreadableChange>> => {
  const last = events.at(-1)!;
  // Whether the last event's command continues.
  const [next] = await log.readStream(last.stream, { from: last.revision + 1, limit: 1 });
  const found = new Map<number, UnreadableChange>();
  for (const [at, event] of events.entries()) {
    if (event.revision < from || isSameCommand(event, events[at + 1] ?? next)) continue;
    found.set(event.revision, unreadableAt(event));
  }
  return found;
};

/** Metadata of other programs may name no command: then each event is its own. */
const isSameCommand = ({ meta }: StoredEvent, next: StoredEvent | undefined): boolean =>
  next !== undefined && !!meta['commandId'] && meta['commandId'] === next.meta['commandId'];

const unreadableAt = (event: StoredEvent): UnreadableChange => {
  const { stream, revision, position } = event;
  const ticketId = keyOf(stream);
  return { change: 'unreadable', position, revision, at: instantOf(event), ticketId };
};

/** The time in the event's metadata if it is valid, else the time of recording. */
export const instantOf = ({ meta, recordedAt }: StoredEvent): Instant => {
  const ms = typeof meta['at'] === 'string' ? Date.parse(meta['at']) : Number.NaN;
  return Number.isNaN(ms) ? recordedAt : new Date(ms).toISOString();
};
