import type { Instant } from '../../engine/aggregates/decider.ts';
import { LOG_REPEAT_SEARCH_EVENTS } from '../../engine/limits.ts';
import { lruCache } from '../../engine/concurrency/lru-cache.ts';
import { auditRowOf, keyAudit, type AuditEvent } from '../../projections/keys/key-audit.ts';
import type { Recorded } from '../../engine/log/codec.ts';
import type { EventStore, Position } from '../../engine/log/event-store.ts';
import { keyringOfKey } from '../../identity/keys/token.ts';
import { streamOf } from '../../engine/log/streams.ts';
import { walked } from '../events/walk.ts';

/** The uses of keys in the events read so far. */
export interface UsesInLog {
  /** Number of audit records since the requested time. */
  readonly records: number;
  /** Number of organisations in these records. */
  readonly organisations: number;
  /** The journals and keyrings with these or older records. */
  readonly journals: ReadonlySet<string>;
  /** Uses that should have been denied; one line each. */
  readonly breaches: readonly string[];
  /** Uses recorded after a revocation, but decided before it was recorded; one line each. */
  readonly late: readonly string[];
}

export interface UsesRead {
  readonly until: Position | null;
  /** Older records are not counted. */
  readonly since: Instant;
  readonly signal: AbortSignal;
}

interface Revocation {
  readonly revision: number;
  readonly position: Position;
}

/** Reads the log up to `until` and checks every use against the issuance and the revocation. */
export const readUses = async (
  log: EventStore,
  { until, since, signal }: UsesRead,
): Promise<UsesInLog> => {
  /** Finds repeated events of a journal; the size suffices for 50 journals written at once. */
  const seen = lruCache<true>(50 * LOG_REPEAT_SEARCH_EVENTS);
  const issued = new Set<string>();
  const revoked = new Map<string, Revocation>();
  /** By shared journal and keyring, the revision announced there. */
  const announced = new Map<string, number>();
  /** Start of each shared journal, after which its writer reads the keyrings. */
  const begun = new Map<string, Position>();
  /** Shared journals where changes are no longer announced, so that they must have no more uses. */
  const closed = new Set<string>();
  const organisations = new Set<string | null>();
  const journals = new Set<string>();
  const breaches: string[] = [];
  const late: string[] = [];
  let records = 0;

  const judge = (recorded: Recorded<AuditEvent>): void => {
    const { event, position, revision, organisation, stream } = recorded;
    if (event.type === 'GuardChanged') announced.set(`${stream} ${event.stream}`, event.revision);
    if (event.type === 'JournalOpened' && !begun.has(stream)) begun.set(stream, position);
    if (event.type === 'JournalClosed') closed.add(stream);
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
    const lies = `${use} is after the key's revocation at position ${revocation.position}`;
    const unseen = keyringRevision !== null && keyringRevision < revocation.revision;
    const keyring = streamOf('keyring', keyringOfKey(keyId));
    const wasReported =
      (announced.get(`${stream} ${keyring}`) ?? -1) >= revocation.revision ||
      log.compare(begun.get(stream) ?? null, revocation.position) > 0 ||
      closed.has(stream);
    if (unseen && !wasReported && !log.capabilities.guardsInOneStep) {
      late.push(`${lies}; it was decided at revision ${keyringRevision} of the keyring`);
    } else breaches.push(`${lies}, and was allowed`);
  };

  const walk = { after: null, until, categories: keyAudit.categories, signal };
  for await (const events of walked(log, walk)) {
    for (const stored of events) {
      if (seen.get(stored.id)) continue;
      seen.set(stored.id, true);
      journals.add(stored.stream);
      const recorded = keyAudit.codec.decode(stored);
      judge(recorded);
      const row = auditRowOf(recorded);
      if (!row || row.at < since) continue;
      records += 1;
      organisations.add(row.organisationId);
    }
  }
  signal.throwIfAborted();
  return { records, organisations: organisations.size, journals, breaches, late };
};
