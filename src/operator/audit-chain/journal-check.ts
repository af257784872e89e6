import type { Instant } from '../../engine/aggregates/decider.ts';
import {
  chainFrom,
  chainStart,
  lastOfChain,
  linkOf,
  type ChainedLinks,
  type Link,
} from '../../use-cases/keys/audit-chain.ts';
import type { EventStore, Position, StoredEvent } from '../../engine/log/event-store.ts';
import { pagesOf } from '../../engine/log/history.ts';
import { Comparison, type Difference } from './comparison.ts';
import { FoldCheck, type Divergence, type KnownHead } from './fold-check.ts';

/** A journal in a checkpoint. */
export interface CheckpointedJournal {
  readonly journal: string;
  readonly records: number;
  /** The last one is the chain's end at the time of the checkpoint. */
  readonly heads: readonly KnownHead[];
}

export interface JournalCheckParts {
  readonly log: Pick<EventStore, 'readStream' | 'compare'>;
  /** Every record up to here is chained; `null`: the follower has not started. */
  readonly followed: Position | null;
  /** The checkpoint to compare with, and its time. */
  readonly against: (CheckpointedJournal & { readonly madeAt: Instant }) | null;
}

export interface JournalFindings {
  /** Chained records. */
  readonly chained: number;
  /** Records that are not chained yet. */
  readonly waiting: number;
  /** Findings, one line each. */
  readonly differences: readonly string[];
}

/**
 * Reads a journal together with its chain. All records up to `followed` must be chained in the log;
 * records that are appended meanwhile are counted as waiting.
 */
export const checkJournal = async (
  journal: string,
  { log, followed, against }: JournalCheckParts,
): Promise<JournalFindings> => {
  const heads = against?.heads ?? [];
  const ofRecords = new FoldCheck(chainStart(journal), heads);
  const ofChain = new FoldCheck(chainStart(journal), heads);
  const comparison = new Comparison(journal);
  const unfollowed: number[] = [];
  let [chained, waiting, records] = [0, 0, 0];
  let broken: string | null = null;
  let before: ChainedLinks | null = null;

  const source = recordsOf(log, journal);
  const next = async (): Promise<FoundRecord | null> => {
    const { done, value } = await source.next();
    if (done) return null;
    records += 1;
    const found = { ...linkOf(value), position: value.position };
    ofRecords.add(found);
    return found;
  };

  // A record is stored before its link, so the chain's end is looked up before any record is read.
  const end = (await lastOfChain(log, journal))?.revision ?? -1;
  let record = await next();
  for await (const block of chainFrom(log, journal)) {
    if (block.revision > end) break;
    const follows = followsFrom(before, block);
    for (const link of block.links) {
      for (; record && record.revision < link.revision; record = await next())
        comparison.between(record);
      const isHere = record?.revision === link.revision;
      comparison.link(link, isHere ? record : null);
      if (isHere) record = await next();
      ofChain.add(link);
      chained += 1;
    }
    if (!follows || !ofChain.head.equals(block.head))
      broken ??= `the chain of ${journal} was changed at its revision ${block.revision}`;
    before = block;
  }
  for (; record; record = await next()) {
    if (comparison.after(record)) continue;
    waiting += 1;
    if (log.compare(record.position, followed) <= 0) unfollowed.push(record.revision);
  }

  const wrong = [
    ...(broken === null ? [] : [broken]),
    ...(unfollowed.length === 0 ? [] : [unfollowedLine(journal, unfollowed)]),
  ];
  const divergences = { ofRecords: ofRecords.end(), ofChain: ofChain.end() };
  const lastLink = before?.links.at(-1)?.revision ?? -1;
  const isMissing = records === 0 && (chained > 0 || heads.length > 0);
  return {
    chained,
    waiting,
    differences: isMissing
      ? [`${journal} is missing: ${Math.max(chained, against?.records ?? 0)} records`]
      : [
          ...differencesOf(comparison.differences(), against, divergences),
          ...againstLines(journal, against, divergences, lastLink),
          ...wrong,
        ],
  };
};

type FoundRecord = Link & Pick<StoredEvent, 'position'>;

interface Divergences {
  readonly ofRecords: Divergence | null;
  readonly ofChain: Divergence | null;
}

/** Records that produce the checkpoint's hash are unchanged, even if the chain differs. */
const differencesOf = (
  found: readonly Difference[],
  against: JournalCheckParts['against'],
  { ofRecords }: Divergences,
): readonly string[] => {
  const proven = against && !ofRecords ? (against.heads.at(-1)?.revision ?? -1) : -1;
  return found.filter(({ revision }) => revision > proven).map(({ line }) => line);
};

const againstLines = (
  journal: string,
  against: JournalCheckParts['against'],
  { ofRecords, ofChain }: Divergences,
  lastLink: number,
): readonly string[] => {
  if (!against || !ofChain) return [];
  const { madeAt, heads } = against;
  const last = heads.at(-1)!.revision;
  if (!ofRecords)
    return [
      `the chain of ${journal} is not that of the checkpoint of ${madeAt}; its records up to ` +
        `revision ${last} are`,
    ];
  const where = `between revisions ${(ofRecords.after ?? -1) + 1} and ${ofRecords.upTo}`;
  return ofRecords.upTo > lastLink
    ? [
        `${journal} was cut, and its chain too: the checkpoint of ${madeAt} goes up to ` +
          `revision ${last}, the chain up to ${lastLink < 0 ? 'none' : lastLink}`,
      ]
    : [
        `${journal} was rewritten ${where}, and its chain too: they do not lead to the ` +
          `checkpoint of ${madeAt}`,
      ];
};

const unfollowedLine = (journal: string, revisions: readonly number[]): string =>
  `${journal}: ${revisions.length} records from revision ${revisions[0]!} on are in no ` +
  'chain, though what lies about them in the log is';

/** The chain's stream has no gap, and no record occurs twice. */
const followsFrom = (before: ChainedLinks | null, { revision, links }: ChainedLinks): boolean => {
  const last = before?.links.at(-1)?.revision ?? -1;
  return revision === (before?.revision ?? -1) + 1 && links.length > 0 && links[0]!.revision > last;
};

async function* recordsOf(
  log: Pick<EventStore, 'readStream'>,
  journal: string,
): AsyncGenerator<StoredEvent, void, undefined> {
  for await (const page of pagesOf(log, journal)) yield* page;
}
