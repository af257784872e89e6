/** Determines what a restored log lacks, and where each consumer continues in it. */
import type { Pool } from 'pg';
import { release } from '../../compose.ts';
import {
  notedLog,
  compareLog,
  type CompareLogOptions,
} from '../../engine/consumers/restore-detection.ts';
import { RESTORE_NUMBERS_SKIPPED } from '../limits.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { PROCESS_CATEGORY, processPosition } from '../../engine/processes/process-position.ts';
import { numberingCodec } from '../../domain/tickets/codecs.ts';
import { READ_PAGE_EVENTS, type EventStore, type Position } from '../../engine/log/event-store.ts';
import {
  isOwn,
  LOG_RESTORED,
  logTimelines,
  OWN_CATEGORY,
  type Timeline,
} from '../../engine/log/log-identity.ts';
import { categoryOf, keyOf, streamOf } from '../../engine/log/streams.ts';
import { erasableKeysIn } from '../../engine/personal/person-keys.ts';
import { countUndone } from '../../use-cases/erasures/erase-again.ts';
import type { ErasureList, OnUnreadable } from '../../use-cases/erasures/erasure-list.ts';
import { erasuresIn } from '../../use-cases/erasures/erasures.ts';
import { walked } from '../events/walk.ts';
import { OperatorError } from '../operator-error.ts';
import { restoredKeys, type RestoredKeys } from './restored-keys.ts';
import { restoredNumbers } from './restored-numbers.ts';
import { auditAfter, ticketsFrom, publishedTickets } from './published-state.ts';

export interface RestorePlan {
  /** The evidence that the log lacks events; `null`: only the operator says so. */
  readonly reason: string | null;
  /** The last event that clients' positions may still name; `null`: none. */
  readonly after: Position | null;
  /**
   * `begin`: the command starts a new timeline. `finish`: an interrupted command has started it.
   * `done`: this restore has been carried out.
   */
  readonly timeline: 'begin' | 'finish' | 'done';
  /** Name of the restore. */
  readonly name: string;
  readonly numbers: readonly NumbersSkipped[];
  readonly processes: readonly { readonly name: string; readonly position: Position }[];
  /** Records of the audit of API keys that the log lacks; `null`: unknown. */
  readonly auditLost: number | null;
  readonly keys: RestoredKeys;
  /** Erasures of persons that the log or the database lacks. */
  readonly erasures: number;
}

export interface NumbersSkipped {
  readonly organisation: string;
  /** The next number by the log. */
  readonly next: number;
  /** The next number after the command. */
  readonly moved: number;
  /** Tickets whose numbers the log would assign again; `null`: unknown. */
  readonly lost: number | null;
}

export interface PlanParts extends CompareLogOptions {
  readonly log: EventStore;
  readonly pool: Pool;
  /** The erasures, which are stored outside the log and the database. */
  readonly erasureList: Pick<ErasureList, 'all'>;
  /** May be called for an entry more than once. */
  readonly onUnreadableErasure: OnUnreadable;
  /** Default {@link RESTORE_NUMBERS_SKIPPED}. */
  readonly skipNumbers?: number;
  /** Name of the restore, which makes the command idempotent. Default: the time. */
  readonly name?: string;
}

/**
 * Changes nothing.
 *
 * @throws {@link OperatorError} if a name is needed to distinguish this restore from an earlier
 *   one; {@link LogUnavailable}, and errors of the database.
 */
export const restorePlan = async (parts: PlanParts): Promise<RestorePlan> => {
  const { log, pool, skipNumbers = RESTORE_NUMBERS_SKIPPED } = parts;
  const [standing, noted, timelines] = await Promise.all([
    compareLog(pool, log, parts),
    notedLog(pool),
    logTimelines(log),
  ]);
  const processes = await placesOf(log);
  const last = timelines.at(-1) ?? null;
  const isBegun = noted !== null && noted.id !== last?.id && isAmong(timelines, noted.id);
  const end = await lastEvent(log, processes);
  const isRepeated =
    !isBegun && standing.kind === 'same' && isLastRestore(parts.name, timelines, end.recorded);
  if (!isBegun && !isRepeated) refuseUsedName(parts.name, timelines);
  const timeline = isBegun ? 'finish' : isRepeated ? 'done' : 'begin';
  const after = timeline === 'begin' ? end.position : last!.after;
  const name = timeline === 'begin' ? parts.name : last!.name;
  const reason = standing.kind === 'restored' ? standing.reason : null;
  // Without evidence the read models were restored together with the log, or there are none.
  const counted = (lost: number) => (reason === null && lost === 0 ? null : lost);
  const numbers = timeline === 'done' ? [] : await numbersMoved(log, pool, skipNumbers);
  return {
    reason,
    after,
    timeline,
    name: name ?? systemClock.now(),
    numbers: numbers.map((number) => ({ ...number, lost: counted(number.lost) })),
    processes,
    auditLost: counted(await auditAfter(pool, after)),
    keys: await restoredKeys(log, pool, after),
    erasures: await countUndone({
      list: parts.erasureList,
      onUnreadable: parts.onUnreadableErasure,
      erasures: erasuresIn(log),
      keys: erasableKeysIn(pool),
    }),
  };
};

