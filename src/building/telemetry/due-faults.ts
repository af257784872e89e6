/**
 * Faults that begin or end without a sample: a point is stale, a condition has held for long
 * enough, a flapping fault has been quiet. The due time is derived from rows, so that no timer can
 * be lost.
 */
import type { Pool } from 'pg';
import type { Occasion } from '../../engine/aggregates/decider.ts';
import { DUE_PAIRS_AT_ONCE } from '../../domain/telemetry/limits.ts';
import { withoutSample } from '../../domain/telemetry/rules.ts';
import { isBusy } from '../../engine/postgres/errors.ts';
import { transaction } from '../../engine/postgres/transaction.ts';
import { announcementCapacity } from './announcement-capacity.ts';
import type { Diagnostics, DueLook } from './diagnostics.ts';
import {
  pairsDue,
  silentAtMs,
  staleBuildings,
  waitingBuildings,
  type OwnedBuilding,
  type StaleBuilding,
} from './due-pairs.ts';
import { makeSeries } from './points.ts';
import type { RunSlice } from './run-slice.ts';
import { memoryOf } from './rule-memory.ts';
import { takeTurn } from './rule-rows.ts';
import { followingOf, recordTurns, type WatchedPair } from './rule-turns.ts';

export interface DueFaultsParts {
  readonly db: Pool;
  /** Called after each commit that left announcements to be moved to the log. */
  readonly announced: () => void;
  /** Shared with the evaluation of ingests. */
  readonly runSlice: RunSlice;
}

export interface DueFaults extends Pick<Diagnostics, 'nextDueAt' | 'recordDue'> {
  /** A point of the building may fall silent earlier than remembered. */
  forget(buildingId: string): void;
}

/** When the first point of a building falls silent, by its points and rules then. */
interface Silence {
  readonly revision: string;
  readonly rules: string;
  /** Time of the search by `performance.now()`. */
  readonly searchedMs: number;
  readonly dueMs: Promise<number>;
}

interface DueBuilding extends OwnedBuilding {
  readonly dueMs: number;
  /** It is due by its silent points. */
  readonly isSilent: boolean;
}

export const dueFaults = ({ db, announced, runSlice }: DueFaultsParts): DueFaults => {
  /** By building, the revision of its nodes at which every point had a series. */
  const madeFor = new Map<string, string>();
  const silences = new Map<string, Silence>();

  const makeMissingSeries = async ({ buildingId, revision }: StaleBuilding) => {
    if (madeFor.get(buildingId) === revision) return;
    try {
      await transaction(db, async (client) => {
        if (await takeTurn(client, buildingId)) await makeSeries(client, buildingId);
      });
      madeFor.set(buildingId, revision);
    } catch (error) {
      // An import runs: the faults of other points do not wait for it.
      if (!isBusy(error)) throw error;
    }
  };

  const silenceOf = (
    building: StaleBuilding,
    signal: AbortSignal,
    rememberedMaxMs: number,
  ): Promise<number> => {
    const { buildingId, revision, rules } = building;
    const nowMs = performance.now();
    const known = silences.get(buildingId);
    const isSame = known?.revision === revision && known.rules === rules;
    const isRecent = isSame && nowMs - known.searchedMs < rememberedMaxMs;
    if (isRecent && madeFor.get(buildingId) === revision) return known.dueMs;
    const dueMs = runSlice(signal, async () => {
      await makeMissingSeries(building);
      return silentAtMs(db, buildingId);
    }).catch((): number => {
      signal.throwIfAborted();
      // Recording its faults fails as well, and reports why.
      return 0;
    });
    const silence: Silence = { revision, rules, searchedMs: nowMs, dueMs };
    silences.set(buildingId, silence);
    dueMs.catch(() => {
      if (silences.get(buildingId) === silence) silences.delete(buildingId);
    });
    return dueMs;
  };

  /** When the next fault of each building is due, building after building. */
  const dueBuildings = async (
    signal: AbortSignal,
    { except = [], rememberedMaxMs = 0 }: DueLook = {},
  ): Promise<readonly DueBuilding[]> => {
    const waiting = await waitingBuildings(db);
    const due = waiting.map((building): DueBuilding => ({ ...building, isSilent: false }));
    const stale = await staleBuildings(db);
    const ids = new Set(stale.map(({ buildingId }) => buildingId));
    for (const map of [madeFor, silences])
      for (const id of map.keys()) if (!ids.has(id)) map.delete(id);
    for (const building of stale) {
      if (except.includes(building.buildingId)) continue;
      const dueMs = await silenceOf(building, signal, rememberedMaxMs);
      due.push({ ...building, dueMs, isSilent: true });
    }
    return due.filter(({ buildingId }) => !except.includes(buildingId));
  };

  return {
    forget: (buildingId) => silences.delete(buildingId),

    async nextDueAt(signal, look) {
      const due = await dueBuildings(signal, look);
      const firstMs = due.reduce((first, { dueMs }) => Math.min(first, dueMs), Infinity);
      return firstMs === Infinity ? null : new Date(firstMs).toISOString();
    },

    async recordDue(occasion, signal, look) {
      const failures = new Map<string, unknown>();
      const atMs = Date.parse(occasion.at);
      const all = (await dueBuildings(signal, look)).filter(({ dueMs }) => dueMs <= atMs);
      let due = [...new Map(all.map((building) => [building.buildingId, building])).values()];
      while (due.length > 0) {
        const unfinished: DueBuilding[] = [];
        // One slice per building in turn, so that no building waits for all slices of another.
        for (const building of due) {
          signal.throwIfAborted();
          try {
            const pairs = await runSlice(signal, () => recordIn(db, building, occasion));
            if (pairs === DUE_PAIRS_AT_ONCE) unfinished.push(building);
          } catch (error) {
            failures.set(building.buildingId, error);
          }
          if (building.isSilent) silences.delete(building.buildingId);
        }
        announced();
        await announcementCapacity(db, announced, signal);
        due = unfinished;
      }
      return failures;
    },
  };
};

const recordIn = (db: Pool, { buildingId, organisation }: OwnedBuilding, occasion: Occasion) =>
  transaction(db, async (client) => {
    if (!(await takeTurn(client, buildingId))) return 0;
    // Queried again under the lock: a sample may have arrived meanwhile.
    const due = await pairsDue(client, buildingId, occasion.at);
    const memory = await memoryOf(client, [...new Set(due.map(({ seriesId }) => seriesId))]);
    const untilMs = Date.parse(occasion.at);
    const pairs = due.map((pair): WatchedPair => {
      const { ruleId, seriesId, heardMs, heardValue } = pair;
      const before = memory.of(ruleId, seriesId);
      const evaluated = memory.last(seriesId);
      // A stored sample ends the silence, even if the rules have not evaluated it yet.
      const heard = heardMs === null ? evaluated : { atMs: heardMs, value: heardValue! };
      const last = pair.comparison === 'stale' ? heard : evaluated;
      const { state, turns } = withoutSample(pair, followingOf(pair, before, last), untilMs);
      return { rule: pair, point: pair, before, state, turns, untilMs };
    });
    await recordTurns(client, buildingId, pairs, [], { ...occasion, organisation });
    return pairs.length;
  });
