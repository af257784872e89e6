/** Keys without HTTP: minted, revoked and tried on a log. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { Instant } from '../../../src/engine/aggregates/decider.ts';
import type { KeyScope } from '../../../src/domain/keys/events.ts';
import { familyOfShared } from '../../../src/domain/keys/shared-journals.ts';
import { useFamily, useJournal } from '../../../src/domain/keys/journals.ts';
import type { KeyUseEvent } from '../../../src/domain/keys/uses.ts';
import { keyringOf } from '../../../src/identity/keys/token.ts';
import {
  keyringAnnouncements,
  keyUseLog,
  type KeyringAnnouncements,
} from '../../../src/identity/keys/key-use-log.ts';
import { keyAuthority } from '../../../src/identity/keys/authority.ts';
import type { Clock } from '../../../src/engine/time/clock.ts';
import type { Recorded } from '../../../src/engine/log/codec.ts';
import { keyUseCodec } from '../../../src/domain/keys/codecs.ts';
import { keyringRepository } from '../../../src/use-cases/keys/keyrings.ts';
import type { EventStore, NewEvent } from '../../../src/engine/log/event-store.ts';
import { historyOf } from '../../../src/engine/log/history.ts';
import { sharedJournals } from '../../../src/projections/keys/uses-of-month.ts';
import { mintKey } from '../../../src/use-cases/keys/mint-key.ts';
import { noon } from '../domain/specify.ts';

export interface Minted {
  readonly token: string;
  readonly keyId: string;
  readonly organisation: string;
}

export interface Keys {
  mint(over?: { scope?: KeyScope; expiresInDays?: number | null }): Promise<Minted>;
  revoke(keyId: string): Promise<void>;
}

/** The written versions of a log with a single release. */
export const currentVersions = { asWritten: async (events: readonly NewEvent[]) => events };

/** The keyring as used by another process: it shares only the log with a check. */
export const keysOf = (
  log: EventStore,
  clock: Clock,
  organisation: string,
  uses: KeyringAnnouncements = keyringAnnouncements({ log, clock }),
): Keys => {
  const keyrings = keyringRepository(log, uses);
  return {
    async mint({ scope = 'sandbox', expiresInDays = 90 } = {}) {
      const { key, token } = await mintKey({ keyrings })(
        { organisation, label: 'ci', scope, expiresInDays },
        { ...noon, at: clock.now() },
        { commandId: randomUUID() },
      );
      return { token: token!, keyId: key.keyId, organisation };
    },
    async revoke(keyId) {
      await keyrings.give(
        keyringOf(organisation),
        {
          commandId: randomUUID(),
          command: { type: 'RevokeKey', organisation, keyId },
          organisation,
        },
        { ...noon, at: clock.now() },
      );
    },
  };
};

/** The key authority of one process, with its own cache. */
export const authorityOn = (
  log: EventStore,
  clock: Clock,
  uses = keyUseLog({ log, clock, versions: currentVersions }),
) => keyAuthority({ log, uses, clock, logger: pino({ level: 'silent' }) });

export interface SettableClock extends Clock {
  at: Instant;
  pass(seconds: number): void;
}

export const clockAt = (start: Instant): SettableClock => ({
  at: start,
  now() {
    return this.at;
  },
  pass(seconds) {
    this.at = new Date(Date.parse(this.at) + seconds * 1_000).toISOString();
  },
});

export const usesIn = (
  log: EventStore,
  journal: string,
): Promise<readonly Recorded<KeyUseEvent>[]> => historyOf(log, keyUseCodec, journal);

/** An organisation's key uses in the journals of a month, shared or not. */
export const usesOf = async (
  log: EventStore,
  organisation: string,
  at: Instant,
): Promise<readonly Recorded<KeyUseEvent>[]> => {
  const { category } = useFamily(at);
  const shared = (await sharedJournals(log)).filter(
    (journal) => familyOfShared(journal)?.category === category,
  );
  const own = await usesIn(log, useJournal(organisation, at));
  const others = await Promise.all(shared.map((journal) => usesIn(log, journal)));
  const its = others
    .flat()
    .filter((use) => use.organisation === organisation && monthOf(use) === at.slice(0, 7));
  return [...own, ...its].toSorted((a, b) => log.compare(a.position, b.position));
};

const monthOf = ({ at }: { readonly at: Instant }): string => at.slice(0, 7);
