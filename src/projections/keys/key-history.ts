import { startOfMonth } from '../../domain/calendar.ts';
import type { Instant } from '../../domain/decider.ts';
import type { KeyringEvent } from '../../domain/keyring/events.ts';
import { useJournal } from '../../domain/keyring/journals.ts';
import { auditKeptSince, isAuditKept } from '../../domain/retention/retention.ts';
import { HISTORY_SEARCH_EVENTS_MAX, LOG_REPEAT_SEARCH_EVENTS } from '../../limits.ts';
import type { Recorded } from '../../store/codec.ts';
import { keyUseCodec } from '../../store/codecs.ts';
import type { EventStore } from '../../store/event-store.ts';
import { pagesOf } from '../../store/history.ts';
import { auditRowOf, type AuditRow } from './key-audit.ts';

/** How far a history has been read. */
export interface HistoryPlace {
  /** Facts of the keyring that have been told. */
  readonly facts: number;
  /** The journal of uses that comes next, by the first instant of its month. */
  readonly month: Instant;
  /** The revision in it that comes next. */
  readonly from: number;
}

export interface HistoryPage {
  readonly rows: readonly AuditRow[];
  /** `null`: there is nothing more as of now. */
  readonly next: HistoryPlace | null;
}

export interface HistoryQuery {
  readonly organisation: string;
  readonly keyId: string;
  /** What the keyring holds about the key, oldest first: its issuance, its revocation. */
  readonly facts: readonly Recorded<KeyringEvent>[];
  readonly now: Instant;
  /** `null`: from the start. */
  readonly place: HistoryPlace | null;
  readonly limit: number;
}

/** A step through a history: a record, or none where many events were of other keys. */
interface Step {
  readonly row: AuditRow | null;
  readonly after: HistoryPlace;
  readonly searched: number;
}

/**
 * A key's records from the log itself, in its order: issuance and revocation of any age, uses of
 * the last 18 months before `now`. Their times do not tell that order, because a use that
 * another process records while the key is being revoked may say a later one. A page may be
 * short, or empty, before the end, because the journals hold the uses of all the organisation's
 * keys and one call searches {@link HISTORY_SEARCH_EVENTS_MAX} of them at most: go on from
 * `next`.
 *
 * @throws `LogUnavailable`.
 */
export const keyHistory = async (log: EventStore, query: HistoryQuery): Promise<HistoryPage> => {
  const rows: AuditRow[] = [];
  let next: HistoryPlace | null = query.place;
  for await (const { row, after, searched } of steps(log, query)) {
    if (row && rows.length === query.limit) return { rows, next };
    if (row) rows.push(row);
    // Where the page is full, what comes next is only looked at to know that there is more.
    if (row || rows.length < query.limit) next = after;
    if (searched >= HISTORY_SEARCH_EVENTS_MAX) return { rows, next };
  }
  return { rows, next: null };
};

async function* steps(log: EventStore, query: HistoryQuery): AsyncGenerator<Step> {
  const { organisation, keyId, facts, now } = query;
  const since = auditKeptSince(now);
  const issuedAt = facts[0]?.at ?? since;
  const first = startOfMonth(issuedAt > since ? issuedAt : since);
  const place = query.place ?? { facts: 0, month: first, from: 0 };
  let told = place.facts;
  let { month, from } = place.month < first ? { month: first, from: 0 } : place;
  let searched = 0;
  const after = (): HistoryPlace => ({ facts: told, month, from });

  for (; month <= now; month = startOfMonth(month, 1), from = 0) {
    const journal = useJournal(organisation, month);
    const seen = await idsBefore(log, journal, from);
    for await (const page of pagesOf(log, journal, from)) {
      for (const stored of page) {
        searched += 1;
        const isIts = (stored.data as { readonly keyId?: unknown }).keyId === keyId;
        const use = isIts && !seen.has(stored.id) ? keyUseCodec.decode(stored) : null;
        seen.add(stored.id);
        if (use && isAuditKept(use.at, now)) {
          for (; told < facts.length && log.compare(facts[told]!.position, use.position) < 0;)
            yield { row: auditRowOf(facts[told++]!), after: after(), searched };
          from = stored.revision + 1;
          yield { row: auditRowOf(use), after: after(), searched };
        }
        from = stored.revision + 1;
      }
      yield { row: null, after: after(), searched };
    }
  }
  while (told < facts.length) yield { row: auditRowOf(facts[told++]!), after: after(), searched };
}

/** What a repeat would repeat: the ids just before `from`. */
const idsBefore = async (log: EventStore, journal: string, from: number): Promise<Set<string>> => {
  if (from === 0) return new Set();
  const start = Math.max(0, from - LOG_REPEAT_SEARCH_EVENTS);
  const events = await log.readStream(journal, { from: start, limit: from - start });
  return new Set(events.filter(({ revision }) => revision < from).map(({ id }) => id));
};
