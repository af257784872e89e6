/**
 * The audit in the order of the log, for shippers that miss nothing: what is shown of it never
 * comes after what is not shown yet. contract.md section 3.
 */
import { mayHoldUsesOf, useCategories } from '../../domain/keys/journals.ts';
import {
  mustLieIn,
  type EventStore,
  type Position,
  type StoredEvent,
} from '../../engine/log/event-store.ts';
import { positionIn } from '../../engine/log/positions.ts';
import { categoryOf, keyOf } from '../../engine/log/streams.ts';
import type { ReadModels } from '../../engine/projections/read-models.ts';
import type { AuditQueries, AuditSelection } from './audit-queries.ts';
import { keyAudit, type AuditRow } from './key-audit.ts';

export interface AuditFollowingParts {
  readonly audit: Pick<AuditQueries, 'following'>;
  readonly log: EventStore;
  /** Wakes who waits for records of his organisation. */
  readonly watch: Watch;
  /** Waits until the read model shows a position, so long at most. */
  readonly waitFor: ReadModels['waitFor'];
  /** What the read model has set aside, so that it does not show it. */
  readonly parked: ReadModels['parked'];
  /** The key of an organisation's keyring. */
  readonly keyringOf: (organisation: string) => string;
}

/** As `ticketWatch` has it, which follows {@link auditWatched} here. */
interface Watch {
  join(organisation: string): Promise<{
    readonly seen: number;
    after(seen: number, signal: AbortSignal, timeoutMs: number): Promise<void>;
    leave(): void;
  }>;
}

/** The next record has been set aside: it may yet be shown, before the cursor of who reads on. */
export class RecordsParked extends Error {
  constructor() {
    super('records that cannot be read yet lie before');
    this.name = 'RecordsSetAside';
  }
}

export interface FollowingQuery {
  readonly selection: AuditSelection;
  /** `null`: from the oldest record. */
  readonly after: Position | null;
  readonly limit: number;
  /** An answer without records is held so long, or until `signal` aborts. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface FollowingPage {
  readonly rows: readonly AuditRow[];
  /** Of the last row; where there is none, as it was asked for. */
  readonly next: Position | null;
}

export type AuditFollowing = (query: FollowingQuery) => Promise<FollowingPage>;

/** @throws `UnknownPosition`; {@link RecordsParked}; `LogUnavailable`. */
export const auditFollowing = (parts: AuditFollowingParts): AuditFollowing => {
  const { audit, log, watch } = parts;

  /** The place of the first record of the organisation that has been set aside. */
  const asideOf = async (organisation: string | null): Promise<Position | null> => {
    const keyring = organisation === null ? null : parts.keyringOf(organisation);
    const own = (await parts.parked(keyAudit.name)).filter(({ stream }) =>
      categoryOf(stream) === 'keyring'
        ? keyOf(stream) === keyring
        : mayHoldUsesOf(stream, organisation),
    );
    return own.map(({ position }) => position).toSorted(log.compare)[0] ?? null;
  };

  const page = async ({ selection, after, limit }: FollowingQuery): Promise<FollowingPage> => {
    const found = await audit.following(selection, after, limit);
    // Asked after the rows: what is set aside before them was so by then.
    const aside = await asideOf(selection.organisation);
    const isShown = ({ place }: AuditRow) =>
      aside === null || log.compare(positionIn(place), aside) < 0;
    const rows = found.filter(isShown);
    if (rows.length === 0 && aside !== null) throw new RecordsParked();
    const last = rows.at(-1);
    if (!last && after !== null) await mustLieIn(log, after);
    return { rows, next: last ? positionIn(last.place) : after };
  };

  /** Resolves when all that is in the log by now is shown, or after `leftMs`. */
  const shown = async (leftMs: number): Promise<void> => {
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
    // Before the first look: what comes after that one must wake.
    const watching = await watch.join(selection.organisation ?? NOBODYS);
    try {
      for (;;) {
        const { seen } = watching;
        // What is recorded after this look at the head has woken.
        await Promise.race([shown(giveUpAt - performance.now()), aborted]);
        const found = await page(query);
        const leftMs = giveUpAt - performance.now();
        if (found.rows.length > 0 || leftMs <= 0 || signal.aborted) return found;
        await watching.after(seen, signal, leftMs);
      }
    } finally {
      watching.leave();
    }
  };
};

/** No name of an organisation: those are not empty. */
const NOBODYS = '';

const ownerOf = ({ meta }: StoredEvent) => {
  const { organisation } = meta;
  return { organisation: typeof organisation === 'string' ? organisation : NOBODYS };
};

/** What a watch has to follow, and whose it is. */
export const auditWatched = {
  categories: ['keyring', ...useCategories],
  ownersOf: async (events: readonly StoredEvent[]) =>
    // Not by stream: a shared journal holds what is of several.
    new Map(events.map((event) => [event.id, ownerOf(event)])),
};
