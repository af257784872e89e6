import type { BuildingEvent } from './events.ts';

/** Something that the building has told: `event` tells what `data` is. @experimental */
export type LiveEvent = BuildingEvent & Told;

interface Told {
  readonly resync: false;
  /** Keep it when the event is handled: `since` goes on after it. */
  readonly position: string;
}

/**
 * What came before is not told: read what the building is like, and go on from here. It comes first
 * where there is no `since`, and where more was missed than is replayed.
 *
 * @experimental
 */
export interface LiveResync {
  readonly resync: true;
  readonly position: string;
}

/** @experimental */
export type LiveItem = LiveEvent | LiveResync;

/**
 * The server said no: `UNAUTHENTICATED`, `PERMISSION_DENIED`, `NOT_FOUND`, …; before there was a
 * connection, `ORIGIN_REFUSED` for a 403 and `HTTP_<status>` for others.
 *
 * @experimental
 */
export class LiveRefusedError extends Error {
  override readonly name = 'LiveRefusedError';
  readonly code: string;

  constructor(code: string, detail?: string) {
    super(detail ?? code);
    this.code = code;
  }
}
