/**
 * The faults that a rule opens for one point. A rule opens at most {@link
 * FAULTS_OF_POINT_AN_HOUR_MAX} of them in an hour of data time: the last one then stays open and
 * counts further openings, until {@link FLAPPING_QUIET_MS} pass without an opening or a recovery.
 * contract.md section 6.
 */
import { HOUR_MS } from '../../engine/time/calendar.ts';
import { FAULTS_OF_POINT_AN_HOUR_MAX, FLAPPING_QUIET_MS } from './limits.ts';
import type { Turn } from './rules.ts';

export interface Fault {
  readonly openedMs: number;
  /** The value that opened it; `null`: the point never had a sample. */
  readonly value: number | null;
  readonly closedMs: number | null;
  readonly flapping: Flapping | null;
  /** Openings beyond the bound that it covers. */
  readonly flapCount: number;
}

/** It stays open, whatever the condition does. */
export interface Flapping {
  /** The latest opening or recovery. */
  readonly changedMs: number;
  /** Whether the condition has held since then. */
  readonly isBreached: boolean;
}

export interface Faults {
  /** When faults were opened, oldest first; those of the last hour are among them. */
  readonly openingsMs: readonly number[];
  /** The fault opened last. */
  readonly latest: Fault | null;
}

export const noFaults: Faults = { openingsMs: [], latest: null };

/**
 * Applies a rule's turns and the time up to `untilMs` to its faults.
 *
 * @param changed Called with each new or changed fault in its final state.
 */
export const foldTurns = (
  faults: Faults,
  turns: readonly Turn[],
  untilMs: number,
  changed: (fault: Fault) => void,
): Faults => {
  let state = faults;
  const move = (next: Faults) => {
    if (next.latest !== null && next.latest !== state.latest) changed(next.latest);
    state = next;
  };
  for (const turn of turns) {
    move(settled(state, turn.atMs));
    move(turn.type === 'opened' ? opened(state, turn) : closed(state, turn.atMs));
  }
  move(settled(state, untilMs));
  return state;
};

/** Ends flapping after the quiet period: the fault closes, or becomes an ordinary one again. */
const settled = (faults: Faults, nowMs: number): Faults => {
  const { latest } = faults;
  if (!latest?.flapping) return faults;
  const { changedMs, isBreached } = latest.flapping;
  const quietMs = changedMs + FLAPPING_QUIET_MS;
  if (nowMs < quietMs) return faults;
  return {
    ...faults,
    latest: { ...latest, flapping: null, closedMs: isBreached ? null : quietMs },
  };
};

const opened = (
  { openingsMs, latest }: Faults,
  { atMs, value }: Extract<Turn, { type: 'opened' }>,
): Faults => {
  const recent = openingsMs.filter((openedMs) => openedMs > atMs - HOUR_MS);
  const isBeyond = recent.length >= FAULTS_OF_POINT_AN_HOUR_MAX;
  if (latest && (latest.flapping || isBeyond)) {
    const flapping = { changedMs: atMs, isBreached: true };
    const flapCount = latest.flapCount + 1;
    return { openingsMs: recent, latest: { ...latest, closedMs: null, flapping, flapCount } };
  }
  const fault = { openedMs: atMs, value, closedMs: null, flapping: null, flapCount: 0 };
  return { openingsMs: [...recent, atMs], latest: fault };
};

const closed = (faults: Faults, atMs: number): Faults => {
  const { latest } = faults;
  if (!latest) return faults;
  if (!latest.flapping) return { ...faults, latest: { ...latest, closedMs: atMs } };
  const flapping = { changedMs: atMs, isBreached: false };
  return { ...faults, latest: { ...latest, flapping } };
};
