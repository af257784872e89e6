/** Deliberate faults in a building for diagnostic rules to find. */
import { DAY_MS } from '../../../engine/time/calendar.ts';
import { chanceAt } from './random.ts';

/**
 * Whether the element with this hash is broken: a damper that stays open, a sensor that drifts or
 * is silent, a fan that runs at night. One element in 40 is broken, three days of every nine; which
 * ones depends on the seed.
 */
export const isBroken = (elementHash: number, atMs: number): boolean =>
  chanceAt(elementHash, 3) < 1 / 40 &&
  Math.floor(atMs / (3 * DAY_MS)) % 3 === Math.floor(3 * chanceAt(elementHash, 4));