/**
 * Whether the log's last timeline is of this restore.
 *
 * @param recorded The last event since then, other than those of the servers themselves.
 * @throws {@link OperatorError} without a name while there is no such event: a backup made just
 *   after a restore looks the same when it is restored a second time.
 */
const isLastRestore = (
  name: string | undefined,
  timelines: readonly Timeline[],
  recorded: Position | null,
): boolean => {
  const last = timelines.at(-1);
  const isRestore = timelines.length > 1 && last !== undefined;
  if (!isRestore) return false;
  if (name !== undefined) return last.name === name;
  if (recorded !== null) return false;
  const of = last.name === null ? '' : `, ${last.name},`;
  const same = last.name === null ? 'it has no name: give any' : `give --name '${last.name}'`;
  throw new OperatorError(
    `the log ends with a restore that was carried out${of} and nothing was recorded since. If ` +
      `this is that one, nothing is to be done (${same}). If the log was put back again from a ` +
      'copy taken since, give --name with another name',
  );
};

/** @throws {@link OperatorError} */
const refuseUsedName = (name: string | undefined, timelines: readonly Timeline[]): void => {
  if (name === undefined || timelines.every((timeline) => timeline.name !== name)) return;
  throw new OperatorError(`--name: ${name} is an earlier restore of this log: give another name`);
};

const isAmong = (timelines: readonly { readonly id: string }[], id: string): boolean =>
  timelines.some((timeline) => timeline.id === id);

/** The position of each process, by its checkpoint copy in the log. */
const placesOf = async (log: EventStore) => {
  const places: { name: string; position: Position }[] = [];
  for (const name of release.processes) {
    const [any] = await log.readStream(streamOf(PROCESS_CATEGORY, name), { limit: 1 });
    // A process without a position registers when a server runs it, as in any log.
    if (!any) continue;
    places.push({ name, position: await processPosition(name, log, systemClock).find() });
  }
  return places;
};

/**
 * The last event of the log, and the last published one. EventStoreDB writes its own
 * events when it starts, so the head of the log is not sufficient; the search begins at the
 * furthest process.
 */
const lastEvent = async (
  log: EventStore,
  processes: readonly { readonly position: Position }[],
) => {
  const [furthest = null] = processes
    .map(({ position }) => position)
    .toSorted((a, b) => log.compare(b, a));
  let position = furthest;
  let recorded: Position | null = null;
  let restored = false;
  for (let from = furthest; ;) {
    const page = await log.readAll(from, { limit: READ_PAGE_EVENTS });
    for (const { stream, type, position: at } of page.events) {
      if (isOwn(stream) && type === LOG_RESTORED) [restored, recorded] = [true, null];
      else if (!SERVERS_OWN.has(categoryOf(stream))) recorded = at;
      position = at;
    }
    from = page.next;
    if (page.end) return { position, recorded: restored ? recorded : position };
  }
};

export const NUMBERING = 'numbering';
const SERVERS_OWN: ReadonlySet<string> = new Set([OWN_CATEGORY, PROCESS_CATEGORY, NUMBERING]);

const numbersMoved = async (log: EventStore, pool: Pool, skip: number) => {
  const highestNumbers = new Map<string, number>();
  const published = await publishedTickets(pool);
  const organisations = published.length === 0 ? await numberedOrganisations(log) : [];
  for (const organisation of organisations) highestNumbers.set(organisation, 0);
  for (const { organisation, highest } of [...published, ...(await restoredNumbers(pool))])
    highestNumbers.set(organisation, Math.max(highestNumbers.get(organisation) ?? 0, highest));

  const numberings: (NumbersSkipped & { readonly lost: number })[] = [];
  for (const [organisation, highest] of [...highestNumbers].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )) {
    const next = await nextNumber(log, organisation);
    const lost = await ticketsFrom(pool, organisation, next);
    numberings.push({ organisation, next, moved: Math.max(next, highest + 1) + skip, lost });
  }
  return numberings;
};

/** Organisations with a ticket number in the log: a scan, if no read model has tickets. */
const numberedOrganisations = async (log: EventStore): Promise<readonly string[]> => {
  const organisations = new Set<string>();
  const { signal } = new AbortController();
  const walk = { after: null, categories: [NUMBERING], removedToo: true, signal };
  for await (const events of walked(log, walk))
    for (const { stream } of events) organisations.add(keyOf(stream));
  return [...organisations];
};

/** The organisation's next ticket number by the log. @throws Errors of the log. */
export const nextNumber = async (log: EventStore, organisation: string): Promise<number> => {
  const stream = streamOf(NUMBERING, organisation);
  const [stored] = await log.readStream(stream, { backwards: true, limit: 1 });
  if (!stored) return 1;
  const { from, count } = numberingCodec.decode(stored).event;
  return from + count;
};
