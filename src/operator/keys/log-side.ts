import type { Instant } from '../../domain/decider.ts';
import { LOG_REPEAT_SEARCH_EVENTS } from '../../limits.ts';
import { auditRowOf, keyAudit, type AuditEvent } from '../../projections/keys/key-audit.ts';
import type { Recorded } from '../../store/codec.ts';
import { READ_PAGE_EVENTS, type EventStore, type Position } from '../../store/event-store.ts';
import { presentIn } from '../events/present.ts';
import { filtersOf, monthOf, Tallies } from './tallies.ts';

/** What the log says of the audit, as far as it was read. */
export interface LogSide {
  readonly tallies: Tallies;
  readonly records: number;
  /** Uses that were allowed though they should not have been; a line each. */
  readonly breaches: readonly string[];
  /** Uses that lie after a revocation that nobody had seen when they were decided; a line each. */
  readonly late: readonly string[];
}

interface Revocation {
  readonly revision: number;
  readonly position: Position;
}

/** Reads the log up to `until`, and counts what is not older than `since`. */
export const readLog = async (
  log: EventStore,
  until: Position | null,
  since: Instant,
): Promise<LogSide> => {
  const tallies = new Tallies();
  const present = presentIn(log);
  const seen = recentIds();
  const issued = new Set<string>();
  const revoked = new Map<string, Revocation>();
  const breaches: string[] = [];
  const late: string[] = [];
  let records = 0;

  const judge = ({ event, position, revision, organisation }: Recorded<AuditEvent>): void => {
    if (event.type === 'KeyIssued') issued.add(event.keyId);
    if (event.type === 'KeyRevoked') revoked.set(event.keyId, { revision, position });
    if (event.type !== 'KeyUsed' || event.outcome !== 'allowed') return;
    const { keyId, keyringRevision } = event;
    const use = `key ${keyId} of ${organisation}: the use at position ${position}`;
    if (keyId === null || !issued.has(keyId)) {
      breaches.push(`${use} was allowed, but no such key had been issued`);
      return;
    }
    const revocation = revoked.get(keyId);
    if (!revocation) return;
    const lies = `${use} lies after the key's revocation at position ${revocation.position}`;
    const unseen = keyringRevision !== null && keyringRevision < revocation.revision;
    if (unseen && !log.capabilities.guardsInOneStep) {
      late.push(`${lies}; it was decided at revision ${keyringRevision} of the keyring`);
    } else breaches.push(`${lies}, and was allowed`);
  };

  let after: Position | null = null;
  while (log.compare(after, until) < 0) {
    const page = await log.readAll(after, {
      limit: READ_PAGE_EVENTS,
      categories: keyAudit.categories,
    });
    const within = page.events.filter(({ position }) => log.compare(position, until) <= 0);
    for (const stored of await present(within)) {
      if (!seen(stored.id)) continue;
      const recorded = keyAudit.codec.decode(stored);
      judge(recorded);
      const row = auditRowOf(recorded);
      if (!row || row.at < since) continue;
      records += 1;
      tallies.add(row, [monthOf(row), ...filtersOf(row)]);
      const { organisationId, keyId, action, outcome, at } = row;
      const isUse = action === 'key.used' && outcome === 'allowed';
      if (isUse && organisationId !== null && keyId !== null) {
        tallies.used(organisationId, keyId, at);
      }
    }
    if (page.end || within.length < page.events.length) break;
    after = page.next;
  }
  return { tallies, records, breaches, late };
};

/** False for an id that came shortly before: a journal may hold an event twice. */
const recentIds = (): ((id: string) => boolean) => {
  const ids = new Set<string>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    // As many for each of several journals that are written at once.
    if (ids.size > 50 * LOG_REPEAT_SEARCH_EVENTS) {
      for (const oldest of ids) {
        ids.delete(oldest);
        break;
      }
    }
    return true;
  };
};
