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

/** Common parts of the logs with dense positions. */
export const denseLog = {
  capabilities: {
    tellsEveryRepeat: true,
    commitsInCallOrder: true,
    guardsInOneStep: true,
    showsRemovedInAll: false,
  },
  channel: null,
  orderedAppends: null,
  compare: compareDense,
  distance: (a: Position | null, b: Position | null) => compareDense(b, a),
} as const;

/**
 * A position as text that sorts, character by character, in the order of its log: for tables that
 * keep that order. The same for every backend.
 */
export const sortableOf = (position: Position): string =>
  position
    .split('/')
    .map((number) => number.padStart(POSITION_DIGITS_MAX, '0'))
    .join('/');

/** The position that {@link sortableOf} has made sortable. */
export const positionIn = (sortable: string): Position =>
  sortable
    .split('/')
    .map((number) => number.replace(/^0+(?=\d)/, ''))
    .join('/');

/** Digits of the largest number that any backend counts to. */
const POSITION_DIGITS_MAX = 19;

/** Compares positions of a log that is not open: those in an export name their backend. */
export const comparisonOf: Readonly<Record<Backend, EventStore['compare']>> = {
  memory: compareDense,
  postgres: compareDense,
  eventstoredb: comparePositions,
};
