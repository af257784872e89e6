/** Deliberate faults in a building for diagnostic rules to find. */
import { DAY_MS } from '../../../engine/time/calendar.ts';
import { completed, type FaultKind, type SandboxParameters } from '../parameters.ts';
import { chanceAt } from './random.ts';

/** Whether the element with this hash has a fault of this kind. */
export type FaultPlan = (kind: FaultKind, elementHash: number, atMs: number) => boolean;

/** Faults of the chosen kinds in broken elements. */
export const faultPlan = (parameters: SandboxParameters): FaultPlan => {
  const kinds: ReadonlySet<FaultKind> = new Set(completed(parameters).faultKinds);
  return (kind, elementHash, atMs) => isBroken(elementHash, atMs) && kinds.has(kind);
};

/** Milliseconds since 1970. */
export interface Period {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
}

/** When the element with this hash is broken, within `range`. */
export const brokenPeriods = (elementHash: number, { fromMs, toMs }: Period): readonly Period[] => {
  const turn = turnOf(elementHash);
  if (turn === null) return [];
  const periods: Period[] = [];
  for (let number = periodAt(fromMs); number * PERIOD_MS < toMs; number += 1)
    if (number % TURNS === turn)
      periods.push({
        fromMs: Math.max(fromMs, number * PERIOD_MS),
        toMs: Math.min(toMs, (number + 1) * PERIOD_MS),
      });
  return periods;
};

/** One element in 40 is broken, three days of every nine; which ones depends on the seed. */
const isBroken = (elementHash: number, atMs: number): boolean => {
  const turn = turnOf(elementHash);
  return turn !== null && periodAt(atMs) % TURNS === turn;
};

const PERIOD_MS = 3 * DAY_MS;
const TURNS = 3;

const periodAt = (atMs: number): number => Math.floor(atMs / PERIOD_MS);

/** Which of {@link TURNS} periods an element is broken in; `null`: it never is. */
const turnOf = (elementHash: number): number | null =>
  chanceAt(elementHash, 3) < 1 / 40 ? Math.floor(TURNS * chanceAt(elementHash, 4)) : null;
