import type { EventStore, Position, StoredEvent } from '../../store/event-store.ts';
import { isOwn } from '../../store/log-identity.ts';
import { presentIn } from './present.ts';

export interface Walk {
  readonly after: Position | null;
  /** Default: the end of the log when the walk begins. */
  readonly until?: Position | null;
  /** `null`: all. */
  readonly categories: readonly string[] | null;
  /** Also what has been removed and is shown all the same. Default false. */
  readonly removedToo?: boolean;
  readonly signal: AbortSignal;
  /** How far of the way lies behind: 0 to 1, `null` where nothing tells. */
  readonly onShare?: (share: number | null) => void;
}

/**
 * What is in the log, in its order, without what it knows about itself. Holds one batch at a time.
 * Ends early, without an error, when `signal` aborts.
 *
 * @throws As `EventStore.subscribe`; {@link LogUnavailable} if the log cannot be reached at first.
 */
export async function* walked(
  log: EventStore,
  { after, until, categories, removedToo = false, signal, onShare = () => {} }: Walk,
): AsyncGenerator<readonly StoredEvent[]> {
  const end = until === undefined ? (await log.head()).position : until;
  if (end === null || log.compare(after, end) >= 0) return;
  const present = presentIn(log);
  const options = { signal, ...(categories ? { categories } : {}) };
  for await (const { events, upTo } of log.subscribe(after, options)) {
    const mine = events.filter(
      ({ stream, position }) => !isOwn(stream) && log.compare(position, end) <= 0,
    );
    if (mine.length > 0) yield removedToo ? mine : await present(mine);
    onShare(shareOf(after, upTo, end));
    if (log.compare(upTo, end) >= 0) return;
  }
}

/**
 * For the eye alone. Positions are opaque, but in every backend the number they begin with grows
 * with what was written.
 */
const shareOf = (after: Position | null, at: Position, end: Position): number | null => {
  const [from, now, to] = [after ?? '0', at, end].map((position) => Number.parseInt(position, 10));
  const share = (now! - from!) / (to! - from!);
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : null;
};
