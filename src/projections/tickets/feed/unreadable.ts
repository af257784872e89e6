import type { Instant } from '../../../engine/aggregates/decider.ts';
import type { EventStore, Position, StoredEvent } from '../../../engine/log/event-store.ts';
import { keyOf } from '../../../engine/log/streams.ts';

/**
 * A command on a ticket whose changes cannot be shown any more, and which an operator has had the
 * feed pass over. Nothing is told of it but where it stands: what the ticket is from there on, this
 * release cannot say.
 */
export interface UnreadableChange {
  readonly change: 'unreadable';
  /** Of the command's last event; its place in the order of the log. */
  readonly position: Position;
  /** Of the command's last event in the ticket's stream. */
  readonly revision: number;
  readonly at: Instant;
  readonly ticketId: string;
}

/**
 * By the revision of its last event, each command on a ticket from `from` on.
 *
 * @param events Some of one ticket's, in their order and without a gap.
 * @throws `LogUnavailable`.
 */
export const unreadableIn = async (
  log: Pick<EventStore, 'readStream'>,
  events: readonly StoredEvent[],
  from: number,
): Promise<ReadonlyMap<number, UnreadableChange>> => {
  const last = events.at(-1)!;
  // Whether the last one's command goes on.
  const [next] = await log.readStream(last.stream, { from: last.revision + 1, limit: 1 });
  const found = new Map<number, UnreadableChange>();
  for (const [at, event] of events.entries()) {
    if (event.revision < from || isSameCommand(event, events[at + 1] ?? next)) continue;
    found.set(event.revision, unreadableAt(event));
  }
  return found;
};

/** Other programs may have written metadata that names no command: each event is one then. */
const isSameCommand = ({ meta }: StoredEvent, next: StoredEvent | undefined): boolean =>
  next !== undefined && !!meta['commandId'] && meta['commandId'] === next.meta['commandId'];

const unreadableAt = (event: StoredEvent): UnreadableChange => {
  const { stream, revision, position } = event;
  const ticketId = keyOf(stream);
  return { change: 'unreadable', position, revision, at: instantOf(event), ticketId };
};

/** When it happened, as far as what stands beside an event that cannot be read is a time. */
export const instantOf = ({ meta, recordedAt }: StoredEvent): Instant => {
  const ms = typeof meta['at'] === 'string' ? Date.parse(meta['at']) : Number.NaN;
  return Number.isNaN(ms) ? recordedAt : new Date(ms).toISOString();
};
