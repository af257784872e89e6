/** Writes the turns of rules as rows and announcements. */
import type { ClientBase } from 'pg';
import { foldTurns, type Faults } from '../../domain/telemetry/flapping.ts';
import type { Following, Turn } from '../../domain/telemetry/rules.ts';
import type { Evaluation } from './diagnostics.ts';
import {
  changeFaults,
  openFaults,
  type ChangedFault,
  type FaultPoint,
  type NewFault,
} from './fault-rows.ts';
import {
  openedMsOf,
  pairKey,
  recentFaultsOf,
  remember,
  type Breach,
  type Followed,
  type Pair,
  type PairMemory,
  type StoredFault,
} from './rule-memory.ts';
import type { StoredRule } from './rule-rows.ts';

/** A rule and one of its points, with the state before and after. */
export interface WatchedPair {
  readonly rule: Pick<
    StoredRule,
    'ruleId' | 'title' | 'severity' | 'comparison' | 'threshold' | 'raiseTicket' | 'createdAt'
  >;
  readonly point: FaultPoint;
  readonly before: PairMemory;
  readonly state: Following;
  readonly turns: readonly Turn[];
  /** The rule has evaluated samples up to this data time. */
  readonly untilMs: number;
}

/** The rule's previous state of a point. */
export const followingOf = (
  { createdAt }: Pick<StoredRule, 'createdAt'>,
  before: PairMemory,
  last: Following['last'],
): Following => ({
  last,
  breachedSinceMs: before.breachedSinceMs,
  openedMs: openedMsOf(before),
  watchedSinceMs: new Date(createdAt).getTime(),
});

export interface Recorded {
  /** Number of announcements: of faults that begin, and of those with a ticket that end. */
  readonly announcements: number;
  /** A condition waits for its duration or a fault flaps, so the next due time may be earlier. */
  readonly waits: boolean;
}

/** In the caller's transaction, which must hold the building's lock. */
export const recordTurns = async (
  client: ClientBase,
  buildingId: string,
  pairs: readonly WatchedPair[],
  followed: readonly Followed[],
  occasion: Evaluation,
): Promise<Recorded> => {
  const { breaches, recovered } = breachesOf(pairs);
  await remember(client, { followed, breaches, recovered });
  const { opened, changed } = faultsOf(pairs, await recentFaultsOf(client, openings(pairs)));
  const turned = await changeFaults(client, buildingId, changed, occasion);
  const begun = await openFaults(client, buildingId, opened, occasion);
  const isFlapping = [...opened, ...changed].some(({ flapping }) => flapping !== null);
  return { announcements: turned + begun, waits: breaches.length > 0 || isFlapping };
};

const pairOf = ({ rule, point }: WatchedPair): Pair => ({
  ruleId: rule.ruleId,
  seriesId: point.seriesId,
});

const breachesOf = (pairs: readonly WatchedPair[]) => {
  const breaches: Breach[] = [];
  const recovered: Pair[] = [];
  for (const pair of pairs) {
    const { breachedSinceMs: sinceMs } = pair.state;
    if (sinceMs === pair.before.breachedSinceMs) continue;
    if (sinceMs === null) recovered.push(pairOf(pair));
    else breaches.push({ ...pairOf(pair), sinceMs });
  }
  return { breaches, recovered };
};

/** The pairs that open faults: only for these the earlier faults are counted. */
const openings = (pairs: readonly WatchedPair[]) =>
  pairs.flatMap((pair) => {
    const first = pair.turns.find(({ type }) => type === 'opened');
    return first ? [{ ...pairOf(pair), atMs: first.atMs }] : [];
  });

const faultsOf = (
  pairs: readonly WatchedPair[],
  recent: ReadonlyMap<string, readonly StoredFault[]>,
) => {
  const opened: NewFault[] = [];
  const changed: ChangedFault[] = [];
  for (const pair of pairs) {
    const { rule, point, before, turns, untilMs } = pair;
    const history = recent.get(pairKey(pairOf(pair))) ?? [];
    const latest = before.fault ?? history.at(-1) ?? null;
    const faults: Faults = { openingsMs: history.map(({ openedMs }) => openedMs), latest };
    const found = new Map<number, NewFault>();
    foldTurns(faults, turns, untilMs, (fault) =>
      found.set(fault.openedMs, { ...fault, rule, point }),
    );
    for (const fault of found.values()) {
      if (fault.openedMs !== latest?.openedMs) opened.push(fault);
      else changed.push({ ...fault, faultId: latest.faultId, wasOpen: latest.closedMs === null });
    }
  }
  return { opened, changed };
};
