import type { Position as LogPosition } from '@eventstore/db-client';
import type { Position } from '../event-store.ts';

/**
 * Positions of EventStoreDB as text: `<commit>/<prepare>`. Both are kept: a server that is given
 * the commit position alone may skip events of the same commit.
 */
export const positionText = ({ commit, prepare }: LogPosition): Position => `${commit}/${prepare}`;

/**
 * How far a subscription has searched. A server of 24.10 that has reached the end without an event
 * reports the position before the log, -1, as an unsigned number.
 *
 * @returns `null` before the first event.
 */
export const checkpointText = (position: LogPosition): Position | null =>
  BigInt.asIntN(64, position.commit) === -1n ? null : positionText(position);

/** @throws {TypeError} for text that {@link positionText} never made. */
export const logPositionOf = (position: Position): LogPosition => {
  const parts = /^(\d{1,19})\/(\d{1,19})$/.exec(position);
  if (!parts) throw new TypeError(`not a position: ${position}`);
  const place = { commit: BigInt(parts[1]!), prepare: BigInt(parts[2]!) };
  // Beyond the server's range: the client would not understand its answer.
  if (place.commit > LAST || place.prepare > LAST)
    throw new TypeError(`not a position: ${position}`);
  return place;
};

const LAST = 2n ** 63n - 1n;

export const comparePositions = (a: Position | null, b: Position | null): number => {
  const from = a === null ? BEFORE_ALL : logPositionOf(a);
  const to = b === null ? BEFORE_ALL : logPositionOf(b);
  return compareBigints(from.commit, to.commit) || compareBigints(from.prepare, to.prepare);
};

/** The later of the two. */
export const laterOf = <P extends Position | null>(a: P, b: P): P =>
  comparePositions(a, b) < 0 ? b : a;

const compareBigints = (a: bigint, b: bigint): number => {
  if (a === b) return 0;
  return a < b ? -1 : 1;
};

const BEFORE_ALL: LogPosition = { commit: -1n, prepare: -1n };
