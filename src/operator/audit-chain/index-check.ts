/**
 * Compares the index of a shared journal with the journal. The index is not chained: it is derived
 * from chained records. docs/decisions/0048 and 0055.
 */
import { isDeepStrictEqual } from 'node:util';
import { familyOfShared } from '../../domain/keys/shared-journals.ts';
import { useIndexOf, type UsesIndexed } from '../../domain/keys/use-index.ts';
import { USE_INDEX_SECTION_RECORDS } from '../../limits.ts';
import { runsIn, sectionOf } from '../../processes/keys/use-index.ts';
import { lastOfChain } from '../../use-cases/keys/audit-chain.ts';
import { isUnreadable } from '../../engine/log/codec.ts';
import { useIndexCodec } from '../../domain/keys/codecs.ts';
import type { EventStore } from '../../engine/log/event-store.ts';
import { historyOf } from '../../engine/log/history.ts';

/**
 * The differences between an index and the journal's records, one line each. A journal that is not
 * shared has no index.
 *
 * @throws `LogUnavailable`.
 */
export const checkIndex = async (log: EventStore, journal: string): Promise<readonly string[]> => {
  const family = familyOfShared(journal);
  if (family === null) return [];
  // Each section is indexed before it is chained.
  const chained = (await lastOfChain(log, journal))?.links.at(-1)?.revision ?? -1;
  const entries = new Map<string, Entries>();
  const lines: string[] = [];
  for (let section = 0; section < sectionOf(chained + 1); section += 1)
    for (const [organisation, runs] of await runsIn(log, journal, section)) {
      const index = useIndexOf(organisation, family.period);
      let indexed = entries.get(index);
      if (!indexed) {
        indexed = await entriesOf(log, index, journal);
        entries.set(index, indexed);
        if (indexed === 'unreadable') lines.push(`${index}: an entry cannot be read`);
      }
      if (indexed === 'unreadable') continue;
      const found = indexed.filter((one) => one.section === section);
      const from = section * USE_INDEX_SECTION_RECORDS;
      const to = from + USE_INDEX_SECTION_RECORDS - 1;
      const about = `revisions ${from} to ${to} of ${journal}`;
      if (found.length === 0) lines.push(`${index}: the entry for ${about} was removed`);
      else if (!found.every((one) => isDeepStrictEqual(one.runs, runs)))
        lines.push(`${index}: the entry for ${about} was changed`);
    }
  return lines;
};

type Entries = readonly UsesIndexed[] | 'unreadable';

const entriesOf = async (log: EventStore, index: string, journal: string): Promise<Entries> => {
  try {
    const entries = await historyOf(log, useIndexCodec, index);
    return entries.map(({ event }) => event).filter((event) => event.journal === journal);
  } catch (error) {
    if (isUnreadable(error)) return 'unreadable';
    throw error;
  }
};
