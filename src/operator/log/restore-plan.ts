/** What a log that was restored from a backup lacks, and where everything goes on in it. */
import type { Pool } from 'pg';
import { releasedProcesses } from '../../compose.ts';
import { notedLog, standingOf, type StandingOptions } from '../../consumers/log-standing.ts';
import { RESTORE_NUMBERS_SKIPPED } from '../../limits.ts';
import { systemClock } from '../../ops/clock.ts';
import { PROCESS_CATEGORY, processPosition } from '../../processes/process-position.ts';
import { numberingCodec } from '../../store/codecs.ts';
import { READ_PAGE_EVENTS, type EventStore, type Position } from '../../store/event-store.ts';
import { isOwn, LOG_RESTORED, logTimelines, OWN_CATEGORY } from '../../store/log-identity.ts';
import { categoryOf, streamOf } from '../../store/streams.ts';
import { restoredKeys, type RestoredKeys } from './restored-keys.ts';
import { auditAfter, ticketsFrom, ticketsTold } from './told.ts';

export interface RestorePlan {
  /** Why the log is known to lack something; `null`: only the operator knows. */
  readonly reason: string | null;
  /** The last event that clients' positions may still name; `null`: none. */
  readonly after: Position | null;
  /**
   * `begin`: a new timeline is begun. `finish`: an earlier command has begun it and was ended.
   * `done`: nothing but servers' own notes has been recorded since.
   */
  readonly timeline: 'begin' | 'finish' | 'done';
  /** By which the numbers that are skipped are recorded once. */
  readonly restore: string;
  readonly numbers: readonly NumbersMoved[];
  readonly processes: readonly { readonly name: string; readonly position: Position }[];
  /** Records of the audit of API keys that the log lacks. */
  readonly auditLost: number;
  readonly keys: RestoredKeys;
}

export interface NumbersMoved {
  readonly organisation: string;
  /** The next number by the log. */
  readonly next: number;
  /** And after the command. */
  readonly moved: number;
  /** Tickets whose numbers the log would give out again. */
  readonly lost: number;
}

export interface PlanParts extends StandingOptions {
  readonly log: EventStore;
  readonly pool: Pool;
  /** Default {@link RESTORE_NUMBERS_SKIPPED}. */
  readonly skipNumbers?: number;
}

/** Reads alone. @throws {@link LogUnavailable}, and whatever the database throws. */
export const restorePlan = async (parts: PlanParts): Promise<RestorePlan> => {
  const { log, pool, skipNumbers = RESTORE_NUMBERS_SKIPPED } = parts;
  const [standing, noted, timelines] = await Promise.all([
    standingOf(pool, log, parts),
    notedLog(pool),
    logTimelines(log),
  ]);
  const processes = await placesOf(log);
  const last = timelines.at(-1) ?? null;
  const isBegun = noted !== null && noted.id !== last?.id && isAmong(timelines, noted.id);
  const end = await lastEvent(log, processes);
  const isDone = standing.kind === 'same' && last?.after != null && end.told === null;
  const timeline = isBegun ? 'finish' : isDone ? 'done' : 'begin';
  const after = timeline === 'begin' ? end.position : last!.after;
  const before = timelines.at(timeline === 'begin' ? -1 : -2);
  return {
    reason: standing.kind === 'restored' ? standing.reason : null,
    after,
    timeline,
    restore: before?.id ?? '',
    numbers: timeline === 'done' ? [] : await numbersMoved(log, pool, skipNumbers),
    processes,
    auditLost: await auditAfter(pool, after),
    keys: await restoredKeys(log, pool, after),
  };
};

const isAmong = (timelines: readonly { readonly id: string }[], id: string): boolean =>
  timelines.some((timeline) => timeline.id === id);

/** Where each process goes on, by what the log itself holds of it. */
const placesOf = async (log: EventStore) => {
  const places: { name: string; position: Position }[] = [];
  for (const name of releasedProcesses) {
    const [any] = await log.readStream(streamOf(PROCESS_CATEGORY, name), { limit: 1 });
    // One that is not there registers with the server, as it does in any log.
    if (!any) continue;
    places.push({ name, position: await processPosition(name, log, systemClock).find() });
  }
  return places;
};

/**
 * The last event of the log, and the last one that anybody was told of. EventStoreDB writes events
 * of its own when it starts, so that the head of the log says nothing; the search begins at the
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
  let told: Position | null = null;
  let restored = false;
  for (let from = furthest; ;) {
    const page = await log.readAll(from, { limit: READ_PAGE_EVENTS });
    for (const { stream, type, position: at } of page.events) {
      if (isOwn(stream) && type === LOG_RESTORED) [restored, told] = [true, null];
      else if (!SERVERS_OWN.has(categoryOf(stream))) told = at;
      position = at;
    }
    from = page.next;
    if (page.end) return { position, told: restored ? told : position };
  }
};

const SERVERS_OWN: ReadonlySet<string> = new Set([OWN_CATEGORY, PROCESS_CATEGORY, 'numbering']);

const numbersMoved = async (log: EventStore, pool: Pool, skip: number): Promise<NumbersMoved[]> => {
  const moved: NumbersMoved[] = [];
  for (const { organisation, highest } of await ticketsTold(pool)) {
    const next = await nextNumber(log, organisation);
    const lost = await ticketsFrom(pool, organisation, next);
    moved.push({ organisation, next, moved: Math.max(next, highest + 1) + skip, lost });
  }
  return moved;
};

const nextNumber = async (log: EventStore, organisation: string): Promise<number> => {
  const stream = streamOf('numbering', organisation);
  const [stored] = await log.readStream(stream, { backwards: true, limit: 1 });
  if (!stored) return 1;
  const { from, count } = numberingCodec.decode(stored).event;
  return from + count;
};
