/**
 * An organisation's uses in a month, in log order: from its own journal, and from indexed parts of
 * the shared journals.
 */
import type { Instant } from '../../engine/aggregates/decider.ts';
import { familyOfShared, SHARED_JOURNALS } from '../../domain/keys/shared-journals.ts';
import { useFamily, useJournal } from '../../domain/keys/journals.ts';
import { useIndexOf, type UsesIndexed } from '../../domain/keys/use-index.ts';
import { USE_INDEX_SECTION_RECORDS } from '../../limits.ts';
import { HISTORY_SEARCH_EVENTS_MAX } from './limits.ts';
import { lastOfChain } from '../../use-cases/keys/audit-chain.ts';
import { sharedJournalCodec, useIndexCodec } from '../../domain/keys/codecs.ts';
import {
  READ_PAGE_EVENTS,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';
import { JournalSearch, type Range } from './journal-search.ts';

export interface MonthOfUses {
  readonly organisation: string;
  readonly month: Instant;
  /** All existing shared journals. */
  readonly shared: readonly string[];
  /** Uses up to here are skipped; `null`: none. */
  readonly after: Position | null;
  /**
   * Uses after it are skipped, because other journals may have been read before they were recorded.
   */
  readonly until: Position | null;
  readonly isWanted: (stored: StoredEvent) => boolean;
}

/** A step through the journals: a matching record, or none in the searched part. */
export interface UseStep {
  readonly found: StoredEvent | null;
  /** Everything up to here has been returned. */
  readonly after: Position | null;
  /** Events read. */
  readonly searched: number;
}

/** Every shared journal ever opened. */
export const sharedJournals = async (log: EventStore): Promise<readonly string[]> => {
  const listed = await historyOf(log, sharedJournalCodec, SHARED_JOURNALS);
  return [...new Set(listed.flatMap(({ event }) => ('journal' in event ? event.journal : [])))];
};

/** Repeated records are returned once. @throws `LogUnavailable`. */
export async function* usesOfMonth(log: EventStore, month: MonthOfUses): AsyncGenerator<UseStep> {
  let searches = await searchesOf(log, month);
  const keyIds = new Set((await Promise.all(searches.map((one) => one.start(month.after)))).flat());
  for (;;) {
    searches = searches.filter(({ ended }) => !ended);
    // The search at the earliest position: no other has an earlier event.
    const [first] = searches.toSorted((a, b) => log.compare(a.at, b.at));
    if (!first || log.compare(first.at, month.until) > 0) return;
    const after = first.at;
    const found = first.take();
    if (found && !keyIds.has(found.id)) yield { found, after, searched: 0 };
    if (found) keyIds.add(found.id);
    else yield { found: null, after, searched: await first.readOn() };
  }
}

const searchesOf = async (
  log: EventStore,
  { organisation, month, shared, isWanted }: MonthOfUses,
): Promise<readonly JournalSearch[]> => {
  const { category, period } = useFamily(month);
  const journals = shared.filter((journal) => {
    const family = familyOfShared(journal);
    return family?.category === category && family.period === period;
  });
  // The end of each index, read before the index itself so that nothing is missed.
  const indexed = await Promise.all(journals.map((journal) => indexEnd(log, journal)));
  const index =
    journals.length === 0
      ? []
      : await historyOf(log, useIndexCodec, useIndexOf(organisation, period));
  const entries = index.map(({ event }) => event);
  // A page of each journal is read before the next event is known.
  const share = Math.ceil(HISTORY_SEARCH_EVENTS_MAX / 2 / (journals.length + 1));
  const pageMax = Math.min(READ_PAGE_EVENTS, share);
  const search = (journal: string, ranges: readonly Range[]) =>
    new JournalSearch(log, journal, { ranges, pageMax, isWanted });
  return [
    search(useJournal(organisation, month), [[0, Infinity]]),
    ...journals.map((journal, nth) => search(journal, rangesOf(entries, journal, indexed[nth]!))),
  ];
};

/** All sections before it are indexed. */
const indexEnd = async (log: EventStore, journal: string): Promise<number> => {
  const next = ((await lastOfChain(log, journal))?.links.at(-1)?.revision ?? -1) + 1;
  return next - (next % USE_INDEX_SECTION_RECORDS);
};

const rangesOf = (
  index: readonly UsesIndexed[],
  journal: string,
  upTo: number,
): readonly Range[] => {
  // Repeated index entries are equal.
  const sections = new Map(
    index
      .filter((one) => one.journal === journal && one.section * USE_INDEX_SECTION_RECORDS < upTo)
      .map(({ section, runs }) => [section, runs]),
  );
  const runs = [...sections].toSorted(([a], [b]) => a - b).flatMap(([, of]) => of);
  return [...runs.map(([first, last]): Range => [first, last + 1]), [upTo, Infinity]];
};
