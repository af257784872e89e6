import type { Backend, EventStore, Position } from './event-store.ts';
import { comparePositions } from './eventstoredb/positions.ts';

/** Positions of the logs that number densely from 1: decimal text, `null` before the first. */
export const numberOf = (position: Position | null): number => {
  if (position === null) return 0;
  const number = /^\d{1,16}$/.test(position) ? Number(position) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new TypeError(`not a position: ${position}`);
  return number;
};

export const positionOf = (number: number): Position | null =>
  number === 0 ? null : String(number);

export const compareDense = (a: Position | null, b: Position | null): number =>
  numberOf(a) - numberOf(b);

export const distanceDense = (a: Position | null, b: Position | null): number =>
  numberOf(b) - numberOf(a);

/** How the positions of a log compare that is not open: those in an export name their backend. */
export const comparisonOf: Readonly<Record<Backend, EventStore['compare']>> = {
  memory: compareDense,
  postgres: compareDense,
  eventstoredb: comparePositions,
};
