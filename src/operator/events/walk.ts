import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { isOwn } from '../../engine/log/log-identity.ts';
import { removedEventsFilter } from './without-removed.ts';

export interface Walk {
  readonly after: Position | null;
  /** Default: the end of the log when the walk begins. */
  readonly until?: Position | null;
  /** `null`: all. */
  readonly categories: readonly string[] | null;
  /** Include removed events that the log still returns. Default false. */
  readonly removedToo?: boolean;
  readonly signal: AbortSignal;
  /** Called with the completed share, 0 to 1; `null`: unknown. */
  readonly onShare?: (share: number | null) => void;
}

/**
 * The events of the log in its order, without the log's own streams. Holds one batch at a time.
 * Ends early, without an error, when `signal` aborts.
 *
 * @throws As `EventStore.subscribe`; {@link LogUnavailable} if the log cannot be reached at the
 *   start.
 */
export async function* walked(
  log: EventStore,
  { after, until, categories, removedToo = false, signal, onShare = () => {} }: Walk,
): AsyncGenerator<readonly StoredEvent[]> {
  const end = until === undefined ? (await log.head()).position : until;
  if (end === null || log.compare(after, end) >= 0) return;
  const withoutRemoved = removedEventsFilter(log);
  const options = { signal, ...(categories ? { categories } : {}) };
  for await (const { events, upTo } of log.subscribe(after, options)) {
    const page = events.filter(
      ({ stream, position }) => !isOwn(stream) && log.compare(position, end) <= 0,
    );
    if (page.length > 0) yield removedToo ? page : await withoutRemoved(page);
    onShare(shareOf(after, upTo, end));
    if (log.compare(upTo, end) >= 0) return;
  }
}

/**
 * An estimate for display only: positions are opaque, but their leading number grows with the log
 * in every backend.
 */
const shareOf = (after: Position | null, at: Position, end: Position): number | null => {
  const [from, now, to] = [after ?? '0', at, end].map((position) => Number.parseInt(position, 10));
  const share = (now! - from!) / (to! - from!);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : null;
};
