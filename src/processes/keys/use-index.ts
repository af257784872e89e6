/** The index of shared journals by organisation. docs/decisions/0055. */
import { v5 as uuidFrom } from 'uuid';
import { familyOfShared } from '../../domain/keys/shared-journals.ts';
import { useIndexOf } from '../../domain/keys/use-index.ts';
import {
  READ_PAGE_EVENTS,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../engine/log/event-store.ts';
import { LOG_GROUPS_IN_ALL_MAX } from '../../engine/limits.ts';
import { USE_INDEX_SECTION_RECORDS } from '../../limits.ts';
import { USE_INDEX_GAP_RECORDS } from './limits.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { forEachConcurrently } from '../../engine/concurrency/semaphore.ts';
import { useIndexCodec } from '../../domain/keys/codecs.ts';

/** The first and the last revision of uses that are read together. */
export type Run = [first: number, last: number];

/**
 * Indexes the sections of a shared journal that are complete once it is chained up to `next`.
 * Repeating it appends equal entries.
 *
 * @param from Revision up to which it was chained before.
 * @throws `LogUnavailable`.
 */
export const indexSections = async (
  {
    log,
    clock,
  }: { readonly log: Pick<EventStore, 'append' | 'readStream'>; readonly clock: Clock },
  journal: string,
  { from, next }: { readonly from: number; readonly next: number },
): Promise<void> => {
  const family = familyOfShared(journal);
  if (!family) return;
  for (let section = sectionOf(from); section < sectionOf(next); section += 1) {
    const runsOf = await runsIn(log, journal, section);
    await forEachConcurrently(runsOf, LOG_GROUPS_IN_ALL_MAX, async ([organisation, runs]) => {
      const stream = useIndexOf(organisation, family.period);
      await log.append(stream, 'any', [indexed(stream, { journal, section, runs }, clock)]);
    });
  }
};

/** The section of a journal that a revision belongs to. */
export const sectionOf = (revision: number): number =>
  Math.floor(revision / USE_INDEX_SECTION_RECORDS);

/** The index of a section by organisation, computed from its records. */
export const runsIn = async (
  log: Pick<EventStore, 'readStream'>,
  journal: string,
  section: number,
): Promise<ReadonlyMap<string, readonly Run[]>> => {
  const runsOf = new Map<string, Run[]>();
  const end = (section + 1) * USE_INDEX_SECTION_RECORDS;
  for (let from = end - USE_INDEX_SECTION_RECORDS; from < end;) {
    const page = await log.readStream(journal, {
      from,
      limit: Math.min(READ_PAGE_EVENTS, end - from),
    });
    for (const stored of page) add(runsOf, stored);
    const last = page.at(-1);
    // The chained records were truncated.
    if (!last) break;
    from = last.revision + 1;
  }
  return runsOf;
};

const add = (runsOf: Map<string, Run[]>, { revision, meta }: StoredEvent): void => {
  const { organisation } = meta;
  if (organisation === undefined) return;
  const runs = runsOf.get(organisation) ?? [];
  runsOf.set(organisation, runs);
  const run = runs.at(-1);
  if (run && revision - run[1] <= USE_INDEX_GAP_RECORDS) run[1] = revision;
  else runs.push([revision, revision]);
};

const indexed = (
  stream: string,
  found: { readonly journal: string; readonly section: number; readonly runs: readonly Run[] },
  clock: Clock,
): NewEvent => {
  const id = uuidFrom(`${stream} ${found.journal} ${found.section}`, NAMESPACE);
  return useIndexCodec.encode(
    id,
    { type: 'UsesIndexed', ...found, runs: [...found.runs] },
    {
      commandId: id,
      at: clock.now(),
      by: { kind: 'system', id: 'audit-chain' },
      origin: 'system',
    },
  );
};

const NAMESPACE = '0b7e4f1c-6d0e-4d55-9d6c-5f2f4e1f4a90';
