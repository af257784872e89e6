/**
 * The audit in log order, for shippers that must not miss a record: no record appears before a
 * cursor that was handed out. contract.md section 3.
 */
import { mayHoldUsesOf, useCategories } from '../../domain/keys/journals.ts';
import {
  assertPositionIn,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../engine/log/event-store.ts';
import { positionIn } from '../../engine/log/positions.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import { pause } from '../../engine/concurrency/backoff.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import type { AuditQueries, AuditSelection } from './audit-queries.ts';
import { keyAudit, type AuditRow } from './key-audit.ts';
import { AUDIT_POLL_MIN_MS } from './limits.ts';

export interface AuditFollowingParts {
  readonly audit: Pick<AuditQueries, 'following' | 'last'>;
  readonly log: EventStore;
  /** Wakes long polls of an organisation's records. */
  readonly watch: Watch;
  /** Waits until the read model shows a position, with a timeout. */
  readonly waitFor: ReadModels['waitFor'];
  /** The parked streams, whose records the read model omits. */
  readonly parked: ReadModels['parked'];
  /** The key of an organisation's keyring. */
  readonly keyringOf: (organisation: string) => string;
}

/** A long-poll wake-up that follows {@link auditWatched}. */
interface Watch {
  join(organisation: string): Promise<{
    readonly seen: number;
    after(seen: number, signal: AbortSignal, timeoutMs: number): Promise<void>;
    leave(): void;
  }>;
}

/** The next record is parked: it may appear later, before the cursor of a reader who continues. */
export class RecordsParked extends Error {
  constructor() {
    super('records that cannot be read yet lie before');
    this.name = 'RecordsParked';
  }
}

export interface FollowingQuery {
  readonly selection: AuditSelection;
  /** `null`: from the oldest record. */
  readonly after: Position | null;
  readonly limit: number;
  /** How long an answer without records is held, unless `signal` aborts. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface FollowingPage {
  readonly rows: readonly AuditRow[];
  /** The position of the last row; without rows, up to which no record is selected. */
  readonly next: Position | null;
}

export type AuditFollowing = (query: FollowingQuery) => Promise<FollowingPage>;

/** @throws `UnknownPosition`; {@link RecordsParked}; `LogUnavailable`. */
export const auditFollowing = (parts: AuditFollowingParts): AuditFollowing => {
  const { audit, log, watch } = parts;

  /** The position of the organisation's first parked record. */
  const firstParkedOf = async (organisation: string | null): Promise<Position | null> => {
    const keyring = organisation === null ? null : parts.keyringOf(organisation);
    const own = (await parts.parked(keyAudit.name)).filter(({ stream }) =>
      categoryOf(stream) === 'keyring'
        ? keyOf(stream) === keyring
        : mayHoldUsesOf(stream, organisation),
    );
    return own.map(({ position }) => position).toSorted(log.compare)[0] ?? null;
  };

  const page = async ({ selection, after, limit }: FollowingQuery): Promise<FollowingPage> => {
    // Queried in this order: the rows include each record up to `last` that was not parked.
    const last = await audit.last(selection.organisation);
    const firstParked = await firstParkedOf(selection.organisation);
    const found = await audit.following(selection, after, limit);
    const isShown = ({ place }: AuditRow) =>
      log.compare(positionIn(place), last) <= 0 &&
      (firstParked === null || log.compare(positionIn(place), firstParked) < 0);
    const rows = found.filter(isShown);
    if (rows.length > 0) return { rows, next: positionIn(rows.at(-1)!.place) };
    if (firstParked !== null) throw new RecordsParked();
    if (log.compare(after, last) <= 0) return { rows, next: last };
    if (after !== null) await assertPositionIn(log, after);
    return { rows, next: after };
  };

  /** Resolves when the read model has reached the log's current head, or after `leftMs`. */
  const waitUntilVisible = async (leftMs: number): Promise<void> => {
    const { position } = await log.head();
    if (position !== null && leftMs > 0) await parts.waitFor([keyAudit.name], position, leftMs);
  };

  return async (query) => {
    const { selection, waitMs, signal } = query;
    if (waitMs === 0) return page(query);
    const giveUpAt = performance.now() + waitMs;
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    // Before the first query, so that later records wake it.
    const watching = await watch.join(selection.organisation ?? NO_ORGANISATION);
    try {
      for (;;) {
        const { seen } = watching;
        // Records after this read of the head have woken it.
        await Promise.race([waitUntilVisible(giveUpAt - performance.now()), aborted]);
        const nextAt = performance.now() + AUDIT_POLL_MIN_MS;
        const found = await page(query);
        const leftMs = giveUpAt - performance.now();
        if (found.rows.length > 0 || leftMs <= 0 || signal.aborted) return found;
        await watching.after(seen, signal, leftMs);
        // Each use of any key of the organisation wakes it, whatever the selection.
        const tooEarlyMs = Math.min(nextAt, giveUpAt) - performance.now();
        if (tooEarlyMs > 0) await pause(tooEarlyMs, signal);
      }
    } finally {
      watching.leave();
    }
  };
};

/** Not the name of an organisation, which cannot be empty. */
const NO_ORGANISATION = '';

const ownerOf = ({ meta }: StoredEvent) => {
  const { organisation } = meta;
  return { organisation: typeof organisation === 'string' ? organisation : NO_ORGANISATION };
};

/** The events to watch, and their organisations. */
export const auditWatched = {
  categories: ['keyring', ...useCategories],
  ownersOf: async (events: readonly StoredEvent[]) =>
    // Not by stream: a shared journal has records of several organisations.
    new Map(events.map((event) => [event.id, ownerOf(event)])),
};
