import type { BuildingEvent } from './events.ts';

/** An event of the building; `event` determines the type of `data`. @experimental */
export type LiveEvent = BuildingEvent & Positioned;

interface Positioned {
  readonly resync: false;
  /** Store it once the event is handled, and pass it as `since` to continue after it. */
  readonly position: string;
}

/**
 * Earlier events are not replayed: read the building's current state, and continue from here. It is
 * the first item if there is no `since`, or if more events were missed than the server replays.
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
 * The server refused: `UNAUTHENTICATED`, `PERMISSION_DENIED`, `NOT_FOUND`, …; before there was a
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
