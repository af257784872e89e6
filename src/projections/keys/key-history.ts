import { startOfMonth } from '../../engine/time/calendar.ts';
import type { Instant } from '../../engine/aggregates/decider.ts';
import type { KeyringEvent } from '../../domain/keys/events.ts';
import { auditKeptSince, isAuditKept } from '../../domain/keys/retention.ts';
import { HISTORY_SEARCH_EVENTS_MAX } from './limits.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import { keyUseCodec } from '../../domain/keys/codecs.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { auditRowOf, type AuditRow } from './key-audit.ts';
import { sharedJournals, usesOfMonth } from './uses-of-month.ts';

/** The position of a history's reader. */
export interface HistoryCursor {
  /** Number of the keyring's facts returned so far. */
  readonly facts: number;
  /** The month of the next journals of uses, by its first instant. */
  readonly month: Instant;
  /** Position in that month; `null`: its beginning. */
  readonly after: Position | null;
}

export interface HistoryPage {
  readonly rows: readonly AuditRow[];
  /** `null`: no more records now. */
  readonly next: HistoryCursor | null;
}

export interface HistoryQuery {
  readonly organisation: string;
  readonly keyId: string;
  /** The keyring's facts about the key, oldest first: its issuance, its revocation. */
  readonly facts: readonly Recorded<KeyringEvent>[];
  readonly now: Instant;
  /** `null`: from the start. */
  readonly place: HistoryCursor | null;
  readonly limit: number;
}

/** A step through a history: a record, or none after a search of other keys' events. */
interface Step {
  readonly row: AuditRow | null;
  readonly after: HistoryCursor;
  readonly searched: number;
}

/**
 * A key's records from the log itself, in its order: issuance and revocation of any age, uses of
 * the last 18 months before `now`. Their times may be out of order, because another process may
 * record a use with a later time while the key is being revoked. A page may be short, or empty,
 * before the end: the journals hold the uses of all the organisation's keys, and one call searches
 * little more than {@link HISTORY_SEARCH_EVENTS_MAX} of them. Continue from `next`, which is after
 * `place`. Records appended during the call are not returned.
 *
 * @throws `LogUnavailable`.
 */
export const keyHistory = async (log: EventStore, query: HistoryQuery): Promise<HistoryPage> => {
  const rows: AuditRow[] = [];
  let next: HistoryCursor | null = query.place;
  const isFurther = () => next?.month !== query.place?.month || next?.after !== query.place?.after;
  for await (const { row, after, searched } of steps(log, query)) {
    if (row && rows.length === query.limit) return { rows, next };
    if (row) rows.push(row);
    // On a full page, the next record only shows that there is more.
    if (row || rows.length < query.limit) next = after;
    if (searched >= HISTORY_SEARCH_EVENTS_MAX && isFurther()) return { rows, next };
  }
  return { rows, next: null };
};

async function* steps(log: EventStore, query: HistoryQuery): AsyncGenerator<Step> {
  const { organisation, keyId, facts, now } = query;
  const since = auditKeptSince(now);
  const issuedAt = facts[0]?.at ?? since;
  const first = startOfMonth(issuedAt > since ? issuedAt : since);
  const place = query.place ?? { facts: 0, month: first, after: null };
  let factsRead = place.facts;
  let { month, after } = place.month < first ? { month: first, after: null } : place;
  let searched = 0;
  const reached = (): HistoryCursor => ({ facts: factsRead, month, after });
  const isWanted = ({ data }: StoredEvent) =>
    (data as { readonly keyId?: unknown }).keyId === keyId;
  // Journals are read one after the other, so all are read up to the same position.
  const { position: until } = await log.head();
  const shared = await sharedJournals(log);

  // The last moment of a month may be recorded in a journal of the next one.
  for (; month <= startOfMonth(now, 1); month = startOfMonth(month, 1), after = null) {
    const ofMonth = { organisation, month, shared, after, until, isWanted };
    for await (const step of usesOfMonth(log, ofMonth)) {
      searched += step.searched;
      const use = step.found && keyUseCodec.decode(step.found);
      if (use && isAuditKept(use.at, now)) {
        for (
          ;
          factsRead < facts.length && log.compare(facts[factsRead]!.position, use.position) < 0;
        )
          yield { row: auditRowOf(facts[factsRead++]!), after: reached(), searched };
        ({ after } = step);
        yield { row: auditRowOf(use), after: reached(), searched };
      } else {
        ({ after } = step);
        yield { row: null, after: reached(), searched };
      }
    }
  }
  while (factsRead < facts.length)
    yield { row: auditRowOf(facts[factsRead++]!), after: reached(), searched };
}
