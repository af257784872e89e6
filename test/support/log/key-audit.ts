/** Facts of keys and their use at any time, as the log holds them. */
import { randomUUID } from 'node:crypto';
import type { Actor, Instant } from '../../../src/engine/aggregates/decider.ts';
import type { KeyringEvent } from '../../../src/domain/keys/events.ts';
import { countingJournal, denialJournal, useJournal } from '../../../src/domain/keys/journals.ts';
import type { KeyUsed, KeyUseEvent } from '../../../src/domain/keys/uses.ts';
import { keyringOf, newKeyId } from '../../../src/identity/keys/token.ts';
import { keyringCodec, keyUseCodec } from '../../../src/domain/keys/codecs.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { streamOf } from '../../../src/engine/log/streams.ts';

const ana: Actor = { kind: 'user', id: 'ana', name: 'Ana' };
const check: Actor = { kind: 'system', id: 'key-check' };

const meta = (at: Instant, by: Actor, organisation?: string) => ({
  commandId: randomUUID(),
  at,
  by,
  origin: 'api' as const,
  ...(organisation === undefined ? {} : { organisation }),
});

const ofKeyring = (event: KeyringEvent, at: Instant, organisation: string): NewEvent =>
  keyringCodec.encode(randomUUID(), event, meta(at, ana, organisation));

export const ofUse = (
  event: KeyUseEvent,
  at: Instant,
  organisation?: string,
  by: Actor = check,
): NewEvent => keyUseCodec.encode(randomUUID(), event, meta(at, by, organisation));

export interface AuditedKey {
  readonly keyId: string;
  readonly organisation: string;
  revoked(at: Instant): Promise<void>;
  used(at: Instant, over?: Partial<KeyUsed>): Promise<NewEvent>;
  usedBefore(events: readonly NewEvent[]): Promise<void>;
  /** Not stored yet. */
  use(at: Instant, over?: Partial<KeyUsed>): NewEvent;
}

/** A key of `organisation`, stored in the log at `at`. */
export const keyIssued = async (
  log: EventStore,
  organisation: string,
  at: Instant,
  label = 'ci',
): Promise<AuditedKey> => {
  const keyId = newKeyId(organisation);
  const stream = streamOf('keyring', keyringOf(organisation));
  const key = { keyId, label, scope: 'sandbox', expiresAt: '2099-01-01T00:00:00.000Z' } as const;
  const there = await log.readStream(stream, { limit: 1 });
  const secretHash = 'a'.repeat(64);
  await log.append(stream, 'any', [
    ...(there.length === 0
      ? [ofKeyring({ type: 'KeyringOpened', organisation }, at, organisation)]
      : []),
    ofKeyring({ type: 'KeyIssued', ...key, secretHash }, at, organisation),
  ]);
  const use = (when: Instant, over: Partial<KeyUsed> = {}) =>
    ofUse(
      {
        type: 'KeyUsed',
        outcome: 'allowed',
        reason: null,
        ...key,
        route: 'GET /api/v1/sandboxes',
        sourceIp: '192.0.2.7',
        userAgent: 'curl/8',
        keyringRevision: 1,
        ...over,
      },
      when,
      organisation,
      { kind: 'key', id: keyId, name: label },
    );
  return {
    keyId,
    organisation,
    use,
    async revoked(when) {
      await log.append(stream, 'any', [
        ofKeyring({ type: 'KeyRevoked', ...key }, when, organisation),
      ]);
    },
    async used(when, over) {
      const event = use(when, over);
      await log.append(useJournal(organisation, when), 'any', [event]);
      return event;
    },
    async usedBefore(events) {
      await log.append(useJournal(organisation, events[0]!.meta['at']!), 'any', events);
    },
  };
};

/** A denial of an unknown key. */
export const unknownDenied = async (log: EventStore, at: Instant): Promise<void> => {
  const nothing = { keyId: null, label: null, scope: null, expiresAt: null };
  const event: KeyUsed = {
    type: 'KeyUsed',
    outcome: 'denied',
    reason: 'unknown',
    ...nothing,
    route: 'GET /api/v1/keys',
    sourceIp: '198.51.100.9',
    userAgent: null,
    keyringRevision: null,
  };
  await log.append(denialJournal(at), 'any', [ofUse(event, at)]);
};

export const denialsCounted = async (log: EventStore, at: Instant, count: number) => {
  const event = { reason: 'unknown', sourceIp: null, count, firstAt: at, lastAt: at } as const;
  await log.append(denialJournal(at), 'any', [ofUse({ type: 'KeyDenialsCounted', ...event }, at)]);
};

/** A minute whose counts were never recorded, detected at `at`. */
export const countsLost = async (log: EventStore, minute: Instant, at: Instant): Promise<void> => {
  const began = ofUse({ type: 'DenialCountingBegan', minute }, minute);
  const lost = ofUse({ type: 'DenialCountsLost', minute, began: began.id }, at);
  await log.append(countingJournal(minute), 'any', [began, lost]);
};
